"""The Mann-Whitney U test, two-sided, for two independent sets of numbers.

Exact where the smaller set has at most 8 numbers and nothing is tied, else the normal
approximation with correction for ties and continuity. Assumes exchangeable numbers within a set:
samples of one process are not that between processes, which is why the verdicts of single runs
stay unconfirmed. Source: Mann & Whitney, Ann. Math. Stat. 18 (1947).
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

EXACT_UP_TO = 8


def mann_whitney_p(first: Floats, second: Floats) -> float:
    """Two-sided p value; NaN where a set is empty, 1.0 where all numbers are the same."""
    n, m = first.size, second.size
    if n == 0 or m == 0:
        return math.nan
    both = np.concatenate([first, second])
    distinct, inverse, counts = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    u = float(ranks[:n].sum()) - n * (n + 1) / 2
    if distinct.size == both.size and min(n, m) <= EXACT_UP_TO:
        smaller = round(min(u, n * m - u))
        return min(1.0, 2 * float(_exact(min(n, m), max(n, m))[: smaller + 1].sum()))
    ties = float((counts**3 - counts).sum())
    total = n + m
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    z = max(abs(u - n * m / 2) - 0.5, 0.0) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))


@cache
def _exact(n: int, m: int) -> Floats:
    """Probabilities of U = 0 .. n m when both sets come from one distribution."""
    counts = np.zeros(n * m + 1)
    counts[0] = 1.0
    # The Gaussian binomial coefficient, one factor (1 - q^(m+i)) / (1 - q^i) at a time.
    for i in range(1, n + 1):
        for u in range(n * m, m + i - 1, -1):
            counts[u] -= counts[u - m - i]
        for u in range(i, n * m + 1):
            counts[u] += counts[u - i]
    return counts / math.comb(n + m, n)
