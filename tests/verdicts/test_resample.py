"""The bootstrap interval of a ratio of medians."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from kreport.verdicts.resample import ratio_interval

SETS = st.lists(st.floats(0.1, 10), min_size=2, max_size=30).map(np.array)


@given(SETS, SETS)
def test_swapping_the_sets_mirrors_the_interval(old: np.ndarray, new: np.ndarray) -> None:
    one, other = ratio_interval(old, new), ratio_interval(new, old)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)
    assert one.p_value == other.p_value


@given(SETS)
def test_a_set_against_itself_is_never_shown_to_differ(samples: np.ndarray) -> None:
    found = ratio_interval(samples, samples)
    assert found.low <= 0 <= found.high
    assert found.p_value > 0.05


def test_the_interval_is_that_of_resampling() -> None:
    """SciPy resamples in earnest; drawing ranks gives the same interval to a few percent."""
    rng = np.random.default_rng(3)
    old, new = rng.lognormal(0, 0.1, 60), rng.lognormal(0.1, 0.1, 60)

    def log_ratio(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.log(np.median(b, axis=axis) / np.median(a, axis=axis))

    expected = scipy.stats.bootstrap(
        (old, new), log_ratio, method="percentile", n_resamples=4000, rng=rng
    ).confidence_interval
    found = ratio_interval(old, new)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.015)
