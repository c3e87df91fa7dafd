"""Device clocks on a device of paper, where it is known how long everything takes."""

from __future__ import annotations

import pytest

from kreport.errors import UsageError
from kreport.harness import events
from kreport.harness.clock import NotTimeable
from kreport.harness.clocks import open_clocks
from kreport.harness.device import TorchDevice
from kreport.harness.events import EventClock
from kreport.harness.graph import CALLS_IN_GRAPH, GraphClock
from tests.harness.fake_torch import MB, FakeTorch


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> FakeTorch:
    fake = FakeTorch()
    monkeypatch.setattr(events.time, "perf_counter", fake.perf_counter)
    return fake


def opened(torch: FakeTorch) -> TorchDevice:
    return TorchDevice("fake", torch, torch)


def test_only_the_device_is_timed_where_launching_is_slower_than_the_kernel(
    torch: FakeTorch,
) -> None:
    """10 us of kernel launched in 50 us: 10 us with the queue kept full, the launch without."""
    kernel = torch.work("kernel", 10e-6, launch_s=50e-6)
    kept_full = EventClock(opened(torch), flush=False).samples_ms(kernel, 20)
    starved = EventClock(opened(torch), flush=False, fill_queue=False).samples_ms(kernel, 20)
    assert kept_full == pytest.approx([0.010] * 20)
    assert starved == pytest.approx([0.050] * 20)


def test_a_kernel_slower_than_its_launch_gets_no_ballast_between_its_samples(
    torch: FakeTorch,
) -> None:
    """Rest between samples lets a device at its power limit run faster than it does in use."""
    kernel = torch.work("kernel", 300e-6, launch_s=50e-6)
    clock = EventClock(opened(torch), flush=True)
    torch.queued.clear()
    assert clock.samples_ms(kernel, 100) == pytest.approx([0.300] * 100)
    assert torch.queued[-200:] == ["write", "kernel"] * 100
    assert len(torch.queued) < 220


def test_the_flushed_clock_overwrites_the_cache_before_every_sample(torch: FakeTorch) -> None:
    kernel = torch.work("kernel", 10e-6, cold_s=7e-6)
    clock = EventClock(opened(torch), flush=True)
    clock.warm_up(kernel, 3)
    assert clock.samples_ms(kernel, 5) == pytest.approx([0.017] * 5)
    assert torch.queued[-10:] == ["write", "kernel"] * 5
    assert clock.record.timer == "event_cold"


def test_the_warm_clock_finds_the_cache_warm_in_its_first_sample_too(torch: FakeTorch) -> None:
    """The ballast that fills the queue empties the cache: a call in between makes up for it."""
    clock = EventClock(opened(torch), flush=False)
    kernel = torch.work("kernel", 10e-6, cold_s=7e-6)
    assert clock.samples_ms(kernel, 5) == pytest.approx([0.010] * 5)
    assert clock.record.flushed_bytes == 0


@pytest.mark.parametrize(("l2_bytes", "flushed"), [(50 * MB, 200 * MB), (0, 256 * MB)])
def test_the_flush_is_sized_by_the_device(torch: FakeTorch, l2_bytes: int, flushed: int) -> None:
    """Four times its L2; a device that does not say is taken to have more than any known one."""
    torch.l2_bytes = l2_bytes
    clock = EventClock(opened(torch), flush=True)
    assert (clock.record.flushed_bytes, torch.ballast_bytes) == (flushed, flushed)


def test_a_graph_is_captured_once_and_its_replay_divided(torch: FakeTorch) -> None:
    clock = GraphClock(opened(torch), flush=False)
    replay = clock.prepare(torch.work("kernel", 10e-6))
    launched_before = torch.queued.count("kernel")
    assert clock.samples_ms(replay, 5) == pytest.approx([0.010] * 5)
    assert torch.queued.count("kernel") == launched_before
    assert (clock.record.timer, clock.record.calls_per_sample) == ("graph", CALLS_IN_GRAPH)


def test_a_flushed_graph_holds_one_call(torch: FakeTorch) -> None:
    clock = GraphClock(opened(torch), flush=True)
    replay = clock.prepare(torch.work("kernel", 10e-6))
    assert clock.samples_ms(replay, 3) == pytest.approx([0.010] * 3)
    assert (clock.record.timer, clock.record.calls_per_sample) == ("graph_cold", 1)


def test_work_that_no_graph_can_hold_is_not_timeable(torch: FakeTorch) -> None:
    def waits() -> None:
        if torch.capturing is not None:
            raise RuntimeError("operation not permitted when stream is capturing")

    with pytest.raises(NotTimeable, match="not permitted"):
        GraphClock(opened(torch), flush=False).prepare(waits)


def test_a_device_without_graphs_times_none(torch: FakeTorch) -> None:
    clock = GraphClock(TorchDevice("fake", torch, torch), flush=False)
    clock._device.kind = "npu"
    with pytest.raises(NotTimeable, match=r"torch\.npu has no graphs"):
        clock.prepare(torch.work("kernel", 10e-6))


def test_ballast_never_overfills_the_queue(torch: FakeTorch) -> None:
    opened(torch).keep_busy(3600.0)
    assert torch.queued.count("write") < 600


@pytest.mark.parametrize(
    ("timers", "words"),
    [
        (("event",), "needs a suite with a device"),
        (("host", "host"), "each once"),
        (("wall",), "choose among host, event, event_cold, graph, graph_cold"),
        ((), "not none"),
    ],
)
def test_timers_that_cannot_be_had_are_refused(timers: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        open_clocks(timers, "", None)


def test_a_device_that_torch_cannot_reach_is_refused() -> None:
    """Without torch that is what the message says, with it that the device is not there."""
    with pytest.raises(UsageError, match="device no_such_device: "):
        open_clocks(("host",), "no_such_device", None)


def test_a_host_suite_without_torch_has_the_host_clock() -> None:
    waited: list[int] = []
    (clock,), sync = open_clocks(("host",), "", lambda: waited.append(1))
    assert sync is not None
    samples = clock.samples_ms(clock.prepare(lambda: None), 4)
    assert (len(samples), len(waited)) == (4, 1 + 2 * 4)
    assert min(samples) >= 0
    assert (clock.record.timer, clock.record.flushed_bytes) == ("host", 0)
    assert 0 < clock.record.resolution_ms < 1
    assert clock.record.device
