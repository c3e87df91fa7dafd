"""Which of many series surely hold no change: the tests of `kreport.trend.cuts` on many at once.

Most series of a large archive are quiet. One that passes here is not looked at any further; one
that does not may still be quiet, and is looked at on its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kreport.trend.cuts import (
    EPISODE_LIMITS,
    FAR_REACH,
    FEWEST,
    LIKELY_NULL_LATEST,
    RANK_LIMITS,
    SHORT,
    clipped,
    episode_lengths,
    limit_of,
    profile_of,
    ranks_of,
    standardised,
    weights_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_ROWS_AT_ONCE = 256
"""Two megabytes of a thousand runs each: what fits the cache of a processor."""


def surely_quiet(logs: Floats) -> Flags:
    """Per row of finite logs, whether `kreport.trend.cuts` finds no cut in it.

    False for all rows of up to 64 runs, which only permutation can judge.
    """
    rows, n = logs.shape
    if n <= SHORT:
        return np.zeros(rows, dtype=np.bool_)
    parts = [_quiet(logs[i : i + _ROWS_AT_ONCE]) for i in range(0, rows, _ROWS_AT_ONCE)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _quiet(logs: Floats) -> Flags:
    n = logs.shape[1]
    order = np.argsort(logs, axis=1)
    ordered = np.take_along_axis(logs, order, axis=1)
    ranks = np.empty_like(logs)
    np.put_along_axis(ranks, order, np.arange(1.0, n + 1.0)[None, :], axis=1)
    for row in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)):
        ranks[row] = ranks_of(logs[row])
    scores = standardised(ranks)
    quiet: Flags = profile_of(scores, weights_of(n)).max(axis=1) <= limit_of(n, RANK_LIMITS)
    quiet &= largest_episodes(scores) <= limit_of(n, EPISODE_LIMITS)
    latest = standardised(clipped(logs[:, -SHORT:], FAR_REACH))
    quiet &= profile_of(latest, weights_of(SHORT)).max(axis=1) < LIKELY_NULL_LATEST
    return quiet


def largest_episodes(scores: Floats) -> Floats:
    """Per row of standardised scores, the largest standardised sum over inner stretches."""
    rows, n = scores.shape
    sums = np.concatenate([np.zeros((rows, 1)), np.cumsum(scores, axis=1)], axis=1)
    best = np.zeros(rows)
    for length in episode_lengths(n):
        ends = sums[:, length + FEWEST : n - FEWEST + 1]
        inner = np.abs(ends - sums[:, FEWEST : n - FEWEST - length + 1])
        best = np.maximum(best, inner.max(axis=1) * np.sqrt(n / (length * (n - length))))
    return best
