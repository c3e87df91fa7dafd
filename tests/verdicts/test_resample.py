"""The bootstrap of a ratio of medians."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from kreport.verdicts.resample import log_ratios, ratio_p

SETS = st.lists(st.floats(0.1, 10), min_size=2, max_size=30).map(np.array)


@given(SETS, SETS)
def test_swapping_the_sets_mirrors_the_draws(old: np.ndarray, new: np.ndarray) -> None:
    assert log_ratios(old, new) == pytest.approx(-log_ratios(new, old)[::-1], abs=1e-12)
    assert ratio_p(old, new) == ratio_p(new, old)


@given(SETS)
def test_a_set_against_itself_is_never_shown_to_differ(samples: np.ndarray) -> None:
    assert ratio_p(samples, samples) > 0.05


def test_an_empty_set_has_no_p_value() -> None:
    assert np.isnan(ratio_p(np.empty(0), np.array([1.0])))


def test_the_draws_are_those_of_resampling() -> None:
    """SciPy resamples in earnest; drawing ranks gives the same interval to a few percent."""
    rng = np.random.default_rng(3)
    old, new = rng.lognormal(0, 0.1, 60), rng.lognormal(0.1, 0.1, 60)

    def log_ratio(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.log(np.median(b, axis=axis) / np.median(a, axis=axis))

    expected = scipy.stats.bootstrap(
        (old, new), log_ratio, method="percentile", n_resamples=4000, rng=rng
    ).confidence_interval
    low, high = np.quantile(log_ratios(old, new), (0.025, 0.975))
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.015)
