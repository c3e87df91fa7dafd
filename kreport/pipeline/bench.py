"""``kreport bench``: measure a suite run by run, keep every run, say what the data is worth."""

from __future__ import annotations

import json
import math
import os
import secrets
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kreport.choices import EFFECT_PCT
from kreport.errors import ExitCode, InputError, OutputError, UsageError
from kreport.harness.clocks import check_timers
from kreport.harness.effort import check_effort
from kreport.harness.guidance import Advice, advise
from kreport.harness.matrix_file import write_matrix
from kreport.harness.record import RunRecord
from kreport.harness.run_file import runs_kept, write_run
from kreport.harness.runs import CaseProgress, Plan, free_stamp, measure_runs
from kreport.harness.supervisor import Patience
from kreport.harness.worker import Job
from kreport.model import Side
from kreport.report.bench_table import advice_lines, result_lines, results
from kreport.report.exact import json_number

JSON_VERSION = 1


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """Everything that ``kreport bench`` is asked for. None leaves a choice to the suite."""

    suite: Path
    out: Path
    runs: int = 10
    timers: tuple[str, ...] | None = None
    warmup: int | None = None
    repeats: int | None = None
    target_ms: float | None = None
    seed: int | None = None
    timeout_s: float = 120.0
    memory_gib: float | None = None
    matrix: Path | None = None
    compress: bool = False
    effect_pct: float = EFFECT_PCT
    output: str = "console"
    quiet: bool = False


def bench_suite(request: BenchRequest) -> int:
    """Measure, write one samples file a run, and print what came out.

    A blocked or wrong side is a result: the code is 0. Interrupted, the runs that are whole stay
    and KeyboardInterrupt goes on. Raises `UsageError`, `InputError` or `OutputError`.
    """
    _check(request)
    _make_room(request)
    plan = Plan(_job(request), request.runs, free_stamp(request.out), Patience(request.timeout_s))
    records: list[RunRecord] = []
    try:
        with _progress(request) as progress:
            for record in measure_runs(plan, progress):
                with _uninterrupted():
                    write_run(request.out, record, compress=request.compress)
                    records.append(record)
    finally:
        if len(records) < request.runs and records:
            _say(f"kept {len(records)} of {request.runs} runs in {request.out}")
    if request.matrix is not None:
        write_matrix(request.matrix, records, plan.stamp)
    _print(request, records)
    return ExitCode.DONE


def _check(request: BenchRequest) -> None:
    """All that can be known to be impossible before anything is started."""
    if request.timers is not None:
        check_timers(request.timers)
    target_ms = request.target_ms
    check_effort(request.warmup or 0, 1 if request.repeats is None else request.repeats, target_ms)
    if not request.timeout_s > 0:
        raise UsageError(f"--timeout: must be more than 0 seconds, not {request.timeout_s:g}")
    if request.memory_gib is not None and not 0 <= request.memory_gib < math.inf:
        raise UsageError(f"--memory: must be 0 (no limit) or more, not {request.memory_gib:g}")
    if not request.suite.is_file():
        raise InputError(f"{request.suite}: no such suite file")


def _make_room(request: BenchRequest) -> None:
    """Find out before hours of measuring, not after, that nothing can be kept."""
    try:
        request.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{request.out}: cannot be made a folder: {error.strerror}") from error
    if not os.access(request.out, os.W_OK | os.X_OK):
        raise OutputError(f"{request.out}: this folder cannot be written to")
    if request.matrix is not None and not request.matrix.resolve().parent.is_dir():
        raise OutputError(f"{request.matrix}: its folder does not exist")


def _job(request: BenchRequest) -> Job:
    memory = request.memory_gib
    return Job(
        suite=str(request.suite),
        seed=secrets.randbits(31) if request.seed is None else request.seed,
        timers=request.timers,
        warmup=request.warmup,
        repeats=request.repeats,
        target_ms=request.target_ms,
        memory_bytes=None if memory is None else int(memory * (1 << 30)),
    )


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interruption wait: a run is on disk and counted, or neither.

    Not by a signal mask: that is this thread's alone, and NumPy's threads would take the signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _frame: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for late in came:
        signal.raise_signal(late)


@contextmanager
def _progress(request: BenchRequest) -> Iterator[CaseProgress]:
    """A bar with the time left on stderr, where that is a terminal and not told to be quiet."""
    if request.quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("loading the suite", total=None)

        def case_done(run: int, done: int, cases: int) -> None:
            text = f"run {run + 1} of {request.runs}, case {done} of {cases}"
            bar.update(
                task, description=text, total=request.runs * cases, completed=run * cases + done
            )

        yield case_done


def _print(request: BenchRequest, records: Sequence[RunRecord]) -> None:
    resolutions_ms = {
        str(clock["timer"]): float(str(clock["resolution_ms"])) for clock in records[0].clocks
    }
    earlier_runs = runs_kept(request.out) - len(records)
    advice = advise(records, resolutions_ms, request.effect_pct, earlier_runs)
    if request.output == "json":
        json.dump(_as_json(records, advice), sys.stdout, indent=1, allow_nan=False)
        sys.stdout.write("\n")
    elif not request.quiet:
        sys.stdout.write("".join(f"{line}\n" for line in result_lines(records)))
    if not request.quiet:
        _say(f"{len(records)} runs in {request.out}")
    for line in advice_lines(advice):
        _say(line)


def _as_json(records: Sequence[RunRecord], advice: Sequence[Advice]) -> dict[str, object]:
    return {
        "version": JSON_VERSION,
        "runs": [record.run for record in records],
        "device": records[0].device,
        "seed": records[0].seed,
        "clocks": list(records[0].clocks),
        "results": [
            {
                "family": one.family,
                "kernel": one.kernel,
                "variant_label": one.label,
                "shape": one.shape,
                "timer": one.timer,
                "notes": one.notes,
                "wrong": one.wrong,
                **{f"{side}_runs": one.runs[side] for side in Side},
                **{
                    f"{side}_median_ms": json_number(value)
                    for side, value in one.medians_ms.items()
                },
            }
            for one in results(records)
        ],
        "advice": [{"trouble": one.trouble, "case": one.case, "text": one.text} for one in advice],
    }


def _say(line: str) -> None:
    sys.stderr.write(f"kreport: {line}\n")
