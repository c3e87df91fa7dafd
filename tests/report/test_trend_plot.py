"""Courses drawn on the page: every value in the picture, changes where they happened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kreport.archive.history import RunName, blank
from kreport.model import CaseKey
from kreport.pipeline.build import build
from kreport.report.catalogue import Catalogue
from kreport.report.page.trend_plot import HEIGHT_PX, WIDTH_PX, TrendPicture, trend_picture
from kreport.settings import Settings
from kreport.trend.series import trend_of

ENGLISH = Catalogue("en")


def picture(baseline_ms: list[float], pto_ms: list[float]) -> TrendPicture | None:
    """Draw one case; the lists are its runs, NaN where it was not measured."""
    runs = tuple(
        RunName("", f"202601{day + 1:02d}T000000Z", "runs.csv") for day in range(len(pto_ms))
    )
    history = blank(runs, (CaseKey("f", "k", "m64"),))
    history.medians["baseline_ms"][0] = baseline_ms
    history.medians["pto_ms"][0] = pto_ms
    return trend_picture(trend_of(history).cases[0], history, ENGLISH)


def test_a_step_is_marked_where_it_happened_and_told_in_words() -> None:
    noise = np.linspace(-0.005, 0.005, 12)[[3, 8, 0, 11, 5, 2, 9, 6, 1, 10, 4, 7]]
    steps = [2.0 * (1 + x) for x in noise] + [3.0 * (1 + x) for x in noise]
    drawn = picture([1.0] * 24, steps)
    assert drawn is not None
    assert len(drawn.changes) == 1
    assert len(drawn.bands) == 2
    xs = [float(point.split(",")[0]) for point in drawn.points.split()]
    assert float(drawn.changes[0]) == xs[12]
    assert "from 50.0% to 33.3%" in drawn.events[0]
    assert float(drawn.bands[0].y) < float(drawn.bands[1].y), "less is drawn lower"


def test_two_runs_are_no_course() -> None:
    assert picture([1.0, 1.0], [2.0, 2.0]) is None


def test_without_a_baseline_the_port_is_drawn() -> None:
    drawn = picture([float("nan")] * 4, [2.0, 2.0, 2.0, 2.0])
    assert drawn is not None
    assert drawn.metric == ENGLISH("trend.pto_ms")


@given(st.lists(st.floats(1e-6, 1e6), min_size=3, max_size=20))
def test_nothing_is_drawn_outside_the_picture(values: list[float]) -> None:
    drawn = picture([1.0] * len(values), values)
    assert drawn is not None
    points = [tuple(map(float, point.split(","))) for point in drawn.points.split()]
    assert len(points) == len(values)
    assert all(0 <= x <= WIDTH_PX and 0 <= y <= HEIGHT_PX for x, y in points)
    for box in drawn.bands:
        assert 0 <= float(box.y) <= float(box.y) + float(box.height) <= HEIGHT_PX + 1
        assert 0 <= float(box.x) <= float(box.x) + float(box.width) <= WIDTH_PX + 1


@pytest.mark.parametrize("days", [1, 5])
def test_the_page_draws_courses_once_there_is_a_history(days: int, tmp_path: Path) -> None:
    for day in range(1, days + 1):
        source = tmp_path / f"regression_202601{day:02d}T000000Z.csv"
        source.write_text(
            "kernel,shape,baseline_us,pto_us,status\n"
            f"gemm,m64,100.0,{120 + day}.0,OK\nscan,m64,50.0,{80 + day}.0,OK\n"
        )
        build(Settings(inputs=(str(source),), out=str(tmp_path / "reports")))
    page = (tmp_path / "reports" / "regression_latest.html").read_text()
    assert page.count('class="trend"') == (2 if days >= 3 else 0)
    if days == 5:
        assert 'aria-label="ratio: 82.6% → 81.3%' in page
