"""Run sets made up for the noise model."""

from __future__ import annotations

import numpy as np

from kreport.noise import CaseRuns, SideRuns


def side(log_medians: np.ndarray, spread: float = 0.02, samples: float = 100.0) -> SideRuns:
    """A side whose quartiles lie evenly about its medians."""
    shape = log_medians.shape
    return SideRuns(
        median=log_medians,
        location=log_medians,
        spread=np.full(shape, spread),
        samples=np.full(shape, samples),
        step=np.full(shape, np.nan),
    )


def groups(old: int, new: int, past: int = 0) -> np.ndarray:
    return np.array([0] * old + [1] * new + [2] * past, dtype=np.int8)


def same_code(
    rng: np.random.Generator, cases: int, old: int, new: int, sigma: float = 0.01
) -> CaseRuns:
    """Cases between 5 and 500 microseconds, the same code in every run."""
    level = np.log(np.geomspace(0.005, 0.5, cases))[:, None]
    runs = old + new
    baseline, pto = (level + rng.normal(0, sigma, (cases, runs)) for _ in range(2))
    return CaseRuns(side(baseline), side(pto), groups(old, new))


def moved(runs: CaseRuns, *, baseline: float = 0.0, pto: float | np.ndarray = 0.0) -> CaseRuns:
    """The same runs, with this much added to the new ones in log units."""
    new = (runs.group == 1).astype(float)

    def shifted(values: np.ndarray, by: float | np.ndarray) -> np.ndarray:
        return values + np.broadcast_to(by, values.shape[:1])[:, None] * new

    return CaseRuns(
        side(shifted(runs.baseline.median, baseline)),
        side(shifted(runs.pto.median, pto)),
        runs.group,
    )
