"""Whether one stretch of a series holds a change, and where: two tests and a place.

Null hypothesis: the order of the runs means nothing, whatever the shape of the noise. So heavy
tails and single spikes cost power and never the false alarm rate. Short stretches, and the last 64
runs of long ones, are tested by permutation of clipped values; long ones by the largest
standardised Wilcoxon rank sum over all cuts (Pettitt 1979), whose null distribution depends on the
length alone and is tabulated. The place lies between the two levels by least clipped squares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from kreport.stats import MAD_TO_SIGMA, MEAN_DEVIATION_TO_SIGMA

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEWEST = 3
"""Runs a new level needs before it can be told from a spike."""

_LARGEST_ALPHA = 0.005
_SMALLEST_ALPHA = 0.0005
_LATEST_ALPHA = 0.001
EPISODE_ALPHA = 0.0005
"""Chances spent on the two further tests: for the latest runs and for an episode."""
_PERMUTATIONS = 1999
SHORT = 64
CLIP = 3.0
_REACH = 1.0
FAR_REACH = 8.0
"""Where values are clipped, in noise scales: close for noise with spikes, far for few but clear
runs of a new level."""
_LIKELY_NULL = 2.4
LIKELY_NULL_LATEST = 2.9
"""A largest z below these is rare at no length and need not be tested: of 12 runs, one order in
twenty exceeds the first, and of 20 one in eighty the second."""
LENGTHS = (16, 24, 32, 48, 64, 100, 200, 400, 800, 1600, 3200)
RANK_LIMITS = (3.02, 3.21, 3.32, 3.44, 3.61, 3.78, 4.09, 4.25, 4.35, 4.40, 4.46)
"""1 - `alpha_of` points of the largest standardised rank sum over all cuts."""
EPISODE_LIMITS = (3.34, 3.76, 3.99, 4.26, 4.32, 4.47, 4.66, 4.85, 5.02, 5.10, 5.22)
"""99.95 % points of the same for stretches with runs on both sides. Both from bench/trend."""
_PLACE_DROP = 8.0
"""Drop of cost, in squared noise scales, that a less likely place of a change may have."""


def alpha_of(n: int) -> float:
    """Chance spent on finding a change in `n` runs of one level.

    0.5 % up to 40 runs, where a change is hard to see; then less, as 1 / n: a large archive has
    thousands of long series, and in each of them even a small change stands out.
    """
    return max(_SMALLEST_ALPHA, _LARGEST_ALPHA * min(1.0, 40 / n))


def split_of(logs: Floats) -> int | None:
    """Where to cut this stretch in two; None where its order may be chance."""
    n = logs.size
    if n < 2 * FEWEST + 4:
        return None
    if n <= SHORT:
        place = _permutation_split(logs, _REACH, alpha_of(n))
    else:
        profile = profile_of(standardised(ranks_of(logs)), weights_of(n))
        rare = profile.max() > limit_of(n, RANK_LIMITS)
        place = int(profile.argmax()) + FEWEST if rare else None
    if place is None:
        # A handful of ranks is never rare among many, however far off the values are.
        place = _permutation_split(logs[-SHORT:], FAR_REACH, _LATEST_ALPHA)
        place = None if place is None else place + max(0, n - SHORT)
    if place is None:
        return None
    place = located(logs, place).place
    return place if _stands(logs, place) else None


def _stands(logs: Floats, place: int) -> bool:
    """Whether each side has enough runs nearer to its own level: two spikes are no level."""
    old, new = logs[:place], logs[place:]
    middle = (np.median(old) + np.median(new)) / 2.0
    up = np.median(new) > np.median(old)
    own_old = (old < middle) if up else (old > middle)
    own_new = (new > middle) if up else (new < middle)
    return bool(min(own_old.sum(), own_new.sum()) >= FEWEST)


def _permutation_split(logs: Floats, reach: float, alpha: float) -> int | None:
    """Permutation test of the largest difference between clipped values, over all cuts."""
    n = logs.size
    scores = standardised(clipped(logs, reach))
    profile = profile_of(scores, weights_of(n))
    largest = float(profile.max())
    if largest < (_LIKELY_NULL if alpha > _LATEST_ALPHA else LIKELY_NULL_LATEST):
        return None
    as_large = int((_largest_of_orders(scores) >= largest * (1 - 1e-12)).sum())
    if (1 + as_large) / (1 + _PERMUTATIONS) > alpha:
        return None
    return int(profile.argmax()) + FEWEST


def _largest_of_orders(scores: Floats) -> Floats:
    largest: Floats = profile_of(scores[_orders(scores.size)], weights_of(scores.size)).max(axis=1)
    return largest


def episode(logs: Floats) -> int | None:
    """First run of a stretch that differs from the runs before and after it; None where none does.

    A level that comes and goes hides from a single cut: both sides of it look alike.
    """
    n = logs.size
    if n < LENGTHS[0]:
        return None
    largest, start, length = _widest_episode(standardised(ranks_of(logs)))
    if largest <= limit_of(n, EPISODE_LIMITS):
        return None
    before = logs[: start + length]
    place = located(before, start).place
    return place if _stands(before, place) else None


def _widest_episode(scores: Floats) -> tuple[float, int, int]:
    """Largest standardised sum over inner stretches, with the start and length of that stretch."""
    n = scores.size
    sums = np.concatenate([[0.0], np.cumsum(scores)])
    best = (0.0, 0, 0)
    for length in episode_lengths(n):
        inner = np.abs(
            sums[length + FEWEST : n - FEWEST + 1] - sums[FEWEST : n - FEWEST - length + 1]
        )
        at = int(inner.argmax())
        z = float(inner[at]) * math.sqrt(n / (length * (n - length)))
        best = max(best, (z, at + FEWEST, length))
    return best


@lru_cache(maxsize=4096)
def episode_lengths(n: int) -> tuple[int, ...]:
    """Lengths about a quarter apart, up to what leaves runs on both sides."""
    lengths = [5]
    while lengths[-1] * 1.25 <= n - 2 * FEWEST:
        lengths.append(max(lengths[-1] + 1, int(lengths[-1] * 1.25)))
    return tuple(lengths)


def limit_of(n: int, limits: tuple[float, ...]) -> float:
    """One of the tabulated limits at `n` runs."""
    return float(np.interp(math.log(n), np.log(LENGTHS), limits))


def standardised(scores: Floats) -> Floats:
    """Mean 0, variance 1 along the last axis; all zero where nothing varies."""
    centred = scores - scores.mean(axis=-1, keepdims=True)
    spread = scores.std(axis=-1, ddof=1, keepdims=True)
    scaled: Floats = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
    return scaled


def profile_of(centred: Floats, weights: Floats) -> Floats:
    """|sum of the left side| x weight for every allowed cut, along the last axis."""
    sums = np.cumsum(centred, axis=-1)[..., FEWEST - 1 : -FEWEST]
    return np.abs(sums) * weights


@lru_cache(maxsize=4096)
def weights_of(n: int) -> Floats:
    """1 / standard deviation of the left sum under random order, for values of unit variance."""
    left = np.arange(FEWEST, n - FEWEST + 1, dtype=np.float64)
    return np.sqrt(n / (left * (n - left)))


@lru_cache(maxsize=64)
def _orders(n: int) -> NDArray[np.intp]:
    """The same random orders for every series of this length: reruns give the same answer."""
    random = np.random.default_rng(n)
    return random.permuted(np.tile(np.arange(n), (_PERMUTATIONS, 1)), axis=1)


def noise_scale(residuals: Floats) -> Floats:
    """Robust standard deviation along the last axis, which stays with length 1.

    From the median deviation (MAD), and from the mean one where most values are equal.
    """
    absolute = np.abs(residuals)
    scale: Floats = MAD_TO_SIGMA * np.median(absolute, axis=-1, keepdims=True)
    by_mean = MEAN_DEVIATION_TO_SIGMA * absolute.mean(axis=-1, keepdims=True)
    return np.where(scale > 0, scale, by_mean)


def clipped(logs: Floats, reach: float) -> Floats:
    """Values about their median, none further out than `reach` noise scales, on the last axis."""
    centred = logs - np.median(logs, axis=-1, keepdims=True)
    limit = reach * noise_scale(centred)
    return np.clip(centred, -limit, limit)


def ranks_of(logs: Floats) -> Floats:
    """Ranks, ties sharing their mean."""
    order = np.argsort(logs, kind="stable")
    ordered = logs[order]
    ranks = np.empty(logs.size)
    ranks[order] = np.arange(1.0, logs.size + 1.0)
    if (ordered[1:] == ordered[:-1]).any():
        _, inverse, counts = np.unique(logs, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    return ranks


@dataclass(frozen=True, slots=True)
class Place:
    """The first run of the new level, and the earliest and latest that it may likely be."""

    place: int
    earliest: int
    latest: int


def located(logs: Floats, guess: int) -> Place:
    """The cut that costs least between the levels left and right of it, and its likely range.

    The cost of a value is its squared distance from the level of its side, clipped, in units of
    the noise: near the best there is (least squares) for normal noise, and deaf to spikes.
    """
    n = logs.size
    place, cost = guess, np.zeros(n)
    for _ in range(3):
        left, right = np.median(logs[:place]), np.median(logs[place:])
        residuals = np.concatenate([logs[:place] - left, logs[place:] - right])
        scale = float(noise_scale(residuals)[0]) or 1e-9
        # What is further from a level than the other level is says no more for either.
        ceiling = max(CLIP, abs(right - left) / scale) ** 2
        gain = np.minimum(((logs - left) / scale) ** 2, ceiling)
        gain -= np.minimum(((logs - right) / scale) ** 2, ceiling)
        cost = np.cumsum(gain)[FEWEST - 1 : -FEWEST]
        found = int(cost.argmin()) + FEWEST
        if found == place:
            break
        place = found
    likely = np.flatnonzero(cost <= cost[place - FEWEST] + _PLACE_DROP) + FEWEST
    return Place(place, int(likely[0]), int(likely[-1]))
