"""Student's t, held against SciPy."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from kreport.noise.student import critical, two_sided_p


@given(st.floats(-60, 60), st.integers(1, 200))
def test_tail_probability_is_scipys(t: float, df: int) -> None:
    expected = 2 * scipy.stats.t.sf(abs(t), df)
    assert two_sided_p(t, df) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("p", [0.5, 0.05, 0.003, 1e-5, 1e-9])
def test_critical_value_is_scipys(p: float) -> None:
    df = np.array([1.0, 2.0, 3.0, 8.0, 12.0, 50.0])
    assert critical(p, df) == pytest.approx(scipy.stats.t.isf(p / 2, df), rel=1e-7)


def test_unknown_degrees_of_freedom_stay_unknown() -> None:
    """A case without replicated runs must not get a number from anywhere."""
    assert np.isnan(critical(0.01, np.array([np.nan, 3.0]))).tolist() == [True, False]
    assert np.isnan(two_sided_p([1.0, np.nan, np.inf], [np.nan, 3.0, 3.0])).tolist() == [
        True,
        True,
        False,
    ]
