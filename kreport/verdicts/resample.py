"""A bootstrap test of the ratio of two medians.

The median of a resample is an order statistic of the samples at a rank that can be drawn at once
from a Beta distribution, so nothing has to be resampled (the smoothed bootstrap of a quantile;
Efron, Ann. Stat. 7 (1979), Hutson & Ernst, J. R. Stat. Soc. B 62 (2000)). The draws depend on the
sizes of the sets alone: no seed to choose, no order of cases that matters, and swapping
the sets mirrors the draws exactly.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWS = 1000
"""Of each of two mirrored halves."""
_SEED = 20260301


def log_ratios(old: Floats, new: Floats) -> Floats:
    """Draws of log(new median / old median), in ascending order.

    The samples are positive numbers, in any order, at least one a set.
    """
    logs = [np.log(np.sort(samples)) for samples in (old, new)]
    first = _at(logs[1], _positions(new.size, 1)) - _at(logs[0], _positions(old.size, 0))
    second = _at(logs[1], _positions(new.size, 0)) - _at(logs[0], _positions(old.size, 1))
    return np.sort(np.concatenate([first, second]))


def ratio_p(old: Floats, new: Floats) -> float:
    """Twice the smaller share of `log_ratios` beyond zero; NaN where a set is empty.

    Below 0.05 exactly where the 95 % percentile interval of the ratio leaves out 1, up to one draw.
    """
    if old.size == 0 or new.size == 0:
        return math.nan
    ratios = log_ratios(old, new)
    tail = min(float((ratios <= 0).mean()), float((ratios >= 0).mean()))
    return min(1.0, 2 * max(tail, 1 / ratios.size))


def _at(ordered: Floats, positions: Floats) -> Floats:
    return np.interp(positions, np.arange(ordered.size), ordered)


@cache
def _positions(n: int, stream: int) -> Floats:
    """Positions between order statistics at which the medians of resamples of n lie."""
    generator = np.random.Generator(np.random.PCG64([_SEED, n, stream]))
    share = generator.beta((n + 1) / 2, (n + 1) / 2, DRAWS)
    return np.clip(share * (n + 1) - 1, 0, n - 1)
