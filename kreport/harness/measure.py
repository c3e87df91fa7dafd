"""`bench`: latencies of a callable, with the warm-up left out and every sample fenced by syncs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields

from kreport.harness.clock import Work
from kreport.harness.effort import MAX_REPEATS, MIN_REPEATS, check_effort
from kreport.harness.host import one_sample
from kreport.stats import Summary, summarize


@dataclass(frozen=True, slots=True)
class Measurement(Summary):
    """What `bench` saw: the samples in order, and their summary in the same unit."""

    samples: tuple[float, ...]


def bench(
    fn: Work,
    *,
    warmup: int = 25,
    repeats: int = 100,
    target_time: float | None = None,
    timer: Callable[[], float] = time.perf_counter,
    sync: Callable[[], object] = lambda: None,
) -> Measurement:
    """Time `fn` and keep every sample, in the unit of `timer` (seconds, unless told otherwise).

    Calls `fn` `warmup` times, syncs once so that no tail of the warm-up falls into a sample, then
    per sample: sync, start, call, sync, stop. That is ``1 + 2 * repeats`` syncs. An accelerator's
    launch returns before its work is done: without `sync` only the launch is timed.

    Where `target_time` is given it replaces `repeats`: samples are taken until their sum reaches
    it, but at least `MIN_REPEATS` and at most `MAX_REPEATS` of them. What `fn` raises passes
    through. Raises `UsageError` where a number is out of range, or a sample is not a finite number.
    """
    check_effort(warmup, repeats, target_time)
    for _ in range(warmup):
        fn()
    sync()
    samples: list[float] = []
    spent = 0.0
    while not _enough(len(samples), spent, repeats, target_time):
        samples.append(one_sample(fn, timer, sync))
        spent += samples[-1]
    summary = summarize(samples)
    return Measurement(
        **{part.name: getattr(summary, part.name) for part in fields(summary)},
        samples=tuple(samples),
    )


def _enough(taken: int, spent: float, repeats: int, target_time: float | None) -> bool:
    if target_time is None:
        return taken >= repeats
    return taken >= MAX_REPEATS or (taken >= MIN_REPEATS and spent >= target_time)
