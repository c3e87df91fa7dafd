"""Statistics: the figures of the source documents to the digit, NumPy and SciPy as oracles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from kreport import stats
from kreport.model import Verdict

latencies = st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=60)


def test_summary_of_the_source_document() -> None:
    summary = stats.summarize([1, 2, 3, 4, 100])
    assert (summary.mean, summary.median, summary.q1, summary.q3) == (22, 3, 2, 4)
    assert (summary.iqr, summary.max, summary.min, summary.n) == (2, 100, 1, 5)


def test_only_the_far_sample_is_an_outlier() -> None:
    assert stats.outliers([1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 5.0]) == (6,)


def test_disjoint_iqrs_are_faster_with_the_ratio_of_medians() -> None:
    result = stats.compare([10, 10.5, 11, 11.5, 12], [5, 5.2, 5.5, 5.8, 6])
    assert result.verdict is Verdict.FASTER
    assert result.speedup == 2.0
    assert (result.base.q1, result.base.q3) == (10.5, 11.5)
    assert (result.new.q1, result.new.q3) == (5.2, 5.8)


def test_overlapping_iqrs_are_within_noise() -> None:
    result = stats.compare([10, 10.5, 11, 11.5, 12], [9.5, 10, 11, 11.8, 12.5])
    assert result.verdict is Verdict.WITHIN_NOISE


@given(latencies)
def test_quartiles_are_those_of_numpy_and_scipy(samples: list[float]) -> None:
    summary = stats.summarize(samples)
    assert (summary.q1, summary.median, summary.q3) == tuple(
        np.quantile(samples, (0.25, 0.5, 0.75))
    )
    assert summary.iqr == pytest.approx(scipy_stats.iqr(samples), rel=1e-9, abs=1e-12)


@given(latencies, latencies)
def test_swapping_the_sides_mirrors_the_verdict(base: list[float], new: list[float]) -> None:
    mirror = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}
    verdict = stats.compare(base, new).verdict
    assert stats.compare(new, base).verdict is mirror.get(verdict, verdict)


@given(latencies)
def test_a_set_against_itself_is_within_noise(samples: list[float]) -> None:
    result = stats.compare(samples, samples)
    assert result.verdict is Verdict.WITHIN_NOISE
    assert result.speedup == 1.0


@pytest.mark.parametrize("bad", [[], [1.0, math.nan], [math.inf]])
def test_what_cannot_be_summarised_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="sample"):
        stats.summarize(bad)


@pytest.mark.parametrize(
    ("baseline_ms", "pto_ms"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (math.nan, 1.0), (1, math.inf)]
)
def test_an_impossible_ratio_is_no_number(baseline_ms: float, pto_ms: float) -> None:
    assert math.isnan(stats.ratio_pct(baseline_ms, pto_ms))


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=30))
def test_geomean_is_that_of_scipy(values: list[float]) -> None:
    assert stats.geomean(values) == pytest.approx(scipy_stats.gmean(values))
    assert math.isnan(stats.geomean([]))


def test_a_log_change_is_percent_of_what_was_before() -> None:
    assert stats.log_as_pct(math.log(1.08)) == pytest.approx(8.0)
    assert stats.log_as_pct(math.log(0.5)) == pytest.approx(-50.0)
    assert math.isnan(stats.log_as_pct(math.nan))
    assert stats.log_as_pct(1e4) == math.inf
