"""From raw samples to one summary a side: quartiles, outliers, clock steps, odd shapes; vectorised.

Quartiles are linear interpolations between order statistics (Hyndman & Fan 1996, type 7), as
NumPy's default; outliers lie beyond Tukey's fences (1.5 IQR). `kreport.stats` does the same for
one set of samples; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.model import Notice
from kreport.stats import FEW_SAMPLES, TUKEY_FACTOR

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MANY_OUTLIERS = 0.1
"""Share of samples beyond the fences from which the case says so."""
COARSE_STEP = 0.01
"""Clock step, as a share of the median, from which the clock is called coarse."""
_SAME = 1e-9
"""Relative difference below which two samples are one reading of the clock."""
_SLOW_FACTOR = 1.2
_FAR_FENCE = 3.0
_MODE_SHARE = 0.2
"""Each of two groups of samples holds at least this share."""


@dataclass(frozen=True, slots=True)
class GroupedSamples:
    """Samples of all groups, group after group, sorted inside each.

    Group ``g`` is ``values[start[g]:stop[g]]``; an empty slice is a group without samples.
    """

    values: Floats
    start: Ints
    stop: Ints

    @property
    def n(self) -> Ints:
        """Samples of each group."""
        return self.stop - self.start


def group_samples(values: Floats, groups: Ints, count: int) -> GroupedSamples:
    """Sort samples into `count` groups; `groups` says which group each sample is in."""
    sizes = np.bincount(groups, minlength=count).astype(np.int64)
    stop = np.cumsum(sizes)
    if (groups[1:] < groups[:-1]).any():
        together = np.argsort(groups, kind="stable")
        values, groups = values[together], groups[together]
    some = sizes[sizes > 0]
    if (some == some[:1]).all():  # the usual case, ten times as fast
        ordered = np.sort(values.reshape(len(some), -1) if len(some) else values, axis=-1).ravel()
    else:
        ordered = values[np.lexsort((values, groups))]
    return GroupedSamples(ordered, stop - sizes, stop)


def quantile(samples: GroupedSamples, share: float) -> Floats:
    """Return the quantile of every group (type 7); NaN for groups without samples."""
    n = samples.n
    result = np.full(len(n), np.nan)
    some = n > 0
    position = (n[some] - 1) * share
    below = np.floor(position).astype(np.int64)
    above = np.minimum(below + 1, n[some] - 1)
    low = samples.values[samples.start[some] + below]
    high = samples.values[samples.start[some] + above]
    fraction = position - below
    # NumPy's own form of the interpolation, so that the last digit agrees too
    result[some] = np.where(
        fraction < 0.5, low + (high - low) * fraction, high - (high - low) * (1 - fraction)
    )
    return result


def summaries(samples: GroupedSamples) -> dict[str, Floats]:
    """Return the columns of `kreport.schema.SIDE_NUMBERS` for every group, in ms and counts."""
    q1, median, q3 = (quantile(samples, share) for share in (0.25, 0.5, 0.75))
    low = q1 - TUKEY_FACTOR * (q3 - q1)
    high = q3 + TUKEY_FACTOR * (q3 - q1)
    beyond = samples.values < _spread(low, samples)
    beyond |= samples.values > _spread(high, samples)
    n = samples.n.astype(np.float64)
    return {
        "n": n,
        "median_ms": median,
        "mean_ms": np.divide(
            _per_group(np.add, samples.values, samples), n, out=np.full(len(n), np.nan), where=n > 0
        ),
        "q1_ms": q1,
        "q3_ms": q3,
        "min_ms": quantile(samples, 0.0),
        "max_ms": quantile(samples, 1.0),
        "resolution_ms": clock_steps(samples),
        "outliers": np.where(n > 0, _per_group(np.add, beyond.astype(np.float64), samples), np.nan),
    }


def clock_steps(samples: GroupedSamples) -> Floats:
    """Smallest difference between distinct samples of each group; NaN where all are alike."""
    steps = np.full(len(samples.values), np.inf)
    if len(steps) > 1:
        steps[1:] = np.diff(samples.values)
        steps[1:][steps[1:] <= _SAME * samples.values[1:]] = np.inf
    steps[samples.start[samples.n > 0]] = np.inf
    smallest = _per_group(np.minimum, steps, samples, empty=np.inf)
    found = np.where(np.isfinite(smallest), smallest, np.nan)
    return np.array([float(f"{step:.6g}") for step in found])  # 1e-06, not 9.99999999997e-07


def _spread(per_group: Floats, samples: GroupedSamples) -> Floats:
    return np.repeat(per_group, samples.n)


def _per_group(
    function: np.ufunc, values: Floats, samples: GroupedSamples, empty: float = 0.0
) -> Floats:
    """Reduce `values` by group; groups without samples give `empty`."""
    result = np.full(len(samples.start), empty)
    some = samples.n > 0
    if some.any():
        result[some] = function.reduceat(values, samples.start[some])
    return result


def shape_notices(
    samples: GroupedSamples, numbers: dict[str, Floats], first: Floats
) -> dict[Notice, Flags]:
    """Say which groups have a shape that deserves a footnote.

    `first` is the first sample of each group in time. It is slow where it lies beyond the far
    fence (3 IQR) and a fifth above the median.
    """
    n, median = numbers["n"], numbers["median_ms"]
    iqr = numbers["q3_ms"] - numbers["q1_ms"]
    return {
        Notice.FEW_SAMPLES: (n > 0) & (n < FEW_SAMPLES),
        Notice.OUTLIERS: (n >= FEW_SAMPLES) & (numbers["outliers"] > MANY_OUTLIERS * n),
        Notice.SLOW_START: (n >= FEW_SAMPLES)
        & (first > numbers["q3_ms"] + _FAR_FENCE * iqr)
        & (first > _SLOW_FACTOR * median),
        Notice.TWO_MODES: two_modes(samples, median),
        Notice.COARSE_CLOCK: numbers["resolution_ms"] > COARSE_STEP * median,
    }


def two_modes(samples: GroupedSamples, median: Floats) -> Flags:
    """Whether the samples fall into two groups with a gap between them.

    The widest gap among the middle samples (a fifth on either side left out) must be wider than
    the spread of both parts (each without its outer tenth) and than 2 % of the median.
    """
    n = samples.n
    gaps = np.zeros(len(samples.values))
    if len(gaps) > 1:
        gaps[1:] = np.diff(samples.values)
    rank = np.arange(len(gaps))
    rank -= np.repeat(samples.start, n)
    margin = np.maximum(np.ceil(n * _MODE_SHARE), 2).astype(np.int64)
    gaps[rank < np.repeat(margin, n)] = 0
    gaps[rank > np.repeat(n - margin, n)] = 0
    widest = _per_group(np.maximum, gaps, samples)
    candidates = (n >= 4 * FEW_SAMPLES) & (widest > 0.02 * median)
    found = np.zeros(len(n), dtype=bool)
    for group in np.flatnonzero(candidates).tolist():
        own = samples.values[samples.start[group] : samples.stop[group]]
        cut = int(np.argmax(gaps[samples.start[group] : samples.stop[group]]))
        spreads = [
            part[len(part) - 1 - len(part) // 10] - part[len(part) // 10]
            for part in (own[:cut], own[cut:])
        ]
        found[group] = widest[group] > max(spreads)
    return found
