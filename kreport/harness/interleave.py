"""Sampling both sides of a case in turns, so that a drifting machine drifts for both."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from functools import partial

from kreport.harness.clock import Clock, Work
from kreport.harness.effort import MIN_REPEATS, Effort, repeats_for
from kreport.model import Side

BLOCK = 10
"""Samples of one side in a row. Single samples would measure each side in the caches of the other;
all samples in a row would leave a slow second of the machine on one side alone."""
REWARM = 2
"""Untimed calls at the start of every later block, which put the side's own caches back."""


Sampler = Callable[[Side, Work, Callable[[], list[float]]], list[float] | None]
"""Called for every block with the side, what warms it up and what samples it; answers the samples,
or None where the side must stop."""


def interleave(
    clock: Clock, works: Mapping[Side, Work], effort: Effort, sample: Sampler
) -> dict[Side, list[float]]:
    """Take samples of prepared `works` in alternating blocks; latencies in ms, in order.

    Every block goes through `sample`, which decides what a failure means. A side it answers None
    for is out: it gets no key in the result. The side that begins a round changes every round.
    """
    taken: dict[Side, list[float]] = {side: [] for side in works}
    wanted = dict.fromkeys(works, effort.repeats if effort.target_ms is None else MIN_REPEATS)
    order = list(works)
    while any(len(samples) < wanted[side] for side, samples in taken.items()):
        for side in order:
            if side not in taken or len(taken[side]) >= wanted[side]:
                continue
            size = min(BLOCK, wanted[side] - len(taken[side]))
            warmup = effort.warmup if not taken[side] else min(REWARM, effort.warmup)
            work = works[side]
            block = sample(
                side, partial(clock.warm_up, work, warmup), partial(clock.samples_ms, work, size)
            )
            if block is None:
                del taken[side]
                continue
            taken[side] += block
            if effort.target_ms is not None:
                wanted[side] = repeats_for(effort.target_ms, statistics.median(taken[side]))
        order.reverse()
    return taken
