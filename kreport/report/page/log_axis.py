"""A logarithmic axis of ratios: where a percentage stands, and which marks are labelled.

Positions are percent of the axis' own width, so that one drawing fits any width.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LOWEST_PCT, HIGHEST_PCT = 1.0, 1000.0
"""The axis never reaches further: one absurd ratio must not press all others into a point."""

_NICE = (1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0)
_LABEL_ROOM = 9.0
"""Least distance of two labels in one row, in percent of the width: a phone's width decides."""
_LABEL_ROWS = 3


@dataclass(frozen=True, slots=True)
class LogAxis:
    """An axis from `low_pct` to `high_pct`, both above zero."""

    low_pct: float
    high_pct: float

    def position(self, ratio_pct: float) -> float:
        """Place of a ratio in percent of the width; ratios beyond an end are put on that end."""
        inside = min(max(ratio_pct, self.low_pct), self.high_pct)
        span = math.log(self.high_pct / self.low_pct)
        return math.log(inside / self.low_pct) / span * 100.0

    def at(self, ratio_pct: float) -> str:
        """Write the place of a ratio: ``42.31``."""
        return f"{self.position(ratio_pct):.2f}"

    def side(self, ratio_pct: float) -> str:
        """``below`` or ``above`` for a ratio beyond an end of the axis, else ""."""
        if ratio_pct < self.low_pct:
            return "below"
        return "above" if ratio_pct > self.high_pct else ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled line across the plot. `row` keeps labels of close marks apart, 0 at the top."""

    x: str
    label: str
    row: int


def axis_for(ratios_pct: Iterable[float], marks_pct: Sequence[float]) -> LogAxis:
    """Choose an axis that shows every mark and, within reason, every ratio."""
    wanted = [*ratios_pct, *marks_pct]
    low = _nice_below(max(min(wanted) * 0.95, LOWEST_PCT))
    high = _nice_above(min(max(wanted) * 1.05, HIGHEST_PCT))
    return LogAxis(low, high)


def _nice_below(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return max(step * decade for step in _NICE if step * decade <= value * (1 + 1e-9))


def _nice_above(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    steps = [step * decade for step in (*_NICE, 10.0)]
    return min(step for step in steps if step >= value * (1 - 1e-9))


def marks_on(axis: LogAxis, marks_pct: Sequence[float]) -> tuple[Mark, ...]:
    """Label marks from left to right, each in the first row that has room for it."""
    ends = [-math.inf] * _LABEL_ROWS
    found = []
    for mark in sorted(set(marks_pct)):
        place = axis.position(mark)
        free = [row for row, end in enumerate(ends) if place - end >= _LABEL_ROOM]
        row = free[0] if free else _LABEL_ROWS - 1
        ends[row] = place
        found.append(Mark(axis.at(mark), f"{mark:g}%", row))
    return tuple(found)
