"""Summaries of samples: quartiles, Tukey fences, ratios and their bands, the IQR comparison.

Arrays in, frozen dataclasses out. Quartiles are linear interpolations between order statistics
(Hyndman & Fan 1996, type 7: NumPy's default). Samples have to be finite numbers: a missing value
is the caller's to remove, and a non-finite one raises `UsageError`.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.errors import UsageError
from kreport.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

FEW_SAMPLES = 5
"""Quartiles of fewer numbers than this say little."""
TUKEY_FACTOR = 1.5
"""Reach of Tukey's fences beyond the quartiles, in IQRs."""
MAD_TO_SIGMA = 1.4826
"""Standard deviation of normal noise over its median absolute deviation."""
MEAN_DEVIATION_TO_SIGMA = 1.2533
"""Standard deviation of normal noise over its mean absolute deviation."""
MEDIAN_COST = math.pi / 2
"""Variance of a median of many over that of their mean."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Location and spread of one set of samples, in the unit of the samples."""

    n: int
    min: float
    max: float
    mean: float
    median: float
    q1: float
    q3: float
    iqr: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Outcome of comparing two sample sets by their IQRs.

    `speedup` is base median / new median: 2.0 means the new one takes half the time. It is NaN
    where the new median is zero.
    """

    verdict: Verdict
    speedup: float
    base: Summary
    new: Summary


def _as_samples(samples: ArrayLike) -> NDArray[np.float64]:
    try:
        values = np.asarray(samples, dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        raise UsageError(f"samples must be numbers: {error}") from error
    if values.size == 0:
        raise UsageError("no samples: at least one is needed")
    if not np.isfinite(values).all():
        position = int(np.flatnonzero(~np.isfinite(values))[0])
        raise UsageError(f"sample {position} is {values[position]}: samples must be finite")
    return values


def summarize(samples: ArrayLike) -> Summary:
    """Summarise samples by count, range, mean, median and quartiles.

    Args:
        samples: any shape, flattened; at least one finite number.

    Raises:
        UsageError: no samples, or one that is not a finite number.
    """
    values = _as_samples(samples)
    q1, median, q3 = (float(q) for q in np.quantile(values, (0.25, 0.5, 0.75)))
    return Summary(
        n=int(values.size),
        min=float(values.min()),
        max=float(values.max()),
        mean=float(values.mean()),
        median=median,
        q1=q1,
        q3=q3,
        iqr=q3 - q1,
    )


def outliers(samples: ArrayLike) -> tuple[int, ...]:
    """Positions of the samples outside the Tukey fences ``[q1 - 1.5 IQR, q3 + 1.5 IQR]``.

    The samples are flagged, never dropped: another process, a throttled clock and a first touch
    of memory all look like this. Source: Tukey, Exploratory Data Analysis (1977).

    Raises:
        UsageError: no samples, or one that is not a finite number.
    """
    values = _as_samples(samples)
    q1, q3 = np.quantile(values, (0.25, 0.75))
    reach = TUKEY_FACTOR * (q3 - q1)
    outside = (values < q1 - reach) | (values > q3 + reach)
    return tuple(int(position) for position in np.flatnonzero(outside))


def compare(base: ArrayLike, new: ArrayLike) -> Comparison:
    """Compare two sets of latencies by the rule of disjoint IQRs.

    `faster` or `slower` (meaning the new set) where ``[q1, q3]`` of the two do not meet, else
    `within noise`. The rule is easy to explain and, between two processes, not trustworthy: see
    `kreport.noise` for what a report should rest on.

    Raises:
        UsageError: no samples on a side, or one that is not a finite number.
    """
    base_summary, new_summary = summarize(base), summarize(new)
    verdict = iqr_verdict(
        (base_summary.q1, base_summary.q3),
        (new_summary.q1, new_summary.q3),
    )
    speedup = base_summary.median / new_summary.median if new_summary.median else math.nan
    return Comparison(verdict, speedup, base_summary, new_summary)


def iqr_verdict(base: tuple[float, float], new: tuple[float, float]) -> Verdict:
    """Decide between two ``(q1, q3)`` intervals of latencies; touching intervals overlap."""
    if new[1] < base[0]:
        return Verdict.FASTER
    if new[0] > base[1]:
        return Verdict.SLOWER
    return Verdict.WITHIN_NOISE


def ratio_pct(baseline_ms: float, pto_ms: float) -> float:
    """Baseline latency / PTO latency in percent; NaN unless both are finite and above zero."""
    usable = math.isfinite(baseline_ms) and math.isfinite(pto_ms) and baseline_ms > 0 < pto_ms
    return baseline_ms / pto_ms * 100.0 if usable else math.nan


def log_as_pct(log_change: float) -> float:
    """A change in log units as percent of what was before; NaN stays NaN, too much is infinite."""
    try:
        return math.expm1(log_change) * 100.0
    except OverflowError:
        return math.inf


def lowest_first(value: float) -> tuple[bool, float]:
    """Sort key of a number that may be missing: the lowest first, NaN last."""
    return (True, 0.0) if math.isnan(value) else (False, value)


def geomean(values: Iterable[float]) -> float:
    """Geometric mean of positive numbers; NaN where there are none."""
    logs = [math.log(value) for value in values]
    return math.exp(math.fsum(logs) / len(logs)) if logs else math.nan


def median_of(values: Sequence[float]) -> float:
    """Median of the finite numbers among `values`; NaN where there are none."""
    finite = [value for value in values if math.isfinite(value)]
    # Called for every case with a handful of runs: on so few numbers NumPy is 50 times slower.
    return float(statistics.median(finite)) if finite else math.nan
