"""A device that exists on paper: a queue, a host that launches into it, and events between them.

Time passes only as scripted: a launch costs the host, the work costs the device, and the device
waits where the host has not launched yet. It stands in for ``torch`` and ``torch.cuda`` alike.
"""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace

MB = 1 << 20


class FakeTorch:
    """Seconds everywhere, as `time.perf_counter` has them; elapsed times in ms, as in torch."""

    int32 = "int32"
    __version__ = "2.0+fake"

    def __init__(self, *, launch_s=5e-6, write_s=100e-6, l2_bytes=50 * MB) -> None:
        self.launch_s, self.write_s, self.l2_bytes = launch_s, write_s, l2_bytes
        self.host_s = self.device_s = 0.0
        self.queued: list[str] = []
        self.cached = ""
        self.capturing: list[tuple[str, float]] | None = None

    def work(self, name: str, device_s: float, *, cold_s: float = 0.0, launch_s=None):
        """A kernel: takes `cold_s` longer where its data is not in the cache any more."""

        def launch() -> None:
            self._launch(name, device_s + (cold_s if self.cached != name else 0.0), launch_s)

        return launch

    def _launch(self, name: str, device_s: float, launch_s: float | None = None) -> None:
        if self.capturing is not None:
            self.capturing.append((name, device_s))
            return
        self.host_s += self.launch_s if launch_s is None else launch_s
        self.device_s = max(self.device_s, self.host_s) + device_s
        self.queued.append(name)
        self.cached = name

    # What kreport asks of torch and of its device module.

    def perf_counter(self) -> float:
        return self.host_s

    def empty(self, size: int, *, dtype: str, device: str) -> SimpleNamespace:
        assert (dtype, device) == ("int32", "fake")
        self.ballast_bytes = 4 * size
        return SimpleNamespace(zero_=lambda: self._launch("write", self.write_s))

    def current_device(self) -> int:
        return 0

    def get_device_properties(self, _index: int) -> SimpleNamespace:
        return SimpleNamespace(name="Fake 1", L2_cache_size=self.l2_bytes)

    def synchronize(self) -> None:
        self.host_s = self.device_s = max(self.host_s, self.device_s)

    def Event(self, *, enable_timing: bool) -> FakeEvent:  # noqa: N802 (torch's name)
        assert enable_timing
        return FakeEvent(self)

    def Stream(self) -> SimpleNamespace:  # noqa: N802 (torch's name)
        return self.current_stream()

    def current_stream(self) -> SimpleNamespace:
        return SimpleNamespace(wait_stream=lambda _other: None)

    @contextmanager
    def stream(self, _stream: object):
        yield

    def FAKEGraph(self) -> FakeGraph:  # noqa: N802 (torch's CUDAGraph, for this device)
        return FakeGraph(self)

    @contextmanager
    def graph(self, graph: FakeGraph):
        self.capturing = graph.kernels
        try:
            yield
        finally:
            self.capturing = None


class FakeEvent:
    def __init__(self, device: FakeTorch) -> None:
        self.device = device

    def record(self) -> None:
        self.device.device_s = max(self.device.device_s, self.device.host_s)
        self.at_s = self.device.device_s

    def elapsed_time(self, end: FakeEvent) -> float:
        return (end.at_s - self.at_s) * 1e3


class FakeGraph:
    def __init__(self, device: FakeTorch) -> None:
        self.device = device
        self.kernels: list[tuple[str, float]] = []

    def replay(self) -> None:
        self.device._launch("replay", sum(device_s for _, device_s in self.kernels))
