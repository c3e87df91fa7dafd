"""Cases: medians over runs, ratios, and the band that each number deserves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kreport.cases import CaseResult, cases_of
from kreport.model import BandSource, Correctness, Notice, Status
from kreport.verdicts import Inputs, Question, compare_runs
from tests.tables import row, table


def only(*rows: dict[str, object]) -> CaseResult:
    (case,) = cases_of(table(*rows))
    return case


def test_ratio_is_baseline_over_pto_in_percent() -> None:
    case = only(row(baseline_median_ms=0.8, pto_median_ms=1.0))
    assert case.ratio_pct == pytest.approx(80.0)
    assert case.band is None
    assert case.correctness == "pass"


def test_band_from_quartiles_crosses_the_sides() -> None:
    quartiles = {
        "baseline_q1_ms": 0.9,
        "baseline_q3_ms": 1.1,
        "pto_q1_ms": 1.8,
        "pto_q3_ms": 2.2,
    }
    case = only(row(**quartiles))
    assert case.band is not None
    assert case.band.low == pytest.approx(0.9 / 2.2 * 100)
    assert case.band.high == pytest.approx(1.1 / 1.8 * 100)
    assert case.band.label == "quartiles"
    counted = only(row(**quartiles, baseline_n=50, pto_n=30))
    assert counted.band is not None
    assert counted.band.label == "samples n=30"


def test_extremes_support_a_band_where_there_are_no_quartiles() -> None:
    case = only(row(baseline_min_ms=0.9, baseline_max_ms=1.3, pto_min_ms=1.9, pto_max_ms=2.5))
    assert case.band is not None
    assert case.band.source is BandSource.MIN_MAX
    assert case.band.low == pytest.approx(0.9 / 2.5 * 100)


def test_one_sample_supports_no_band() -> None:
    one = {f"{side}_{q}": 1.0 for side in ("baseline", "pto") for q in ("q1_ms", "q3_ms", "n")}
    assert only(row(**one)).band is None


def test_several_runs_are_medians_of_medians_with_a_band_between_runs() -> None:
    medians = [(1.0, 2.0), (1.1, 2.1), (1.2, 1.9), (0.9, 2.3)]
    case = only(
        *(
            row(run=f"r{i}", baseline_median_ms=b, pto_median_ms=p)
            for i, (b, p) in enumerate(medians)
        )
    )
    baseline, pto = np.array(medians).T
    assert case.runs == 4
    assert case.baseline.median_ms == np.median(baseline)
    assert case.ratio_pct == pytest.approx(np.median(baseline) / np.median(pto) * 100)
    assert case.band is not None
    assert case.band.label == "runs n=4"
    low = np.quantile(baseline, 0.25) / np.quantile(pto, 0.75) * 100
    assert case.band.low == pytest.approx(low)
    assert case.baseline.q1_ms == np.quantile(baseline, 0.25)


def test_the_wider_band_wins_whatever_its_source() -> None:
    wide = {
        "baseline_q1_ms": 0.5,
        "baseline_q3_ms": 1.5,
        "pto_q1_ms": 1.0,
        "pto_q3_ms": 3.0,
        "baseline_n": 10,
        "pto_n": 10,
    }
    case = only(row(run="a", **wide), row(run="b", **wide))
    assert case.band is not None
    assert case.band.source is BandSource.SAMPLES


def test_a_stored_band_stands_in_for_the_runs_behind_it() -> None:
    case = only(row(ratio_low_pct=40.0, ratio_high_pct=60.0, noise_source="runs n=12"))
    assert case.band is not None
    assert (case.band.low, case.band.high, case.band.label) == (40.0, 60.0, "runs n=12")


def test_most_runs_decide_whether_a_side_runs() -> None:
    ok, blocked = row(run="a"), row(run="b", pto_status="blocked", pto_median_ms=math.nan)
    flaky = only(ok, row(run="c"), blocked)
    assert flaky.pto.status is Status.OK
    assert Notice.FLAKY in flaky.notices
    assert only(ok, blocked).pto.status is Status.BLOCKED


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("missing", "blocked", Status.BLOCKED),
        ("invalid", "blocked", Status.BLOCKED),
        ("missing", "invalid", Status.INVALID),
        ("ok", "missing", Status.MISSING),
    ],
)
def test_a_tie_of_runs_hides_least_in_any_order(one: str, other: str, told: Status) -> None:
    """A report and a comparison of the same runs give the same answer."""
    for first, second in ((one, other), (other, one)):
        rows = [
            row(run=run, run_at=run, pto_status=status, pto_median_ms=math.nan)
            for run, status in (("a", first), ("b", second))
        ]
        assert only(*rows).pto.status is told
        (case,) = compare_runs(Inputs(table(*rows), table(*rows)), Question()).cases
        assert case.pto.new.status is told


def test_one_failed_check_makes_the_result_wrong() -> None:
    case = only(row(run="a"), row(run="b", pto_correct="fail"))
    assert case.pto.correct is Correctness.FAIL
    assert case.correctness == "blocked/fail"


def test_no_ratio_across_devices_and_none_without_a_latency() -> None:
    across = only(row(notices=Notice.DEVICES_DIFFER.value))
    assert math.isnan(across.ratio_pct)
    silent = only(row(pto_median_ms=math.nan))
    assert math.isnan(silent.ratio_pct)
    assert Notice.NO_LATENCY in silent.notices


@given(st.permutations(range(5)))
def test_the_order_of_rows_changes_no_number(order: list[int]) -> None:
    rows = [
        row(run=f"r{i}", run_at=f"2026040{i + 1}T000000Z", pto_median_ms=2.0 + i / 10)
        for i in range(5)
    ]
    case = only(*(rows[i] for i in order))
    straight = only(*rows)
    assert (case.ratio_pct, case.band, case.run_at) == (
        straight.ratio_pct,
        straight.band,
        straight.run_at,
    )


@given(st.floats(1e-3, 1e3))
def test_scaling_all_latencies_changes_no_ratio(scale: float) -> None:
    quartiles = {"baseline_q1_ms": 0.9, "baseline_q3_ms": 1.1, "pto_q1_ms": 1.8, "pto_q3_ms": 2.2}
    plain = only(row(**quartiles))
    scaled = only(
        row(
            baseline_median_ms=scale,
            pto_median_ms=2 * scale,
            **{name: value * scale for name, value in quartiles.items()},
        )
    )
    assert scaled.ratio_pct == pytest.approx(plain.ratio_pct)
    assert plain.band is not None
    assert scaled.band is not None
    assert scaled.band.low == pytest.approx(plain.band.low)
