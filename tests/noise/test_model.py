"""The noise model as a whole: symmetries that hold by construction, and what it finds."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kreport.noise import CaseRuns, NoiseLimits, changes_of
from kreport.noise.model import Changes
from kreport.noise.runs import Quantiles, log_location
from tests.noise.builders import groups, moved, same_code, side

LIMITS = NoiseLimits()
SIZES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 8))


def _set(seed: int, cases: int, old: int, new: int) -> CaseRuns:
    rng = np.random.default_rng(seed)
    runs = same_code(rng, cases, old, new, sigma=0.02)
    return moved(runs, baseline=rng.choice([0, 0.1]), pto=rng.choice([0, 0.1, -0.3], cases))


def _swapped(runs: CaseRuns) -> CaseRuns:
    return CaseRuns(runs.baseline, runs.pto, np.array([1, 0, 2], np.int8)[runs.group])


def _assert_mirrored(one: Changes, other: Changes) -> None:
    for a, b in ((one.baseline, other.baseline), (one.pto, other.pto)):
        assert a.change == pytest.approx(-b.change, abs=1e-12, nan_ok=True)
        assert a.p_value == pytest.approx(b.p_value, nan_ok=True)
        assert a.is_shown.tolist() == b.is_shown.tolist()
        assert a.detectable == pytest.approx(b.detectable, nan_ok=True)
    assert one.shift.is_drift == other.shift.is_drift


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), SIZES)
def test_swapping_old_and_new_mirrors_everything(seed: int, size: tuple[int, int, int]) -> None:
    runs = _set(seed, *size)
    _assert_mirrored(changes_of(runs, LIMITS), changes_of(_swapped(runs), LIMITS))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), SIZES)
def test_order_of_cases_and_runs_does_not_matter(seed: int, size: tuple[int, int, int]) -> None:
    runs = _set(seed, *size)
    rng = np.random.default_rng(seed)
    cases = rng.permutation(size[0])
    columns = rng.permutation(runs.group.size)
    shuffled = CaseRuns(
        side(runs.baseline.median[np.ix_(cases, columns)]),
        side(runs.pto.median[np.ix_(cases, columns)]),
        runs.group[columns],
    )
    one, other = changes_of(runs, LIMITS).pto, changes_of(shuffled, LIMITS).pto
    assert one.change[cases] == pytest.approx(other.change, abs=1e-9)
    assert one.is_shown[cases].tolist() == other.is_shown.tolist()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), SIZES, st.floats(-10, 10))
def test_the_unit_of_time_does_not_matter(
    seed: int, size: tuple[int, int, int], unit: float
) -> None:
    runs = _set(seed, *size)
    scaled = CaseRuns(side(runs.baseline.median + unit), side(runs.pto.median + unit), runs.group)
    one, other = changes_of(runs, LIMITS).pto, changes_of(scaled, LIMITS).pto
    assert one.change == pytest.approx(other.change, abs=1e-9)
    assert one.is_shown.tolist() == other.is_shown.tolist()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 10), st.integers(1, 8))
def test_a_set_against_itself_never_alarms(seed: int, cases: int, count: int) -> None:
    runs = _set(seed, cases, count, count)
    twice = CaseRuns(
        *(side(np.tile(values.median[:, :count], 2)) for values in (runs.baseline, runs.pto)),
        groups(count, count),
    )
    found = changes_of(twice, LIMITS)
    assert not found.pto.is_shown.any()
    assert not found.baseline.is_shown.any()
    assert not found.shift.is_drift


def test_one_run_on_each_side_says_nothing_about_runs() -> None:
    found = changes_of(_set(1, 5, 1, 1), LIMITS).pto
    assert np.isnan(found.p_value).all()
    assert np.isnan(found.detectable).all()
    assert not found.is_shown.any()


def test_two_runs_of_a_few_cases_are_no_ground_for_an_alarm() -> None:
    """Processes that land on one of two levels: two old ones that agree prove nothing."""
    rng = np.random.default_rng(17)
    alarms = 0
    for _ in range(100):
        runs = same_code(rng, 3, 2, 1, sigma=0.005)
        levels = np.where(rng.random((3, 3)) < 0.4, 0.25, 0.0)
        two_levels = CaseRuns(runs.baseline, side(runs.pto.median + levels), runs.group)
        alarms += int(changes_of(two_levels, LIMITS).pto.is_shown.sum())
    assert alarms <= 3


def test_past_runs_teach_the_scatter_of_single_runs() -> None:
    """One run against one run, told apart by what nine earlier runs scattered."""
    rng = np.random.default_rng(5)
    runs = same_code(rng, 12, 1, 10, sigma=0.01)
    group = groups(1, 1, 9)
    past = CaseRuns(runs.baseline, runs.pto, group)
    assert not changes_of(past, LIMITS).pto.is_shown.any()
    slower = moved(past, pto=np.array([0.2] + [0.0] * 11))
    assert changes_of(slower, LIMITS).pto.is_shown.tolist() == [True] + [False] * 11


def test_few_runs_make_wide_bands_and_several_new_runs_narrow_ones() -> None:
    rng = np.random.default_rng(7)
    detectable = {
        counts: float(np.median(changes_of(same_code(rng, 20, *counts), LIMITS).pto.detectable))
        for counts in ((2, 1), (5, 1), (10, 1), (10, 3), (10, 10))
    }
    assert list(detectable.values()) == sorted(detectable.values(), reverse=True)


def test_same_code_rarely_alarms_and_a_plain_change_is_found() -> None:
    """Normal noise of 1 %: the report-wide level of 5 % holds, and +10 % is seen nearly always."""
    rng = np.random.default_rng(11)
    alarmed, found = 0, 0
    for _ in range(100):
        runs = same_code(rng, 20, 10, 1)
        alarmed += changes_of(runs, LIMITS).pto.is_shown.any()
        found += changes_of(moved(runs, pto=math.log(1.10)), LIMITS).pto.is_shown.sum()
    assert alarmed <= 8
    assert found >= 0.95 * 100 * 20


def test_the_printed_effect_is_found_in_four_cases_of_five() -> None:
    rng = np.random.default_rng(13)
    hits = []
    for _ in range(60):
        runs = same_code(rng, 20, 5, 2, sigma=0.03)
        clean = changes_of(runs, LIMITS).pto
        hits.append(clean.change + clean.detectable > clean.band)
    assert np.mean(hits) >= 0.8


def test_a_change_below_the_clocks_step_stays_in_the_band() -> None:
    level = np.full((1, 6), math.log(0.001))
    runs = CaseRuns(side(level), side(level), groups(5, 1))
    coarse = CaseRuns(
        runs.baseline,
        type(runs.pto)(level, level, runs.pto.spread, runs.pto.samples, np.full(level.shape, 0.5)),
        runs.group,
    )
    assert changes_of(coarse, LIMITS).pto.band[0] > changes_of(runs, LIMITS).pto.band[0]


def test_location_falls_back_to_the_median_for_a_case_that_lacks_quartiles() -> None:
    median = np.array([[1.0, 1.0], [1.0, 1.0]])
    q1 = np.array([[0.5, 0.5], [0.5, np.nan]])
    q3 = np.array([[4.0, 4.0], [4.0, 4.0]])
    unknown = np.full((2, 2), np.nan)
    found = log_location(Quantiles(unknown, q1, median, q3, unknown), groups(1, 1))
    assert found[0] == pytest.approx([math.log(2) / 3] * 2)
    assert found[1] == pytest.approx([0.0, 0.0])


def _location(minimum: float, samples: tuple[float, float]) -> float:
    one = np.ones((1, 2))
    known = Quantiles(one * minimum, one * 0.9, one, one * 1.1, np.array([samples]))
    return float(log_location(known, groups(1, 1))[0, 0])


def test_the_minimum_counts_where_runs_have_like_numbers_of_samples() -> None:
    three = (math.log(0.9) + math.log(1.1)) / 3
    assert _location(0.8, (100, 150)) == pytest.approx((3 * three + math.log(0.8)) / 4)
    assert _location(0.8, (100, 1000)) == pytest.approx(three)


def test_a_minimum_below_the_fence_counts_as_the_fence() -> None:
    """One glitch of the clock in a hundred samples does not make a kernel faster."""
    assert _location(1e-9, (100, 100)) == pytest.approx(_location(0.6, (100, 100)))


def test_a_factor_on_all_samples_moves_the_location_by_itself() -> None:
    one = np.array([[1.0, 1.25]])
    known = Quantiles(one * 0.8, one * 0.9, one, one * 1.1, one * 0 + 100)
    old, new = log_location(known, groups(1, 1))[0]
    assert new - old == pytest.approx(math.log(1.25))
