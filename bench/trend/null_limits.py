"""Tabulates the limits of the rank tests in `kreport.trend.cuts`: run after a change of them."""

import numpy as np

from kreport.trend import cuts
from kreport.trend.quiet import largest_episodes

ORDERS = 40_000


def limits(length: int) -> tuple[float, float]:
    """Of the largest difference over cuts and of the largest inner stretch, under random order."""
    random = np.random.default_rng(length)
    ranks = cuts.standardised(np.arange(1.0, length + 1))
    halves, episodes = [], []
    for _ in range(0, ORDERS, 500):
        orders = random.permuted(np.tile(ranks, (500, 1)), axis=1)
        halves.append(cuts.profile_of(orders, cuts.weights_of(length)).max(axis=1))
        episodes.append(largest_episodes(orders))
    return (
        float(np.quantile(np.concatenate(halves), 1 - cuts.alpha_of(length))),
        float(np.quantile(np.concatenate(episodes), 1 - cuts.EPISODE_ALPHA)),
    )


if __name__ == "__main__":
    for length in cuts.LENGTHS:
        print("{:5d}  cut {:.3f}  episode {:.3f}".format(length, *limits(length)), flush=True)
