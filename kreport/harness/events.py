"""Device events: how long the device itself was busy with the work, by its own clock."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kreport.harness.clock import ClockRecord, Work
from kreport.harness.device import TorchDevice
from kreport.harness.environment import library_versions

_SAFETY = 2.0
"""The host may take this many times its usual time to queue a sample before the device waits."""
_QUEUED_SAMPLES = 20
"""Samples queued at once where each needs ballast of its own: a launch queue (about a thousand
launches) must hold them all, or queueing waits for the device and the device then for queueing."""
_PROBES = 3
"""Samples that tell how long queueing takes. The first after a wait is several times as slow."""
_HEAD_START_WRITES = 6


@dataclass(frozen=True, slots=True)
class _Pace:
    """How long one sample takes the host to queue, and keeps the device busy for sure."""

    slowest_s: float
    queueing_s: float
    busy_s: float

    @property
    def lacking_s(self) -> float:
        """Ballast that a sample needs so that the device is never done before the next is queued.

        None where the device is slow enough by itself. That matters beyond the queue: ballast is
        a rest for the arithmetic units, and a kernel that meets the power limit runs faster after
        one than it does in use.
        """
        return max(_SAFETY * self.queueing_s - self.busy_s, 0.0)


class EventClock:
    """Two device events around the work; what the host does in between is not in the number.

    Samples are queued behind ballast, so that the device never waits for Python: a gap in the
    queue would be timed as if it were the kernel. With `flush` the L2 is overwritten before every
    sample (timer ``event_cold``); without, the data of the call before is still there.
    """

    def __init__(self, device: TorchDevice, *, flush: bool, fill_queue: bool = True) -> None:
        self._device = device
        self._flush = flush
        self._fill_queue = fill_queue
        self._record = ClockRecord(
            timer="event_cold" if flush else "event",
            resolution_ms=device.smallest_step_ms(),
            device=device.name,
            flushed_bytes=device.flush_bytes if flush else 0,
            queue_kept_full=fill_queue,
            versions=dict(library_versions()),
        )

    @property
    def record(self) -> ClockRecord:
        """What the numbers of this clock mean."""
        return self._record

    def prepare(self, work: Work) -> Work:
        """The work as it is: events fit around any call."""
        return work

    def warm_up(self, work: Work, calls: int) -> None:
        """Call without timing, then wait until all of it is done."""
        for _ in range(calls):
            work()
        self._device.synchronize()

    def samples_ms(self, work: Work, repeats: int) -> list[float]:
        """Device time of `repeats` calls in milliseconds, as many queued at once as can be."""
        if not self._fill_queue:
            return self._queued_ms(work, repeats)
        pace = self._pace(work)
        at_once = _QUEUED_SAMPLES if pace.lacking_s else repeats
        samples: list[float] = []
        while len(samples) < repeats:
            size = min(at_once, repeats - len(samples))
            ballast_s = _SAFETY * pace.slowest_s + pace.lacking_s * size
            samples += self._queued_ms(work, size, ballast_s)
        return samples

    def _queued_ms(self, work: Work, repeats: int, ballast_s: float = 0.0) -> list[float]:
        """Samples that are all queued before the first is awaited."""
        device = self._device
        pairs = [(device.event(), device.event()) for _ in range(repeats)]
        device.keep_busy(ballast_s)
        if not self._flush:
            work()  # the ballast has emptied the cache that this clock wants warm
        for start, stop in pairs:
            self._queue_sample(start, work, stop)
        device.synchronize()
        return [float(start.elapsed_time(stop)) for start, stop in pairs]

    def _queue_sample(self, start: Any, work: Work, stop: Any) -> None:
        if self._flush:
            self._device.flush()
        start.record()
        work()
        stop.record()

    def _pace(self, work: Work) -> _Pace:
        """Times some samples on the host, and on the device where the host kept ahead of it."""
        device = self._device
        pairs = [(device.event(), device.event()) for _ in range(_PROBES)]
        device.synchronize()
        head_start_s = _HEAD_START_WRITES * device.write_s
        device.keep_busy(head_start_s)
        marks_s = [time.perf_counter()]
        for start, stop in pairs:
            self._queue_sample(start, work, stop)
            marks_s.append(time.perf_counter())
        device.synchronize()
        busy_s = device.write_s if self._flush else 0.0
        if marks_s[-1] - marks_s[0] < head_start_s:  # else a gap may be in the readings
            busy_s += min(float(start.elapsed_time(stop)) for start, stop in pairs) / 1e3
        took_s = [after - before for before, after in pairwise(marks_s)]
        return _Pace(max(took_s), statistics.median(took_s), busy_s)
