"""Whole processes, two in turn: wall time, peak memory, and the ratio pair by pair.

Machines are noisy and drift; a ratio of two processes that ran right after one another holds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Process:
    """One finished process: wall seconds and peak resident memory in MB."""

    wall_s: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Medians of a command and its floor, and the median of their ratios pair by pair."""

    wall_s: float
    peak_mb: float
    floor_s: float
    ratio: float
    runs: int


def run_once(command: Sequence[str], cwd: str | None = None) -> Process:
    """Run a command to its end; its output is thrown away and it must not fail."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=cwd
    ) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}\n{said.decode()}")
    return Process(wall_s, usage.ru_maxrss / 1024)


def paired(command: Sequence[str], floor: Sequence[str], runs: int) -> Pair:
    """Run both in turn, `runs` times after one warm-up each."""
    run_once(command)
    run_once(floor)
    own, base = [], []
    for _ in range(runs):
        own.append(run_once(command))
        base.append(run_once(floor))
    return Pair(
        wall_s=statistics.median(process.wall_s for process in own),
        peak_mb=max(process.peak_mb for process in own),
        floor_s=statistics.median(process.wall_s for process in base),
        ratio=statistics.median(
            mine.wall_s / theirs.wall_s for mine, theirs in zip(own, base, strict=True)
        ),
        runs=runs,
    )
