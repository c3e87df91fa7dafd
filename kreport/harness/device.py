"""A torch device with the few things that the device clocks need of it.

Written for any device module of torch that has events (``torch.cuda``, ``torch.npu``, ...) and
tried on CUDA devices only. torch is imported here, nowhere else.
"""

from __future__ import annotations

import math
from importlib import import_module
from itertools import pairwise
from typing import Any

from kreport.errors import UsageError

STATED_RESOLUTION_MS = 0.0005
"""What CUDA's documentation states for the time between two events, where none can be seen."""
FLUSH_FACTOR = 4
"""The flush writes this many times the L2: one L2's worth would leave what its replacement policy
favours."""
ASSUMED_L2_BYTES = 64 << 20
"""For a device that does not say: larger than that of any device known to us."""
_PROBES = 5
_STEPS_SEEN = 200
_MOST_BALLAST = 200
"""Writes queued at once: a launch queue holds about a thousand launches."""


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
