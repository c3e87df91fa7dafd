"""How far a case's numbers move without the code having changed, learnt from its past runs.

Only runs of one level count. That is the level since the last confirmed change; while it is too
young to have a spread of its own, it is the one before that change, taken relative to its median.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.changepoints import course, stretches
from kreport.model import Band, BandSource

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.history import History, RunName
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


def past_level(values: Floats, runs: tuple[RunName, ...]) -> PastLevel | None:
    """The level of a series that noise may be learnt from; None where fewer than 5 runs share one.

    `values` has one number a run, oldest first, NaN where the run has none.
    """
    measured = np.flatnonzero(np.isfinite(values) & (values > 0))
    levels = values[measured]
    for part in reversed(list(stretches(course(levels), levels.size))):
        if part.stop - part.start >= FEWEST:
            kept = measured[part]
            names = tuple(runs[i] for i in kept.tolist())
            return PastLevel(levels[part], names, int(levels.size - kept.size))
    return None


def ratio_level(history: History, key: CaseKey) -> PastLevel | None:
    """`past_level` of the ratio of a case (percent); None where the history does not know it."""
    place = history.places.get(key)
    if place is None:
        return None
    pair = [history.medians[name][place] for name in ("baseline_ms", "pto_ms")]
    return past_level(pair[0] / pair[1] * 100.0, history.runs)
