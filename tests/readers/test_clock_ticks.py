"""Summaries without any spread show the step of the clock, not the absence of noise."""

from __future__ import annotations

import math

import pytest

from kreport.readers import read_runs
from kreport.readers.clock_ticks import tick_of


@pytest.mark.parametrize(
    ("cells", "tick"),
    [
        (["1.20", "1.22", "1.60", ""], 0.02),
        (["1.20", "1.23", "1.61"], 0.01),
        (["10", "20", "30"], 1.0),
        (["1.5"], 0.1),
        (["0.0", "0.00"], math.nan),
        (["0.123456789"], math.nan),
        (["-", "inf", "1e3", "x"], math.nan),
        ([], math.nan),
    ],
)
def test_the_tick_is_a_common_factor_or_the_last_decimal_written(cells, tick) -> None:
    assert tick_of(cells) == pytest.approx(tick, nan_ok=True)


def test_only_quartiles_that_are_all_one_value_get_a_tick(write) -> None:
    text = (
        "kernel,baseline_us,baseline_q1_us,baseline_q3_us,pto_us,pto_q1_us,pto_q3_us\n"
        "still,2.40,2.40,2.40,2.44,2.44,2.44\n"
        "noisy,2.40,2.38,2.42,2.44,2.42,2.50\n"
        "bare,2.40,,,2.44,,\n"
    )
    frame = read_runs([write(text)]).frame
    steps = frame["pto_resolution_ms"].tolist()
    assert steps[0] == pytest.approx(2e-5)
    assert all(math.isnan(step) for step in steps[1:])
