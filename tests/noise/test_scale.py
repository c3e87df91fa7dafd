"""How far a case scatters from run to run."""

import numpy as np
import pytest

from kreport.noise.scale import SESSION_SCATTER, pooled_variance, scatter_of
from tests.noise.builders import groups


def test_a_change_between_the_groups_is_no_noise() -> None:
    location = np.array([[0.0, 0.02, 1.0, 1.02]])
    variance, df = pooled_variance(location, groups(2, 2))
    assert variance[0] == pytest.approx(0.0002)
    assert df[0] == 2


def test_a_step_of_the_code_in_the_past_is_no_noise() -> None:
    """Nine past runs with one step of 50 % in the middle scatter as much as without it."""
    rng = np.random.default_rng(1)
    past = rng.normal(0, 0.01, (1, 20))
    stepped = past + np.where(np.arange(20) < 10, 0.0, 0.5)
    plain, _ = pooled_variance(past, groups(0, 0, 20))
    with_step, df = pooled_variance(stepped, groups(0, 0, 20))
    assert with_step[0] == pytest.approx(plain[0], rel=0.2)
    assert df[0] == 18


def test_missing_runs_only_cost_degrees_of_freedom() -> None:
    variance, df = pooled_variance(
        np.array([[0.0, np.nan, 0.2, 5.0], [np.nan, np.nan, 1.0, 1.0]]), groups(3, 1)
    )
    assert variance[0] == pytest.approx(0.02)
    assert df.tolist() == [1, 0]
    assert np.isnan(variance[1])


def _scatter(variance: np.ndarray, df: int, level: np.ndarray) -> np.ndarray:
    none = np.empty(0)
    both = scatter_of(
        (none, variance),
        (np.empty(0, np.int64), np.full(variance.size, df)),
        (none, level),
    )
    return both[1].sigma


def test_a_case_that_happened_to_agree_is_not_believed() -> None:
    """One of forty cases shows no scatter at all in three runs; its neighbours say otherwise."""
    level = np.linspace(0, 1, 40)
    variance = np.full(40, 0.03**2)
    variance[7] = 0.0
    sigma = _scatter(variance, 2, level)
    assert sigma[7] > 0.025


def test_a_case_known_for_its_scatter_keeps_most_of_it() -> None:
    variance = np.full(40, 0.001**2)
    variance[7] = 0.2**2
    sigma = _scatter(variance, 9, np.linspace(0, 1, 40))
    assert sigma[7] >= np.sqrt(0.5) * 0.2
    assert SESSION_SCATTER * 0.7 < np.delete(sigma, 7).max() < SESSION_SCATTER * 1.2


def test_short_kernels_are_expected_to_scatter_more() -> None:
    """Noise that is constant in time: slope -1 on the log latency."""
    level = np.linspace(0, 4, 40)
    sigma = _scatter((0.2 * np.exp(-level)) ** 2, 9, level)
    assert sigma[0] == pytest.approx(0.2, rel=0.05)
    assert sigma[-1] < 0.02
