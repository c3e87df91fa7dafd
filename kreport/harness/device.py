"""Device events: how long the device itself was busy with the work, by its own clock.

Written for any device module of torch that has events (``torch.cuda``, ``torch.npu``, ...) and
tried on CUDA devices only. torch is imported here and in `kreport.harness.graph`, nowhere else.
"""

from __future__ import annotations

import math
import time
from importlib import import_module
from itertools import pairwise
from typing import Any

from kreport.errors import UsageError
from kreport.harness.clock import ClockRecord, Work
from kreport.harness.environment import library_versions

STATED_RESOLUTION_MS = 0.0005
"""What CUDA's documentation states for the time between two events, where none can be seen."""
FLUSH_FACTOR = 4
"""The flush writes this many times the L2: one L2's worth would leave what its replacement policy
favours."""
ASSUMED_L2_BYTES = 64 << 20
"""For a device that does not say: larger than that of any device known to us."""
_PROBES = 5
_STEPS_SEEN = 200
_SAFETY = 2.0
"""The host may take this many times its usual time to queue a sample before the device waits."""
_MOST_BALLAST = 200
_QUEUED_SAMPLES = 20
"""Samples and writes queued at once: what a launch queue holds (about a thousand launches) must
hold them all, or queueing waits for the device and the device then for queueing."""


class TorchDevice:
    """One torch device, with the few things that the clocks need of it."""

    def __init__(self, kind: str, module: Any, torch: Any) -> None:
        self.kind = kind
        self.module = module
        properties = module.get_device_properties(module.current_device())
        self.name = str(getattr(properties, "name", "") or module.get_device_name())
        l2_bytes = int(getattr(properties, "L2_cache_size", 0)) or ASSUMED_L2_BYTES
        self.flush_bytes = FLUSH_FACTOR * l2_bytes
        self._ballast = torch.empty(self.flush_bytes // 4, dtype=torch.int32, device=kind)
        self.write_s = self._time_of_a_write()

    def event(self) -> Any:
        """A new event that keeps the time."""
        return self.module.Event(enable_timing=True)

    def synchronize(self) -> None:
        """Wait until everything queued on the device is done."""
        self.module.synchronize()

    def flush(self) -> None:
        """Queue a write so large that nothing else is left in the L2."""
        self._ballast.zero_()

    def keep_busy(self, seconds: float) -> None:
        """Queue work for about this long, so that what is queued next waits for the device."""
        for _ in range(min(math.ceil(seconds / self.write_s), _MOST_BALLAST)):
            self.flush()

    def smallest_step_ms(self) -> float:
        """The smallest difference above zero among readings of event pairs around nothing."""
        pairs = [(self.event(), self.event()) for _ in range(_STEPS_SEEN)]
        self.keep_busy(_PROBES * self.write_s)
        for start, stop in pairs:
            start.record()
            stop.record()
        self.synchronize()
        # Differences of single-precision readings: below a nanosecond they are rounding.
        read = sorted(round(float(start.elapsed_time(stop)), 6) for start, stop in pairs)
        steps = [after - before for before, after in pairwise(read) if after > before]
        return min(steps, default=STATED_RESOLUTION_MS)

    def _time_of_a_write(self) -> float:
        start, stop = self.event(), self.event()
        self.flush()
        start.record()
        for _ in range(_PROBES):
            self.flush()
        stop.record()
        self.synchronize()
        return max(float(start.elapsed_time(stop)) / 1e3 / _PROBES, 1e-6)


def open_device(kind: str) -> TorchDevice:
    """The current torch device of a type. Raises `UsageError` where torch cannot reach one."""
    try:
        torch: Any = import_module("torch")
    except ImportError as error:
        raise UsageError(f"device {kind}: its clocks need torch, which is not installed") from error
    module: Any = getattr(torch, kind, None)
    if module is None or not hasattr(module, "Event"):
        raise UsageError(f"device {kind}: this torch ({torch.__version__}) has no such device")
    if not module.is_available():
        raise UsageError(f"device {kind}: torch ({torch.__version__}) finds none on this machine")
    return TorchDevice(kind, module, torch)


class EventClock:
    """Two device events around the work; what the host does in between is not in the number.

    All samples of a block are queued behind ballast, so that the device never waits for Python:
    a gap in the queue would be timed as if it were the kernel. With `flush` the L2 is overwritten
    before every sample (timer ``event_cold``); without, the data of the call before is still there.
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
        """Device time of `repeats` calls in milliseconds, queued some at a time."""
        samples: list[float] = []
        while len(samples) < repeats:
            samples += self._queued_ms(work, min(_QUEUED_SAMPLES, repeats - len(samples)))
        return samples

    def _queued_ms(self, work: Work, repeats: int) -> list[float]:
        """Samples that are all queued before the first is awaited."""
        device = self._device
        pairs = [(device.event(), device.event()) for _ in range(repeats)]
        if self._fill_queue:
            device.keep_busy(self._ballast_s(self._queueing_s(work), repeats))
        if not self._flush:
            work()  # the ballast has emptied the cache that this clock wants warm
        for start, stop in pairs:
            if self._flush:
                device.flush()
            start.record()
            work()
            stop.record()
        device.synchronize()
        return [float(start.elapsed_time(stop)) for start, stop in pairs]

    def _ballast_s(self, queueing_s: float, repeats: int) -> float:
        """How much longer queueing the samples may take than the device is sure to be busy.

        Each flush keeps it busy; how long the work does is not known yet, so it does not count.
        """
        busy_s = self._device.write_s if self._flush else 0.0
        return _SAFETY * queueing_s + max(_SAFETY * queueing_s - busy_s, 0.0) * repeats

    def _queueing_s(self, work: Work) -> float:
        """Host time that one sample takes to queue, on a device that is idle."""
        start, stop = self._device.event(), self._device.event()
        self._device.synchronize()
        began = time.perf_counter()
        if self._flush:
            self._device.flush()
        start.record()
        work()
        stop.record()
        took = time.perf_counter() - began
        self._device.synchronize()
        return took
