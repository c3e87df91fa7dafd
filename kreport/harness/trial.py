"""One case in the measuring process: both sides are run, checked and timed, whatever they do."""

from __future__ import annotations

import gc
import re
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from kreport.harness.clock import Clock, NotTimeable, Work
from kreport.harness.effort import Effort
from kreport.harness.interleave import interleave
from kreport.harness.record import SideRecord
from kreport.harness.silence import silently
from kreport.harness.suite import Case, Kernel
from kreport.model import Correctness, Side, Status

T = TypeVar("T")
_LIBRARY = re.compile(r"[/\\](site-packages|dist-packages|python\d[.\d]*|kreport[/\\]harness)[/\\]")
"""Files that are nobody's suite."""
REASON_LIMIT = 4_000
"""Characters kept of an error: compilers write pages."""

Announce = Callable[[str, str], None]
"""Told the side ("" for both) and what is about to be done, before it is done."""


class DeviceUnusable(Exception):
    """A side failed in a way that leaves nothing to measure on in this process."""


@dataclass(slots=True)
class _Seen:
    """What is known of one side so far."""

    blocked: str = ""
    correct: Correctness = Correctness.UNKNOWN
    reason: str = ""
    first_call_ms: float | None = None
    samples_ms: dict[str, tuple[float, ...]] = field(default_factory=dict)
    untimed: dict[str, str] = field(default_factory=dict)

    def record(self) -> SideRecord:
        if self.blocked:
            return SideRecord(Status.BLOCKED, Correctness.UNKNOWN, self.blocked, self.first_call_ms)
        if not self.samples_ms:
            reasons = "; ".join(f"{timer}: {why}" for timer, why in self.untimed.items())
            return SideRecord(Status.BLOCKED, self.correct, f"no clock can time it: {reasons}")
        return SideRecord(
            Status.OK,
            self.correct,
            self.reason,
            self.first_call_ms,
            self.samples_ms,
            self.untimed,
        )


@dataclass(frozen=True, slots=True)
class Bench:
    """What cases are tried on: the clocks, how much to measure, how to wait for the device."""

    clocks: Sequence[Clock]
    effort: Effort
    sync: Work


def try_case(
    case: Case, bench: Bench, skip: Mapping[Side, str], announce: Announce
) -> dict[Side, SideRecord]:
    """Run, check and time both sides of a case; a side that fails is blocked with its reason.

    `skip` names sides that are known to take the process down, with the reason. Raises
    `DeviceUnusable` where a side has broken the device for everything that would follow.
    """
    seen = {side: _Seen(blocked=skip.get(side, "")) for side in Side}
    for side in Side:
        if case.sides[side] is None:
            seen[side].blocked = case.reasons[side]
    if any(not side.blocked for side in seen.values()):
        announce("", "making the inputs")
        inputs = _attempt(list(seen.values()), lambda: list(case.inputs(case.shape)), bench.sync)
        if inputs is not None:
            _check(
                case, bench, _run_once(case, bench, inputs, seen, announce), inputs, seen, announce
            )
            gc.collect()
            _time(case, bench, inputs, seen, announce)
    return {side: seen[side].record() for side in Side}


def _attempt(sides: Sequence[_Seen], do: Callable[[], T], sync: Work) -> T | None:
    """Do something for these sides; where it raises they are blocked, and None is the answer."""
    try:
        return do()
    except BaseException as error:  # a kernel may raise anything, SystemExit too
        reason = reason_of(error)
        for side in sides:
            side.blocked = side.blocked or reason
    try:
        sync()
    except BaseException as error:
        raise DeviceUnusable(reason) from error
    return None


def _run_once(
    case: Case,
    bench: Bench,
    inputs: Sequence[object],
    seen: Mapping[Side, _Seen],
    announce: Announce,
) -> dict[Side, object]:
    outputs: dict[Side, object] = {}
    for side, state in seen.items():
        kernel = case.sides[side]
        if state.blocked or kernel is None:
            continue
        announce(side, "its first call")
        first_call = partial(_first_call, partial(kernel, *inputs), bench.sync)
        answer = _attempt([state], first_call, bench.sync)
        if answer is not None:
            outputs[side], state.first_call_ms = answer
    return outputs


def _first_call(work: Work, sync: Work) -> tuple[object, float]:
    start = time.perf_counter()
    output = work()
    sync()
    return output, (time.perf_counter() - start) * 1e3


def _check(
    case: Case,
    bench: Bench,
    outputs: dict[Side, object],
    inputs: Sequence[object],
    seen: Mapping[Side, _Seen],
    announce: Announce,
) -> None:
    """Decide correctness. Without a reference the baseline is the yardstick and passes by that."""
    if case.reference is not None:
        announce("", "running the reference")
        yardstick = _Seen()
        answer = _attempt([yardstick], partial(_referred, case.reference, inputs), bench.sync)
        if answer is None:
            for side in outputs:
                seen[side].reason = f"the reference raised {yardstick.blocked}"
            return
        expected = answer[0]
    elif Side.BASELINE in outputs:
        expected = outputs.pop(Side.BASELINE)
        seen[Side.BASELINE].correct = Correctness.PASS
    else:
        return
    for side, output in outputs.items():
        announce(side, "checking its output")
        seen[side].correct, seen[side].reason = _checked(case, expected, output)
    bench.sync()


def _referred(reference: Kernel, inputs: Sequence[object]) -> tuple[object]:
    # In a tuple of one: None is an answer too.
    return (reference(*inputs),)


def _checked(case: Case, expected: object, output: object) -> tuple[Correctness, str]:
    try:
        if case.check(expected, output):
            return Correctness.PASS, ""
        return Correctness.FAIL, "output check failed"
    except AssertionError as error:
        return Correctness.FAIL, f"output check failed: {error}"[:REASON_LIMIT]
    except BaseException as error:
        # The check broke, so nothing is known: neither right nor wrong.
        return Correctness.UNKNOWN, f"the output check itself raised {reason_of(error)}"


def _time(
    case: Case,
    bench: Bench,
    inputs: Sequence[object],
    seen: Mapping[Side, _Seen],
    announce: Announce,
) -> None:
    for clock in bench.clocks:
        timer = clock.record.timer
        works: dict[Side, Work] = {}
        for side, state in seen.items():
            kernel = case.sides[side]
            if not state.blocked and kernel is not None:
                announce(side, f"preparing it for the clock {timer}")
                work = _attempt(
                    [state], partial(_prepare, clock, partial(kernel, *inputs), state), bench.sync
                )
                if work is not None:
                    works[side] = work

        sample = partial(_sample, bench.sync, seen, partial(_announce_timing, announce, timer))
        for side, samples in interleave(clock, works, bench.effort, sample).items():
            seen[side].samples_ms[timer] = tuple(samples)


def _announce_timing(announce: Announce, timer: str, side: Side) -> None:
    announce(side, f"timing it on the clock {timer}")


def _sample(
    sync: Work,
    seen: Mapping[Side, _Seen],
    announce: Callable[[Side], None],
    side: Side,
    warm_up: Work,
    take: Callable[[], list[float]],
) -> list[float] | None:
    def block() -> list[float]:
        warm_up()
        return silently(take)

    announce(side)
    return _attempt([seen[side]], block, sync)


def _prepare(clock: Clock, work: Work, state: _Seen) -> Work | None:
    try:
        return clock.prepare(work)
    except NotTimeable as error:
        state.untimed[clock.record.timer] = str(error)
        return None


def reason_of(error: BaseException) -> str:
    """Type, message and the place in the user's own code, cut to a length a file can keep."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _LIBRARY.search(frame.filename)]
    place = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    kind = "out of memory" if isinstance(error, MemoryError) else type(error).__name__
    text = f"{kind}: {error}".rstrip(": ")
    return text[:REASON_LIMIT] + place
