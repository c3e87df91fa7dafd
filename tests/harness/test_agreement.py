"""The default output check: what agrees, what does not, and what it says then."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kreport.harness.agreement import close, close_within


@given(
    arrays.arrays(
        np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.floats(-1e6, 1e6)
    )
)
def test_an_output_agrees_with_itself(output: np.ndarray) -> None:
    assert close(output, output.copy())


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        (None, "output is NoneType, not numbers"),
        ("garbage", "output is str, not numbers"),
        (np.zeros((2, 2)), "shape"),
        (np.array([1.0, 2.0, np.nan]), "1 of 3 elements differ, the first at \\(2,\\): nan"),
        (np.array([1.0, 2.1, 3.1]), "2 of 3 elements differ, the first at \\(1,\\): 2.1"),
    ],
)
def test_a_wrong_output_says_what_differs(actual: object, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        close(np.array([1.0, 2.0, 3.0]), actual)


def test_nan_agrees_with_nothing_and_infinity_with_itself() -> None:
    assert close(np.array([np.inf]), np.array([np.inf]))
    with pytest.raises(AssertionError):
        close(np.array([np.nan]), np.array([np.nan]))


def test_several_outputs_are_checked_in_turn() -> None:
    check = close_within(1e-6)
    assert check((np.ones(2), 3.0), [np.ones(2), 3.0])
    with pytest.raises(AssertionError, match="1 outputs, not 2"):
        check((np.ones(2), 3.0), [np.ones(2)])
    with pytest.raises(AssertionError, match="not a sequence"):
        check((np.ones(2), 3.0), 3.0)


def test_tolerance_is_relative_to_the_expected_value() -> None:
    assert close_within(0.01)(100.0, 100.9)
    with pytest.raises(AssertionError, match=r"101\.1 instead of 100\.0"):
        close_within(0.01)(100.0, 101.1)


def test_integers_and_booleans_must_agree_too() -> None:
    assert close(np.array([True, False]), np.array([1, 0]))
    with pytest.raises(AssertionError):
        close(np.array([2**53], dtype=np.int64), np.array([0], dtype=np.int64))
