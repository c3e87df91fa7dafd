"""Noise bands learnt from earlier runs, where those scatter more than the input itself says."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.archive.history import History
    from kreport.cases import CaseResult
    from kreport.model import Band


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
    from kreport.trend.levels import ratio_levels

    levels = ratio_levels(earlier, [c.key for c in cases if math.isfinite(c.ratio_pct)])
    widened: list[CaseResult] = []
    used = left_out = 0
    for case in cases:
        level = levels.get(case.key)
        learnt = level.band_around(case.ratio_pct) if level else None
        if level is None or learnt is None or not _is_wider(learnt, case.band):
            widened.append(case)
            continue
        used += 1
        left_out = max(left_out, level.left_out)
        widened.append(replace(case, band=learnt))
    first, last = earlier.runs[0].stamp, earlier.runs[-1].stamp
    return WithPast(tuple(widened), PastUse(len(earlier.runs), first, last, used, left_out))


def _is_wider(learnt: Band, own: Band | None) -> bool:
    return own is None or learnt.high - learnt.low > own.high - own.low
