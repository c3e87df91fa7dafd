"""The measuring process: ``python -m kreport.harness.worker DESCRIPTOR``, its job on stdin.

It loads the suite, says what it is about to do before it does it, and reports every case. Whatever
a case does to it, the process that watches knows where it was.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import random
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from kreport.errors import KReportError, UsageError
from kreport.harness.clocks import open_clocks
from kreport.harness.effort import Effort
from kreport.harness.environment import environment
from kreport.harness.messages import AllDone, CaseDone, Channel, DeviceLost, Ready, Refused, Step
from kreport.harness.record import CaseName
from kreport.harness.structure import named
from kreport.harness.suite import Suite, load_suite
from kreport.harness.trial import Bench, DeviceUnusable, reason_of, try_case
from kreport.model import Side

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Job:
    """What one measuring process is asked to do. None leaves a choice to the suite."""

    suite: str
    seed: int
    timers: tuple[str, ...] | None = None
    warmup: int | None = None
    repeats: int | None = None
    target_ms: float | None = None
    memory_bytes: int | None = None
    """Most memory for a suite that runs on the host; 0: no limit."""
    done: tuple[int, ...] = ()
    """Cases that need no measuring any more."""
    skip: Mapping[str, str] = field(default_factory=dict)
    """``3/pto`` -> reason: sides that are not to be tried."""


def main() -> int:
    """Measure, then leave with 0; anything else is told apart by who watches."""
    _tie_to_parent()
    faulthandler.enable()
    channel = Channel(int(sys.argv[1]))
    job = Job(**json.load(sys.stdin))
    try:
        suite, bench = _open(job)
    except UsageError as error:
        channel.send(Refused(str(error), usage=True))
        return 0
    except KReportError as error:
        channel.send(Refused(str(error), usage=False))
        return 0
    except BaseException as error:  # a suite file may raise anything
        channel.send(Refused(f"{job.suite}: the suite did not load: {reason_of(error)}", False))
        return 0
    order = tuple(random.Random(job.seed).sample(range(len(suite.cases)), len(suite.cases)))
    channel.send(_ready(suite, bench, order))
    _measure(suite, bench, job, order, channel)
    return 0


def _open(job: Job) -> tuple[Suite, Bench]:
    suite = load_suite(Path(job.suite))
    effort = Effort(
        suite.warmup if job.warmup is None else job.warmup,
        suite.repeats if job.repeats is None else job.repeats,
        job.target_ms,
    )
    clocks, sync = open_clocks(job.timers or tuple(suite.timers), suite.device, suite.sync)
    if job.memory_bytes != 0 and not suite.device:
        limit_memory(job.memory_bytes)
    return suite, Bench(clocks, effort, sync)


def _ready(suite: Suite, bench: Bench, order: tuple[int, ...]) -> Ready:
    return Ready(
        cases=tuple(
            CaseName(
                case.family, case.kernel, case.label, case.shape_json, case.title, *named(case)
            )
            for case in suite.cases
        ),
        order=order,
        device=bench.clocks[0].record.device,
        environment={"suite": suite.name, **environment()},
        clocks=tuple(asdict(clock.record) for clock in bench.clocks),
        effort=asdict(bench.effort),
    )


def _measure(
    suite: Suite, bench: Bench, job: Job, order: tuple[int, ...], channel: Channel
) -> None:
    skip = dict(job.skip)
    for position in order:
        if position in job.done:
            continue

        def announce(side: str, doing: str, position: int = position) -> None:
            channel.send(Step(position, side, doing))

        known = {side: skip[f"{position}/{side}"] for side in Side if f"{position}/{side}" in skip}
        try:
            sides = try_case(suite.cases[position], bench, known, announce)
        except DeviceUnusable as error:
            channel.send(DeviceLost(str(error)))
            return
        channel.send(CaseDone(position, sides))
    channel.send(AllDone())


def limit_memory(memory_bytes: int | None) -> None:
    """Cap what this process may allocate; by default at four fifths of what is free right now.

    An allocation beyond it fails in the side that asks for it, where without a cap the system
    would pick a process to kill.
    """
    import resource

    limit = _available_bytes() * 4 // 5 if memory_bytes is None else memory_bytes
    if limit:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _available_bytes() -> int:
    with contextlib.suppress(OSError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def _tie_to_parent() -> None:
    """Die with the process that watches, and be the first to die where memory runs out."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


if __name__ == "__main__":
    sys.exit(main())
