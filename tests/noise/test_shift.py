"""What moved a whole run: drift, constant overhead, and what must never be explained away."""

import math

import numpy as np
import pytest

from kreport.noise import CaseRuns, NoiseLimits, changes_of
from kreport.noise.shift import shift_of
from tests.noise.builders import groups, moved, same_code, side

MINIMUM = math.log(1.01)


def _runs(old: int = 10, new: int = 1, cases: int = 18, seed: int = 3) -> CaseRuns:
    return same_code(np.random.default_rng(seed), cases, old, new)


@pytest.mark.parametrize(("old", "new"), [(10, 1), (1, 10), (3, 3), (1, 1)])
def test_a_uniform_shift_is_one_drift_and_no_kernels_alarm(old: int, new: int) -> None:
    by = math.log(1.15)
    runs = moved(_runs(old, new), baseline=by, pto=by)
    found = changes_of(runs, NoiseLimits())
    assert found.shift.is_drift
    assert found.shift.old_to_new == pytest.approx(by, abs=0.01)
    assert not found.pto.is_shown.any()
    assert not found.baseline.is_shown.any()
    assert np.median(found.pto.change) == pytest.approx(0.0, abs=0.01)


def test_a_shift_of_all_ports_alone_is_never_explained_away() -> None:
    found = changes_of(moved(_runs(), pto=math.log(1.10)), NoiseLimits())
    assert not found.shift.is_drift
    assert found.pto.is_shown.all()


def test_a_shift_of_all_baselines_alone_does_not_make_the_ports_faster() -> None:
    """A new vendor library is no drift: the ports did not move, and are not said to have."""
    found = changes_of(moved(_runs(), baseline=math.log(1.15)), NoiseLimits())
    assert found.shift.baselines_alone
    assert not found.pto.is_shown.any()
    assert found.baseline.is_shown.all()


def test_same_code_seldom_shows_a_drift() -> None:
    banners = sum(shift_of(_runs(10, 1, seed=s), MINIMUM).is_drift for s in range(200))
    assert banners <= 3


def test_a_constant_cost_of_every_call_is_read_off_the_baselines() -> None:
    """0.3 us more on every call moves a 5 us kernel by 6 % and a 500 us kernel not at all."""
    runs = _runs()
    extra = np.zeros(runs.group.size)
    extra[[2, 5, 10]] = 0.0003

    def slowed(log_median: np.ndarray) -> np.ndarray:
        return np.log(np.exp(log_median) + extra)

    costly = CaseRuns(side(slowed(runs.baseline.median)), side(slowed(runs.pto.median)), runs.group)
    found = changes_of(costly, NoiseLimits())
    assert not found.pto.is_shown.any()
    assert found.shift.overhead[10] - found.shift.overhead[0] == pytest.approx(0.06, abs=0.02)


def test_two_baselines_are_too_few_to_tell() -> None:
    found = shift_of(moved(_runs(cases=2), baseline=0.3, pto=0.3), MINIMUM)
    assert not found.is_drift
    assert math.isnan(found.old_to_new)
    assert not found.drift.any()


def test_ports_without_any_baseline_are_compared_as_they_are() -> None:
    runs = _runs()
    lonely = CaseRuns(side(np.full(runs.baseline.median.shape, np.nan)), runs.pto, groups(10, 1))
    found = changes_of(moved(lonely, pto=0.2), NoiseLimits())
    assert found.pto.is_shown.all()
