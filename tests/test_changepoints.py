"""Levels, spikes, slopes and noise: what is called a change, and what never is."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kreport.trend.changepoints import Course, course, courses, stretches


def noisy(levels: list[tuple[float, int]], noise: float = 0.03, seed: int = 3) -> np.ndarray:
    """Stretches of ``(level, runs)`` under multiplicative normal noise."""
    random = np.random.default_rng(seed)
    level = np.concatenate([np.full(runs, level) for level, runs in levels])
    return level * np.exp(random.normal(0, noise, level.size))


def places(found: Course) -> list[int]:
    return [point.index for point in found.change_points]


@pytest.mark.parametrize("side", [40, 200])
def test_a_clear_step_is_found_where_it_is(side):
    """Old and new level and the change come out, for short and long series."""
    (point,) = course(noisy([(10, side), (12, side)])).change_points
    assert abs(point.index - side) <= 1
    assert point.earliest <= side <= point.latest
    assert point.before == pytest.approx(10, rel=0.02)
    assert point.after == pytest.approx(12, rel=0.02)
    assert point.change_pct == pytest.approx(20, abs=2)


def test_up_and_down_again_are_two_changes():
    """A regression that was mended shows both its ends."""
    assert places(course(noisy([(10, 40), (13, 30), (10, 40)]))) == [40, 70]


@pytest.mark.parametrize(("before", "bad"), [(12, 5), (20, 4), (50, 3), (150, 3), (900, 3)])
def test_a_few_runs_of_a_large_change_are_enough(before, bad):
    """The night after the third bad run says so; a young archive needs one or two more."""
    assert places(course(noisy([(10, before), (14, bad)]))) == [before]


@pytest.mark.parametrize("length", [20, 60, 150])
@pytest.mark.parametrize("spikes", [1, 2])
def test_spikes_are_no_change(length, spikes):
    """One late run, or two in a row, even at the very end, do not make a new level."""
    for at in (length // 2, length - spikes):
        values = noisy([(10, length)])
        values[at : at + spikes] *= 5
        assert course(values).change_points == ()


@pytest.mark.parametrize("length", [5, 20, 64, 65, 300])
@pytest.mark.parametrize("noise", ["student", "lognormal spikes", "two clock ticks", "equal"])
def test_flat_noise_rarely_alarms(length, noise):
    """Under 1 % of flat series, whatever the tails; equal values never."""
    random = np.random.default_rng(length)
    alarms = 0
    for _ in range(300):
        logs = {
            "student": 0.03 * random.standard_t(3, length),
            "lognormal spikes": random.normal(0, 0.03, length)
            + (random.random(length) < 0.05) * random.lognormal(-1.6, 0.7, length),
            "two clock ticks": np.round(random.random(length)) * 0.01,
            "equal": np.zeros(length),
        }[noise]
        alarms += bool(course(np.exp(logs)).change_points)
    assert alarms <= (0 if noise == "equal" else 5)


def test_a_slope_is_a_creep_and_no_staircase():
    """Steady loss over a hundred runs is one statement with its total."""
    random = np.random.default_rng(1)
    values = 10 * np.exp(np.linspace(0, 0.2, 100) + random.normal(0, 0.02, 100))
    found = course(values)
    assert found.change_points == ()
    (creep,) = found.creeps
    assert (creep.start, creep.stop) == (0, 100)
    assert creep.change_pct == pytest.approx(22, abs=3)


def test_a_step_is_no_creep():
    """Nor is a step with a flat stretch on each side a slope."""
    for seed in range(30):
        assert course(noisy([(10, 30), (11, 30)], seed=seed)).creeps == ()


def test_changes_below_the_smallest_effect_are_left_out():
    """A tenth of a percent on a perfect clock is real and does not matter."""
    values = noisy([(10, 40), (10.01, 40)], noise=1e-5)
    assert course(values).change_points == ()
    assert places(course(values, min_effect_pct=0.05)) == [40]


def test_stretches_cover_the_series():
    """Between the change points, oldest first, nothing left out."""
    values = noisy([(10, 40), (13, 30), (10, 40)])
    assert [(s.start, s.stop) for s in stretches(course(values), values.size)] == [
        (0, 40), (40, 70), (70, 110),
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan, np.inf])
def test_a_missing_or_impossible_level_is_refused(wrong):
    """Missing runs are the caller's to drop: a gap filled with a number would be an invention."""
    with pytest.raises(ValueError, match="finite and positive"):
        course([1.0] * 10 + [wrong])


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0.01, 1e3), max_size=90),
    st.floats(1e-3, 1e3),
)
def test_the_unit_does_not_matter(values, factor):
    """Microseconds and milliseconds change at the same runs."""
    scaled = course(np.array(values) * factor)
    assert places(scaled) == places(course(values))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.01, 1e3), max_size=90))
def test_change_points_are_ordered_and_inside(values):
    """Each level has at least three runs, and each range holds its place."""
    found = course(values)
    edges = [0, *places(found), len(values)]
    assert all(b - a >= 3 for a, b in pairwise(edges)) or len(edges) == 2
    assert all(p.earliest <= p.index <= p.latest for p in found.change_points)


@pytest.mark.parametrize("length", [40, 65, 300])
def test_many_series_at_once_are_what_each_is_alone(length):
    """Steps, episodes, spikes, late changes, ties, gaps and quiet noise, in one table."""
    random = np.random.default_rng(length)
    rows = np.exp(random.normal(0, 0.03, (400, length)))
    rows[::4] *= np.exp(np.outer(random.normal(0, 0.1, 100), np.arange(length) > length // 3))
    rows[1::8, length // 3 : length // 2] *= 1.1
    rows[2::8, -3:] *= 1.4
    rows[3::8, length // 2] *= 9
    rows[5::8] = np.round(rows[5::8], 2)
    rows[6::8, ::7] = np.nan
    alone = [course(row[np.isfinite(row)]) for row in rows]
    assert courses(rows) == alone
    assert 0 < sum(bool(found.change_points) for found in alone) < 300
