"""Graph replay: the work captured once and replayed, so that its launches cost next to nothing.

Like `kreport.harness.device`, written for any torch device with graphs and tried on CUDA only.
"""

from __future__ import annotations

from dataclasses import replace

from kreport.harness.clock import ClockRecord, NotTimeable, Work
from kreport.harness.device import TorchDevice
from kreport.harness.events import EventClock

CALLS_IN_GRAPH = 10
"""Calls captured together where the cache stays warm: launching a graph takes some microseconds of
device time, and dividing makes that small. A flush belongs before every call, so then it is one."""
_CALLS_BEFORE_CAPTURE = 3


class GraphClock:
    """Device events around replays of a captured graph (``graph``, ``graph_cold`` with a flush)."""

    def __init__(self, device: TorchDevice, *, flush: bool) -> None:
        self._device = device
        self._events = EventClock(device, flush=flush)
        self._calls = 1 if flush else CALLS_IN_GRAPH
        self._record = replace(
            self._events.record,
            timer="graph_cold" if flush else "graph",
            calls_per_sample=self._calls,
            resolution_ms=self._events.record.resolution_ms / self._calls,
        )

    @property
    def record(self) -> ClockRecord:
        """What the numbers of this clock mean."""
        return self._record

    def prepare(self, work: Work) -> Work:
        """Capture the work; the replay is what is timed.

        Raises `NotTimeable` where the device has no graphs or the work cannot be captured (it
        waits for the device, or moves data from the host).
        """
        module, kind = self._device.module, self._device.kind.upper()
        graph_type = getattr(module, f"{kind}Graph", None)
        if graph_type is None:
            raise NotTimeable(f"torch.{self._device.kind} has no graphs")
        graph = graph_type()
        try:
            # Capture wants a stream of its own, on which lazy set-up has happened before.
            side_stream = module.Stream()
            side_stream.wait_stream(module.current_stream())
            with module.stream(side_stream):
                for _ in range(_CALLS_BEFORE_CAPTURE):
                    work()
            module.current_stream().wait_stream(side_stream)
            self._device.synchronize()
            with module.graph(graph):
                for _ in range(self._calls):
                    work()
            self._device.synchronize()
        except RuntimeError as error:
            raise NotTimeable(f"cannot be captured in a graph: {error}") from error
        replay: Work = graph.replay
        return replay

    def warm_up(self, work: Work, calls: int) -> None:
        """Replay without timing, then wait until all of it is done."""
        self._events.warm_up(work, calls)

    def samples_ms(self, work: Work, repeats: int) -> list[float]:
        """Device time per call in milliseconds, of `repeats` replays."""
        return [sample / self._calls for sample in self._events.samples_ms(work, repeats)]
