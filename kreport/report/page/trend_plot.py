"""The course of a case over its runs as a small picture: line, bands, changes, the value now."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.report.case_name import case_name
from kreport.report.trend.trend_view import events_of, now_text, value_text
from kreport.trend.changepoints import stretches
from kreport.trend.series import Metric

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.report.catalogue import Catalogue
    from kreport.trend.series import CaseTrend, Series

WIDTH_PX, HEIGHT_PX = 200, 36
MARGIN_PX = 4
FEWEST_RUNS = 3
"""Two points are no course."""
LEAST_SPAN = 1.08
"""Highest over lowest value that fills the height: noise of 1 % must not look like mountains."""


@dataclass(frozen=True, slots=True)
class Box:
    """Quartiles of the runs between two changes; pixels."""

    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class TrendPicture:
    """One series, to be drawn in `WIDTH_PX` x `HEIGHT_PX`; its texts say the same in words."""

    shape: str
    metric: str
    points: str
    bands: tuple[Box, ...]
    changes: tuple[str, ...]
    """Where a new level begins: x of an upright line."""
    last_x: str
    last_y: str
    now: str
    first: str
    events: tuple[str, ...]


def trend_picture(case: CaseTrend, history: History, text: Catalogue) -> TrendPicture | None:
    """Draw the ratio of a case, or the port where there is none; None below three runs."""
    series = case.series[Metric.RATIO]
    if series.values.size < FEWEST_RUNS:
        series = case.series[Metric.PTO]
    if series.values.size < FEWEST_RUNS:
        return None
    places = _Places(series, len(history.runs))
    points = [
        places.point(run, value) for run, value in zip(series.runs, series.values, strict=True)
    ]
    starts = [series.runs[point.index] for point in series.course.change_points]
    return TrendPicture(
        shape=case_name(case.key),
        metric=text(f"trend.{series.metric}"),
        points=" ".join(points),
        bands=tuple(
            places.box(series.runs[part.start], series.runs[part.stop - 1], series.values[part])
            for part in stretches(series.course, series.values.size)
        ),
        changes=tuple(places.x(run) for run in starts),
        last_x=places.x(series.runs[-1]),
        last_y=places.y(float(series.values[-1])),
        now=now_text(series, text),
        first=value_text(series.metric, float(series.values[0])),
        events=events_of(series, history, text),
    )


class _Places:
    """Where runs and values of one series stand in the picture; values on a logarithmic axis."""

    def __init__(self, series: Series, runs: int) -> None:
        self._step = (WIDTH_PX - 2 * MARGIN_PX) / max(runs - 1, 1)
        low, high = float(series.values.min()), float(series.values.max())
        middle = math.sqrt(low * high)
        reach = math.log(max(high / low, LEAST_SPAN)) / 2
        self._top = math.log(middle) + reach
        self._scale = (HEIGHT_PX - 2 * MARGIN_PX) / (2 * reach)

    def x(self, run: int) -> str:
        return f"{MARGIN_PX + run * self._step:.1f}"

    def y(self, value: float) -> str:
        return f"{self._y(value):.1f}"

    def _y(self, value: float) -> float:
        return MARGIN_PX + (self._top - math.log(value)) * self._scale

    def point(self, run: int, value: float) -> str:
        return f"{self.x(run)},{self.y(float(value))}"

    def box(self, first: int, last: int, values: np.ndarray) -> Box:
        q1, q3 = (float(found) for found in np.quantile(values, (0.25, 0.75)))
        return Box(
            x=self.x(first),
            y=self.y(q3),
            width=f"{max((last - first) * self._step, 1.0):.1f}",
            height=f"{max(self._y(q1) - self._y(q3), 1.0):.1f}",
        )
