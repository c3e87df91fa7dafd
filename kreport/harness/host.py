"""The host clock: end to end, from before the call until the device is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from kreport.harness.clock import ClockRecord, Work

T = TypeVar("T", int, float)

_READINGS = 10_000
_NS_IN_MS = 1e6


class HostClock:
    """`time.perf_counter_ns` around the call and a sync: launch, work and waiting together.

    For short work on a device most of it is launch and Python; say so when you quote it.
    """

    def __init__(
        self,
        device: str,
        sync: Callable[[], object] = lambda: None,
        timer_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self._sync = sync
        self._timer_ns = timer_ns
        self._record = ClockRecord(
            timer="host", resolution_ms=smallest_step_ns(timer_ns) / _NS_IN_MS, device=device
        )

    @property
    def record(self) -> ClockRecord:
        """What the numbers of this clock mean."""
        return self._record

    def prepare(self, work: Work) -> Work:
        """The work as it is: this clock times any call."""
        return work

    def warm_up(self, work: Work, calls: int) -> None:
        """Call without timing, then wait until all of it is done."""
        for _ in range(calls):
            work()
        self._sync()

    def samples_ms(self, work: Work, repeats: int) -> list[float]:
        """Latencies of `repeats` calls in milliseconds."""
        # Not through `bench`: its summary would cost more than the samples of a block.
        self._sync()
        samples_ns = [one_sample(work, self._timer_ns, self._sync) for _ in range(repeats)]
        return [sample_ns / _NS_IN_MS for sample_ns in samples_ns]


def one_sample(fn: Work, timer: Callable[[], T], sync: Callable[[], object]) -> T:
    """Sync, start, call, sync, stop: one call's duration in the unit of the timer."""
    sync()
    start = timer()
    fn()
    sync()
    return timer() - start


def smallest_step_ns(timer_ns: Callable[[], int]) -> int:
    """The smallest difference above zero between readings of a timer that ticks in ns.

    0 where it never moved: then its step is not known (or time stands still, as in a test).
    """
    smallest = 0
    last = timer_ns()
    for _ in range(_READINGS):
        now = timer_ns()
        if now > last:
            smallest = min(smallest or now - last, now - last)
        last = now
    return smallest
