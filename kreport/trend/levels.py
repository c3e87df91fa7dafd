"""How far a case's numbers move without the code having changed, learnt from its past runs.

Only runs of one level count. That is the level since the last confirmed change; while it is too
young to have a spread of its own, it is the one before that change, taken relative to its median.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.model import Band, BandSource
from kreport.trend.changepoints import Course, courses, stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kreport.archive.history import History, RunName
    from kreport.model import CaseKey

    Floats = NDArray[np.float64]

FEWEST = 5
"""Runs below which quartiles of run medians say too little."""


@dataclass(frozen=True, slots=True)
class PastLevel:
    """The runs that a noise band may rest on, as a series of one metric, oldest first."""

    values: Floats
    runs: tuple[RunName, ...]
    left_out: int
    """Runs looked at and not counted: they lie on the other side of a confirmed change."""

    @property
    def n(self) -> int:
        """How many runs count."""
        return len(self.runs)

    def band_around(self, value: float) -> Band:
        """Quartiles of the runs relative to their median, laid around `value`, in its unit."""
        low, high = np.quantile(self.values, (0.25, 0.75)) / np.median(self.values) * value
        return Band(float(low), float(high), BandSource.HISTORY, self.n)


def ratio_levels(history: History, cases: Iterable[CaseKey]) -> Mapping[CaseKey, PastLevel]:
    """Per case the level of its ratio (percent) that noise may be learnt from.

    Cases that the history does not know, or of which fewer than 5 runs share a level, are left
    out.
    """
    known = [key for key in cases if key in history.places]
    rows = history.ratio_pct[[history.places[key] for key in known]]
    found = zip(known, rows, courses(rows), strict=True)
    levels = ((key, _level(row, own, history.runs)) for key, row, own in found)
    return {key: level for key, level in levels if level is not None}


def newest_level(found: Course, length: int) -> slice | None:
    """The newest level of a series of `length` runs that has 5 or more; None where none has."""
    long_enough = [p for p in stretches(found, length) if p.stop - p.start >= FEWEST]
    return long_enough[-1] if long_enough else None


def _level(row: Floats, found: Course, runs: tuple[RunName, ...]) -> PastLevel | None:
    measured = np.flatnonzero(np.isfinite(row))
    part = newest_level(found, measured.size)
    if part is None:
        return None
    kept = measured[part]
    names = tuple(runs[i] for i in kept.tolist())
    return PastLevel(row[kept], names, int(measured.size - kept.size))
