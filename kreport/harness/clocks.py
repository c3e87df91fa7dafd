"""Opening clocks by their timer names."""

from __future__ import annotations

from collections.abc import Sequence

from kreport.errors import UsageError
from kreport.harness.clock import Clock, Work
from kreport.harness.environment import processor_name
from kreport.harness.host import HostClock

TIMERS = ("host", "event", "event_cold", "graph", "graph_cold")


def open_clocks(
    timers: Sequence[str], device: str, sync: Work | None
) -> tuple[tuple[Clock, ...], Work]:
    """Clocks for these timers on a torch device type ("" for none), and what waits for the device.

    `sync` stands in for a device that torch does not know. Raises `UsageError` for a timer that
    does not exist, one that needs a device where there is none, and a device torch cannot reach.
    """
    check_timers(timers)
    if not device:
        wrong = [timer for timer in timers if timer != "host"]
        if wrong:
            raise UsageError(
                f"timer {wrong[0]}: needs a suite with a device, such as Suite(device='cuda')"
            )
        wait = sync or (lambda: None)
        return (HostClock(processor_name(), wait),), wait

    from kreport.harness.device import open_device
    from kreport.harness.events import EventClock
    from kreport.harness.graph import GraphClock

    torch_device = open_device(device)
    clocks: list[Clock] = []
    for timer in timers:
        kind, _, cold = timer.partition("_")
        if kind == "host":
            clocks.append(HostClock(torch_device.name, torch_device.synchronize))
        elif kind == "event":
            clocks.append(EventClock(torch_device, flush=bool(cold)))
        else:
            clocks.append(GraphClock(torch_device, flush=bool(cold)))
    return tuple(clocks), torch_device.synchronize


def check_timers(timers: Sequence[str]) -> None:
    """Raise `UsageError` unless these are different names of clocks."""
    unknown = [timer for timer in timers if timer not in TIMERS]
    if unknown or not timers or len(set(timers)) != len(timers):
        found = ", ".join(timers) or "none"
        raise UsageError(f"timers: choose among {', '.join(TIMERS)}, each once, not {found}")
