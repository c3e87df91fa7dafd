"""The rule of disjoint intervals, on quartiles within runs: what one run on each side can say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.noise import NEW, OLD
from kreport.noise.runs import row_median

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.verdicts.cells import SideCells

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Per case the interval of the samples of each group: quartiles, else the range.

    Logs of milliseconds, medians over the runs of the group; NaN where the input has neither.
    `ranged` marks cases that only have a range.
    """

    old_low: Floats
    old_high: Floats
    new_low: Floats
    new_high: Floats
    ranged: NDArray[np.bool_]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether both groups have an interval."""
        with np.errstate(invalid="ignore"):
            total = self.old_low + self.old_high + self.new_low + self.new_high
        return np.isfinite(total)

    def direction(self, shift: Floats | float = 0.0) -> NDArray[np.int8]:
        """1 where the new interval lies above the old one, -1 below, 0 where they meet.

        `shift` (log) is taken off the new one first.
        """
        with np.errstate(invalid="ignore"):
            above = (self.new_low - shift > self.old_high) & self.known
            below = (self.new_high - shift < self.old_low) & self.known
        return above.astype(np.int8) - below.astype(np.int8)

    def reach(self, old_median: Floats, new_median: Floats, direction: NDArray[np.int8]) -> Floats:
        """How far the medians must part in a direction until the intervals do; 0 is either."""
        up = (self.old_high - old_median) + (new_median - self.new_low)
        down = (old_median - self.old_low) + (self.new_high - new_median)
        return np.select([direction > 0, direction < 0], [up, down], np.maximum(up, down))


def intervals_of(cells: SideCells, group: NDArray[np.int8]) -> Intervals:
    """Intervals of each case on one side."""

    def logs(name: str, wanted: int) -> Floats:
        values = row_median(cells.numbers[name][:, group == wanted])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(values))

    quartiles = [logs(name, wanted) for wanted in (OLD, NEW) for name in ("q1_ms", "q3_ms")]
    ranges = [logs(name, wanted) for wanted in (OLD, NEW) for name in ("min_ms", "max_ms")]
    ranged = ~np.isfinite(sum(quartiles)) & np.isfinite(sum(ranges))
    chosen = [np.where(ranged, r, q) for q, r in zip(quartiles, ranges, strict=True)]
    return Intervals(chosen[0], chosen[1], chosen[2], chosen[3], ranged)
