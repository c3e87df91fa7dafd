"""How far a case scatters from run to run, steadied by what all other cases show.

Ten runs know the scatter of one case badly: a case whose runs happened to agree looks precise and
then alarms. So the variance of a case is a mean of its own and of what cases of its latency
show on this clock, weighed by degrees of freedom (empirical Bayes; Smyth, Stat. Appl. Genet. 3
(2004)). Short kernels scatter more than long ones, by a power law that the cases themselves give.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.noise.runs import PAST
from kreport.stats import MAD_TO_SIGMA

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.noise.runs import Floats

TREND_WEIGHT = 24.0
"""Degrees of freedom that the other cases weigh, where there are cases enough."""
SESSION_SCATTER = 0.012
"""Run-to-run scatter (log units) that the other cases never claim to be below: sessions differ by
about this much in ways that the runs of one session cannot show."""
OWN_SHARE = 0.5
"""Part of its own variance that no case is ever talked out of."""
SMALLEST = 1e-4
"""Scatter below this is the clock's rounding, as far as the power law is concerned."""
BINS = 32
OUTLYING_STEP = 5.0


@dataclass(frozen=True, slots=True)
class Scatter:
    """Run-to-run standard deviation per case in log units, NaN where nobody can say.

    `own` is what the case's runs alone say and `df` their degrees of freedom, `trend` what cases
    of its latency say; `sigma` is what the model uses. `weight` (0 to 1) says how much the other
    cases know: 1 where they have degrees of freedom enough for all of `TREND_WEIGHT`.
    """

    sigma: Floats
    own: Floats
    trend: Floats
    df: NDArray[np.int64]
    weight: float


def pooled_variance(location: Floats, group: NDArray[np.int8]) -> tuple[Floats, NDArray[np.int64]]:
    """Variance within the groups of runs, and its degrees of freedom, per case.

    Old and new runs are each taken about their own mean, so that a change between them is no
    noise. Past runs, in which the code may have changed, count by the differences between
    successive ones, without those that are steps (von Neumann, Ann. Math. Stat. 12 (1941)).
    """
    total = np.zeros(location.shape[0])
    df = np.zeros(location.shape[0], dtype=np.int64)
    for name in np.unique(group):
        part = location[:, group == name]
        squares, degrees = _successive(part) if name == PAST else _about_mean(part)
        total, df = total + squares, df + degrees
    return np.where(df > 0, total / np.maximum(df, 1), np.nan), df


def _about_mean(part: Floats) -> tuple[Floats, NDArray[np.int64]]:
    ordered = np.sort(part, axis=1)  # the order of runs must not reach the last bit
    known = np.isfinite(ordered)
    n = known.sum(axis=1)
    values = np.where(known, ordered, 0.0)
    mean = values.sum(axis=1) / np.maximum(n, 1)
    squares = (np.where(known, values - mean[:, None], 0.0) ** 2).sum(axis=1)
    return squares, np.maximum(n - 1, 0)


def _successive(part: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Half the squared differences of runs that follow each other, steps left out."""
    squares, degrees = np.zeros(part.shape[0]), np.zeros(part.shape[0], dtype=np.int64)
    for row, values in enumerate(part):
        series = values[np.isfinite(values)]
        if series.size < 3:
            continue
        steps = np.abs(np.diff(series))
        reach = OUTLYING_STEP * max(MAD_TO_SIGMA * float(np.median(steps)), SMALLEST)
        kept = np.sort(steps[steps <= reach])
        squares[row] = float((kept**2).sum()) / 2
        degrees[row] = kept.size
    return squares, degrees


def scatter_of(
    variances: tuple[Floats, Floats],
    dfs: tuple[NDArray[np.int64], NDArray[np.int64]],
    levels: tuple[Floats, Floats],
) -> tuple[Scatter, Scatter]:
    """Steady the variances of both sides (baseline, port) by the trend over all of them.

    `levels` are log latencies. Cases without degrees of freedom get NaN.
    """
    variance, df = np.concatenate(variances), np.concatenate(dfs)
    level = np.concatenate(levels)
    known = (df > 0) & np.isfinite(level)
    trend = _trend(variance[known], level[known], level)
    weight = min(TREND_WEIGHT, float(df[known].sum()) / 2)
    own = np.nan_to_num(variance)
    steadied = (weight * (trend**2 + SESSION_SCATTER**2) + df * own) / np.maximum(weight + df, 1e-9)
    sigma = np.sqrt(np.maximum(steadied, OWN_SHARE * own))
    sigma[df == 0] = np.nan
    split = variances[0].size
    baseline, pto = (
        Scatter(sigma[part], np.sqrt(variance[part]), trend[part], df[part], weight / TREND_WEIGHT)
        for part in (slice(None, split), slice(split, None))
    )
    return baseline, pto


def _trend(variance: Floats, level: Floats, wanted: Floats) -> Floats:
    """Typical scatter at the `wanted` log latencies: a power law, slope between -1 and 0.

    Theil and Sen's line through medians over bins of equal count, so that no outlying case bends
    it. Slope 0 is noise in proportion to the latency, -1 is a constant noise in time.
    """
    if variance.size == 0:
        return np.full(wanted.shape, np.nan)
    scatter = np.log(np.maximum(np.sqrt(variance), SMALLEST))
    order = np.lexsort((scatter, level))
    bins = np.array_split(order, min(BINS, order.size))
    x = np.array([np.median(level[members]) for members in bins])
    y = np.array([np.median(scatter[members]) for members in bins])
    first, second = np.triu_indices(x.size, 1)
    apart = (x[second] - x[first]) > 0.2
    slopes = ((y[second] - y[first]) / np.where(apart, x[second] - x[first], 1.0))[apart]
    slope = float(np.clip(np.median(slopes), -1.0, 0.0)) if slopes.size else 0.0
    offset = float(np.median(y - slope * x))
    return np.exp(offset + slope * np.nan_to_num(wanted, nan=float(np.median(x))))
