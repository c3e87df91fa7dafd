"""Many kernels, many tests: the false alarms of a report as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def smallest_level(tests: int, report: float, case: float) -> float:
    """Level that the most surprising of `tests` cases has to reach."""
    return min(case, report / max(tests, 1))


def shown(p: NDArray[np.float64], report: float, case: float) -> NDArray[np.bool_]:
    """Which cases are shown to have changed, by Holm's step-down procedure.

    The chance of one or more false alarms among all tests stays below `report` whatever else
    moved, and no single test is looser than `case`, so that a report of few cases is no easier to
    alarm than a row of a long one. Source: Holm, Scand. J. Statist. 6 (1979). NaN was not tested.
    """
    result = np.zeros(p.shape, dtype=bool)
    tested = np.flatnonzero(np.isfinite(p))
    if tested.size == 0:
        return result
    order = tested[np.argsort(p[tested], kind="stable")]
    levels = np.minimum(case, report / np.arange(order.size, 0, -1))
    failed = np.flatnonzero(p[order] > levels)
    stop = int(failed[0]) if failed.size else order.size
    result[order[:stop]] = True
    # Equal evidence gets equal verdicts, wherever a tie happens to be cut.
    if 0 < stop < order.size:
        result[tested[p[tested] == p[order[stop]]]] = False
    return result
