"""The U test, held against SciPy."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from kreport.verdicts.ranks import mann_whitney_p

SETS = st.lists(st.integers(0, 1000), min_size=1, max_size=25)


@given(SETS, SETS)
def test_p_is_scipys(first: list[int], second: list[int]) -> None:
    one, other = np.array(first, float), np.array(second, float)
    if np.unique(np.concatenate([one, other])).size == 1:
        assert mann_whitney_p(one, other) == 1.0
        return
    expected = scipy.stats.mannwhitneyu(one, other, method="auto").pvalue
    assert mann_whitney_p(one, other) == pytest.approx(expected, rel=1e-9)


def test_the_exact_tail_of_five_against_five() -> None:
    one, other = np.arange(5.0), np.arange(5.0) + 10
    assert mann_whitney_p(one, other) == pytest.approx(2 / 252)


def test_nothing_to_test_is_not_a_number() -> None:
    assert np.isnan(mann_whitney_p(np.empty(0), np.ones(3)))
