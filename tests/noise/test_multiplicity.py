"""False alarms of a report as a whole."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kreport.noise.multiplicity import shown, smallest_level


def test_one_strong_case_among_many_weak_ones() -> None:
    p = np.array([0.5, 0.0001, np.nan, 0.04])
    assert shown(p, 0.05, 0.003).tolist() == [False, True, False, False]


def test_stepping_down_shows_more_than_one_level_for_all_would() -> None:
    """With four tests 0.014 misses 0.05 / 4, but passes once the three stronger ones are shown."""
    p = np.array([0.001, 0.002, 0.003, 0.014])
    assert shown(p, 0.05, 0.05).all()


def test_a_report_of_one_case_is_no_easier_to_alarm() -> None:
    assert not shown(np.array([0.01]), 0.05, 0.003).any()
    assert smallest_level(1, 0.05, 0.003) == 0.003
    assert smallest_level(100, 0.05, 0.003) == 0.0005


@given(st.lists(st.floats(0, 1) | st.just(float("nan")), max_size=30), st.randoms())
def test_row_order_does_not_matter(values: list[float], random: object) -> None:
    p = np.array(values)
    order = list(range(len(values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert shown(p[order], 0.05, 0.003).tolist() == shown(p, 0.05, 0.003)[order].tolist()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_never_looser_than_a_single_test_nor_stricter_than_bonferroni(values: list[float]) -> None:
    p = np.array(values)
    found = shown(p, 0.05, 0.003)
    assert not found[p > 0.003].any()
    assert found[p < smallest_level(p.size, 0.05, 0.003)].all()
