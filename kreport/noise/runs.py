"""The arrays that the noise model works on: one location per case, side and run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

OLD, NEW, PAST = 0, 1, 2
"""Groups of runs. `PAST` runs only teach how much a case scatters."""


@dataclass(frozen=True, slots=True)
class SideRuns:
    """One side of the cases on one clock: float64 arrays of shape (cases, runs), NaN = missing.

    `median` and `location` are natural logarithms of milliseconds; `location` is what the model
    compares (see `log_location`). `spread` is log(q3 / q1) within the run, `samples` their count,
    `step` the resolution of the clock relative to the median.
    """

    median: Floats
    location: Floats
    spread: Floats
    samples: Floats
    step: Floats


@dataclass(frozen=True, slots=True)
class CaseRuns:
    """Both sides of the cases of one clock. `group` (runs,) says `OLD`, `NEW` or `PAST`."""

    baseline: SideRuns
    pto: SideRuns
    group: NDArray[np.int8]

    def of_group(self, values: Floats, group: int) -> Floats:
        """Columns of `values` (cases, runs) whose run belongs to `group`."""
        return values[:, self.group == group]


def log_location(median: Floats, q1: Floats, q3: Floats, group: NDArray[np.int8]) -> Floats:
    """Log location of each run: the mean of the logs of both quartiles and the median.

    Quartiles repeat from process to process as well as the median does, and their errors are
    partly independent of its, so the mean of the three scatters less, above all where samples
    fall in two groups. A change of the code by a factor moves all three alike. The median stands
    alone for a case that lacks a quartile in some run of the groups that it is compared in.

    Medians and quartiles are milliseconds, (cases, runs), NaN where missing; `group` is (runs,).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(median)
        mean = (np.log(q1) + logs + np.log(q3)) / 3
    logs[~np.isfinite(logs)] = np.nan
    result = logs.copy()
    for members in (group != PAST, group == PAST):
        if members.any():
            part = mean[:, members]
            whole = (np.isfinite(part) | np.isnan(logs[:, members])).all(axis=1)
            result[np.ix_(whole, members)] = part[whole]
    return result


def row_median(values: Floats) -> Floats:
    """Median of the finite numbers of each row; NaN for a row without any."""
    if values.shape[1] == 0:
        return np.full(values.shape[0], np.nan)
    ordered = np.sort(values, axis=1)  # NaN sorts last
    n = np.isfinite(ordered).sum(axis=1)
    rows = np.arange(values.shape[0])
    low = ordered[rows, np.maximum(n - 1, 0) // 2]
    high = ordered[rows, np.minimum(n // 2, values.shape[1] - 1)]
    return np.where(n > 0, (low + high) / 2, np.nan)


def row_count(values: Floats) -> NDArray[np.int64]:
    """How many finite numbers each row has."""
    return np.asarray(np.isfinite(values).sum(axis=1), dtype=np.int64)
