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
from kreport.harness.suite import Case
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
            trial = _Trial(case, inputs, bench, announce, seen)
            trial.check(trial.run_once())
            gc.collect()
            for clock in bench.clocks:
                trial.time(clock)
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


@dataclass(frozen=True, slots=True)
class _Trial:
    """A case with its inputs, and what is seen of its sides so far."""

    case: Case
    inputs: Sequence[object]
    bench: Bench
    announce: Announce
    seen: Mapping[Side, _Seen]

    def run_once(self) -> dict[Side, object]:
        """First call of every side that can be tried; the outputs of those that came back."""
        outputs: dict[Side, object] = {}
        for side, work in self._works().items():
            self.announce(side, "its first call")
            answer = _attempt(
                [self.seen[side]], partial(_first_call, work, self.bench.sync), self.bench.sync
            )
            if answer is not None:
                outputs[side], self.seen[side].first_call_ms = answer
        return outputs

    def check(self, outputs: dict[Side, object]) -> None:
        """Decide correctness. Without a reference the baseline is the yardstick, and so passes."""
        if self.case.reference is not None:
            self.announce("", "running the reference")
            yardstick = _Seen()
            refer = partial(
                _first_call, partial(self.case.reference, *self.inputs), self.bench.sync
            )
            answer = _attempt([yardstick], refer, self.bench.sync)
            if answer is None:
                for side in outputs:
                    self.seen[side].reason = f"the reference raised {yardstick.blocked}"
                return
            expected, _reference_ms = answer
        elif Side.BASELINE in outputs:
            expected = outputs.pop(Side.BASELINE)
            self.seen[Side.BASELINE].correct = Correctness.PASS
        else:
            return
        for side, output in outputs.items():
            self.announce(side, "checking its output")
            self.seen[side].correct, self.seen[side].reason = _checked(self.case, expected, output)
        self.bench.sync()

    def time(self, clock: Clock) -> None:
        """Take the samples of every side that runs, the sides in turns."""
        timer = clock.record.timer
        prepared: dict[Side, Work] = {}
        for side, work in self._works().items():
            state = self.seen[side]
            self.announce(side, f"preparing it for the clock {timer}")
            ready = _attempt([state], partial(_prepare, clock, work, state), self.bench.sync)
            if ready is not None:
                prepared[side] = ready
        sample = partial(self._sample, f"timing it on the clock {timer}")
        for side, samples in interleave(clock, prepared, self.bench.effort, sample).items():
            self.seen[side].samples_ms[timer] = tuple(samples)

    def _sample(
        self, doing: str, side: Side, warm_up: Work, take: Callable[[], list[float]]
    ) -> list[float] | None:
        def block() -> list[float]:
            warm_up()
            return silently(take)

        self.announce(side, doing)
        return _attempt([self.seen[side]], block, self.bench.sync)

    def _works(self) -> dict[Side, Work]:
        """The sides that nothing speaks against so far, with their inputs."""
        return {
            side: partial(kernel, *self.inputs)
            for side, kernel in self.case.sides.items()
            if kernel is not None and not self.seen[side].blocked
        }


def _first_call(work: Work, sync: Work) -> tuple[object, float]:
    """Output, and the host time in ms until the device was done with it."""
    start = time.perf_counter()
    output = work()
    sync()
    return output, (time.perf_counter() - start) * 1e3


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
