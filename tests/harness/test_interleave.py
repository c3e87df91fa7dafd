"""Sides take turns in blocks, so that what the machine does over time happens to both."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kreport import FakeClock
from kreport.harness.clock import ClockRecord, Work
from kreport.harness.effort import Effort, repeats_for
from kreport.harness.host import HostClock
from kreport.harness.interleave import BLOCK, interleave
from kreport.model import Side

SIDES = (Side.BASELINE, Side.PTO)


class NotingClock:
    """Remembers what it was asked to do; every sample takes what `pace_ms` says."""

    record = ClockRecord("host", 0.0, "paper")

    def __init__(self, pace_ms: float = 1.0) -> None:
        self.log: list[tuple[str, Side, int]] = []
        self.pace_ms = pace_ms

    def prepare(self, work: Work) -> Work:
        return work

    def warm_up(self, work: Work, calls: int) -> None:
        self.log.append(("warm", work(), calls))

    def samples_ms(self, work: Work, repeats: int) -> list[float]:
        self.log.append(("take", work(), repeats))
        return [self.pace_ms] * repeats


def works() -> dict[Side, Work]:
    return {side: (lambda side=side: side) for side in SIDES}


def always(_side: Side, warm_up: Work, take: Work) -> list[float]:
    warm_up()
    return take()


def test_the_side_that_begins_changes_every_round() -> None:
    clock = NotingClock()
    interleave(clock, works(), Effort(warmup=20, repeats=3 * BLOCK), always)
    taken = [side for what, side, _count in clock.log if what == "take"]
    base, pto = SIDES
    assert taken == [base, pto, pto, base, base, pto]


def test_the_first_block_is_warmed_up_in_full_and_later_ones_briefly() -> None:
    clock = NotingClock()
    interleave(clock, works(), Effort(warmup=20, repeats=2 * BLOCK), always)
    assert [count for what, _side, count in clock.log if what == "warm"] == [20, 20, 2, 2]


@given(repeats=st.integers(1, 137), warmup=st.integers(0, 5))
def test_every_side_gets_exactly_its_repeats(repeats: int, warmup: int) -> None:
    taken = interleave(NotingClock(), works(), Effort(warmup, repeats), always)
    assert {side: len(samples) for side, samples in taken.items()} == dict.fromkeys(SIDES, repeats)


def test_a_side_that_fails_is_out_and_the_other_goes_on() -> None:
    def pto_fails(side: Side, warm_up: Work, take: Work) -> list[float] | None:
        return None if side is Side.PTO else always(side, warm_up, take)

    taken = interleave(NotingClock(), works(), Effort(2, 25), pto_fails)
    assert {side: len(samples) for side, samples in taken.items()} == {Side.BASELINE: 25}


@pytest.mark.parametrize(("pace_ms", "samples"), [(1.0, 50), (0.001, 50_000), (100.0, 10)])
def test_a_target_time_sets_the_repeats(pace_ms: float, samples: int) -> None:
    """As many samples as fill 50 ms, but never fewer than ten."""
    taken = interleave(NotingClock(pace_ms), works(), Effort(1, 5, target_ms=50.0), always)
    assert {len(side) for side in taken.values()} == {samples}


def test_work_of_no_measurable_length_still_ends() -> None:
    assert repeats_for(10.0, 0.0) == repeats_for(10.0, float("nan")) == 100_000


def test_a_drifting_machine_drifts_for_both_sides_alike() -> None:
    """On a machine that slows down steadily sides in turns differ little, in a row a lot."""
    script = [1.0 + 0.01 * call for call in range(1000)]
    drifting = FakeClock(script)
    clock = HostClock("paper", drifting.sync, lambda: int(drifting.now() * 1e6))
    taken = interleave(clock, dict.fromkeys(SIDES, drifting.work), Effort(0, 100), always)
    in_turns = abs(sum(taken[Side.PTO]) / sum(taken[Side.BASELINE]) - 1)
    in_a_row = abs(sum(script[100:200]) / sum(script[:100]) - 1)
    assert in_turns < 0.02
    assert in_a_row > 0.5
