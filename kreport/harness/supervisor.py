"""The process that watches: starts a measuring process, notes how it ends, starts another one.

A side that hangs, crashes the process, kills it by eating memory or floods its output is blocked
with that reason, and the run goes on without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

import kreport
from kreport.errors import InputError, KReportError, UsageError
from kreport.harness.messages import (
    AllDone,
    CaseDone,
    DeviceLost,
    Message,
    Ready,
    Refused,
    Step,
    decode,
)
from kreport.harness.record import SideRecord
from kreport.harness.worker import Job
from kreport.model import Side

_POLL_S = 0.25
_LAST_WORDS = 1_500
"""Characters of a dead process's output that go into the reason."""


@dataclass(frozen=True, slots=True)
class Patience:
    """What a measuring process may do before it is killed."""

    step_s: float = 120.0
    """Longest silence: one first call, one check, or one block of samples."""
    printed_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class Watched:
    """What came of measuring all cases once, in one process or in several after deaths."""

    ready: Ready
    cases: Mapping[int, Mapping[Side, SideRecord]]
    killers: Mapping[str, str]
    """``3/pto`` -> why: sides that took their process down."""


Progress = Callable[[int, int], None]
"""Told how many cases of how many are done."""


def watch(job: Job, patience: Patience, progress: Progress = lambda _done, _all: None) -> Watched:
    """Measure every case of the job's suite once and come back with all of them.

    Raises `UsageError` where what is asked for is impossible, `InputError` where the suite cannot
    be loaded, whatever way it fails.
    """
    ready: Ready | None = None
    cases: dict[int, Mapping[Side, SideRecord]] = {}
    killers: dict[str, str] = {}
    while True:
        step: Step | None = None
        ending = Died("ended")
        for message in _messages(job, patience):
            match message:
                case Refused(text, usage):
                    raise UsageError(text) if usage else InputError(text)
                case Ready():
                    ready = message
                    progress(len(cases), len(ready.cases))
                case Step():
                    step = message
                case CaseDone(position, sides):
                    cases[position] = sides
                    step = None
                    progress(len(cases), len(ready.cases) if ready else 0)
                case DeviceLost(reason):
                    ending = Died(reason)
                case Died():
                    ending = message
                case AllDone():
                    break
        if ready is None:
            raise InputError(
                f"{job.suite}: the suite did not load: the process {ending.reason}{ending.trailer}"
            )
        if len(cases) == len(ready.cases):
            return Watched(ready, cases, killers)
        if step is None:
            # Nothing was being tried: not a case's fault, and trying again would not end.
            raise KReportError(
                f"{job.suite}: between two cases the process {ending.reason}{ending.trailer}"
            )
        killers |= _blame(step, ending)
        job = replace(job, done=tuple(cases), skip={**job.skip, **killers})


@dataclass(frozen=True, slots=True)
class Died:
    """How a measuring process ended, where not by finishing, and the last that it printed."""

    reason: str
    last_words: str = ""

    @property
    def trailer(self) -> str:
        """The last words as the end of a sentence, "" where there are none."""
        return f"; last words: {self.last_words}" if self.last_words else ""


def _blame(step: Step, ending: Died) -> dict[str, str]:
    sides = [Side(step.side)] if step.side else list(Side)
    reason = f"{ending.reason} during {step.doing}{ending.trailer}"
    return {f"{step.case}/{side}": reason for side in sides}


def _messages(job: Job, patience: Patience) -> Iterator[Message | Died]:
    """What one measuring process says, and last how it died unless it had finished."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as log:
        worker = _start(job, writing, log)
        try:
            finished = False
            for message in _read(reading, worker, log, patience):
                finished = isinstance(message, (AllDone, Refused, DeviceLost, Died))
                yield message
                if finished:
                    break
            if not finished:
                yield _way_of_dying(worker, log)
        finally:
            _end(worker)
            os.close(reading)


def _start(job: Job, writing: int, log: IO[bytes]) -> subprocess.Popen[bytes]:
    package_root = str(Path(kreport.__file__).resolve().parent.parent)
    search = os.pathsep.join(filter(None, (package_root, os.environ.get("PYTHONPATH"))))
    worker = subprocess.Popen(
        [sys.executable, "-m", "kreport.harness.worker", str(writing)],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        pass_fds=[writing],
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": search},
    )
    os.close(writing)
    assert worker.stdin is not None
    with contextlib.suppress(BrokenPipeError), worker.stdin as stdin:
        stdin.write(json.dumps(asdict(job)).encode())
    return worker


def _read(
    pipe: int, worker: subprocess.Popen[bytes], log: IO[bytes], patience: Patience
) -> Iterator[Message | Died]:
    """Messages until the process closes its end; a kill for cause is the last one."""
    rest = b""
    heard = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if selector.select(_POLL_S):
                chunk = os.read(pipe, 1 << 20)
                if not chunk:
                    return
                heard = time.monotonic()
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    try:
                        yield decode(line)
                    except ValueError:
                        yield Died("wrote garbage into the harness's own channel")
                        return
            elif time.monotonic() - heard > patience.step_s:
                yield Died(f"no answer for {patience.step_s:g} s (--timeout), killed")
                return
            elif worker.poll() is not None:
                # Dead, but something it has started holds the pipe open.
                return
            if os.fstat(log.fileno()).st_size > patience.printed_bytes:
                yield Died(f"printed more than {patience.printed_bytes >> 20} MiB, killed")
                return


def _way_of_dying(worker: subprocess.Popen[bytes], log: IO[bytes]) -> Died:
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(timeout=10)
    code = worker.returncode
    if code is None:
        reason = "closed its channel without ending"
    elif code < 0:
        name = signal.Signals(-code).name
        hint = ", as a rule for want of memory" if -code == signal.SIGKILL else ""
        reason = f"killed by {name}{hint}"
    else:
        reason = f"left with exit code {code}"
    size = os.fstat(log.fileno()).st_size
    log.seek(max(size - _LAST_WORDS, 0))
    words = log.read().decode("utf-8", "replace").strip()
    return Died(reason, words)


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Kill the process and all it has started; it has nothing left to say."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(timeout=10)
