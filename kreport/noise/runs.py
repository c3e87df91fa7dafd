"""The arrays that the noise model works on: one location per case, side and run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.stats import TUKEY_FACTOR

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


@dataclass(frozen=True, slots=True)
class Quantiles:
    """What is known of the samples of each run: milliseconds, (cases, runs), NaN where missing."""

    minimum: Floats
    q1: Floats
    median: Floats
    q3: Floats
    samples: Floats


def log_location(known: Quantiles, group: NDArray[np.int8]) -> Floats:
    """Log location of each run: the mean of the logs of its minimum, quartiles and median.

    A code that got slower by a factor moves all four alike. What passes from process to process
    (another placement in memory, two groups of samples whose shares change) moves some of them, and
    the mean of the four scatters less than the median alone. A minimum below Tukey's fence counts
    as the fence. A case has to do without the minimum where its runs have numbers of samples that
    are more than a factor of two apart, and with the median alone where a run of the groups that
    are compared lacks a quartile. `group` is (runs,).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        fence = known.q1 - TUKEY_FACTOR * (known.q3 - known.q1)
        least = np.log(np.maximum(known.minimum, fence))
        q1, median, q3 = (np.log(values) for values in (known.q1, known.median, known.q3))
    median[~np.isfinite(median)] = np.nan
    result = median.copy()
    for members in (group != PAST, group == PAST):
        if not members.any():
            continue
        absent = np.isnan(median[:, members])
        for mean, usable in (
            ((q1 + median + q3) / 3, np.ones(absent.shape[0], dtype=bool)),
            ((least + q1 + median + q3) / 4, _alike(known.samples[:, members])),
        ):
            part = mean[:, members]
            whole = usable & (np.isfinite(part) | absent).all(axis=1)
            result[np.ix_(whole, members)] = part[whole]
    return result


def _alike(samples: Floats) -> NDArray[np.bool_]:
    """Whether the sample counts of a case's runs are within a factor of two; unknown ones are."""
    ordered = np.sort(samples, axis=1)
    most = ordered[np.arange(ordered.shape[0]), np.maximum(row_count(ordered) - 1, 0)]
    with np.errstate(invalid="ignore"):
        return np.asarray(~(most > 2 * ordered[:, 0]))


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
