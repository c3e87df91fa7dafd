"""Noise bands learnt from earlier runs, where those scatter more than the input itself says."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.history_noise import ratio_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.cases import CaseResult
    from kreport.history import History


@dataclass(frozen=True, slots=True)
class PastUse:
    """What earlier runs gave to a report."""

    runs: int
    """Runs older than the data."""
    first: str
    last: str
    """Stamps of the oldest and newest of them."""
    cases: int
    """Cases whose band rests on them."""
    left_out: int
    """Most runs that were left out of any such band, for they lie across a confirmed change."""


@dataclass(frozen=True, slots=True)
class WithPast:
    """Cases with the wider of their own band and that of their past."""

    cases: tuple[CaseResult, ...]
    use: PastUse | None
    """None where no earlier run is known."""


def with_past(cases: Sequence[CaseResult], earlier: History | None) -> WithPast:
    """Widen the bands of cases by what their ratio did in `earlier` runs."""
    if earlier is None or not earlier.runs:
        return WithPast(tuple(cases), None)
    widened: list[CaseResult] = []
    used = left_out = 0
    for case in cases:
        level = ratio_level(earlier, case.key) if math.isfinite(case.ratio_pct) else None
        band = case.band
        if level is not None:
            learnt = level.band_around(case.ratio_pct)
            if band is None or learnt.high - learnt.low > band.high - band.low:
                band = learnt
                used += 1
                left_out = max(left_out, level.left_out)
        widened.append(case if band is case.band else replace(case, band=band))
    first, last = earlier.runs[0].stamp, earlier.runs[-1].stamp
    return WithPast(tuple(widened), PastUse(len(earlier.runs), first, last, used, left_out))
