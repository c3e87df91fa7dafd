"""Tabulates the limits of the rank tests in `kreport.cuts`: run after a change of them."""

import numpy as np

from kreport import cuts

ORDERS = 40_000


def limits(length: int) -> tuple[float, float]:
    """Of the largest difference over cuts and of the largest inner stretch, under random order."""
    random = np.random.default_rng(length)
    ranks = cuts._standard(np.arange(1.0, length + 1))
    halves, episodes = [], []
    for _ in range(0, ORDERS, 500):
        orders = random.permuted(np.tile(ranks, (500, 1)), axis=1)
        halves.append(cuts._profile(orders, cuts._weights(length)).max(axis=1))
        episodes.append(largest_episodes(orders))
    return (
        float(np.quantile(np.concatenate(halves), 1 - cuts.alpha_of(length))),
        float(np.quantile(np.concatenate(episodes), 1 - cuts._EPISODE_ALPHA)),
    )


def largest_episodes(orders: np.ndarray) -> np.ndarray:
    """`kreport.cuts._widest_episode` for many orders at once."""
    n = orders.shape[1]
    few = cuts.FEWEST
    sums = np.concatenate([np.zeros((len(orders), 1)), np.cumsum(orders, axis=1)], axis=1)
    best = np.zeros(len(orders))
    for length in cuts._episode_lengths(n):
        inner = np.abs(sums[:, length + few : n - few + 1] - sums[:, few : n - few - length + 1])
        best = np.maximum(best, inner.max(axis=1) * np.sqrt(n / (length * (n - length))))
    return best


if __name__ == "__main__":
    for length in cuts._LENGTHS:
        print("{:5d}  cut {:.3f}  episode {:.3f}".format(length, *limits(length)), flush=True)
