"""A set of runs: the same suite again and again, each time in a fresh process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from kreport import stamps
from kreport.errors import UsageError
from kreport.harness.record import CaseRecord, RunRecord
from kreport.harness.supervisor import Patience, Watched, watch
from kreport.harness.worker import Job

GIVE_UP_AFTER = 2
"""Deaths of the process, one run after the other, after which a side is not tried again."""

CaseProgress = Callable[[int, int, int], None]
"""Told the run (from 0), and how many cases of how many are done in it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many runs, of what, and under which name."""

    job: Job
    """Its seed is that of the first run; every run shuffles with the next one."""
    runs: int
    stamp: str
    """``20260321T024111Z``: names this set of runs."""
    patience: Patience

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise UsageError(f"--runs: must be 1 or more, not {self.runs}")


def measure_runs(plan: Plan, progress: CaseProgress = lambda *_: None) -> Iterator[RunRecord]:
    """Measure run after run; each is handed over as soon as it is whole.

    A side that took its process down in the last two runs is blocked without another try: a hang
    would cost its time-out in every run. Raises what `watch` raises.
    """
    deaths: Counter[str] = Counter()
    skip: dict[str, str] = {}
    digits = max(2, len(str(plan.runs)))  # so that names sort in the order of the runs
    for index in range(plan.runs):
        run_at = stamps.now_stamp()
        job = replace(plan.job, seed=plan.job.seed + index, skip={**plan.job.skip, **skip})

        def case_done(done: int, cases: int, index: int = index) -> None:
            progress(index, done, cases)

        watched = watch(job, plan.patience, case_done)
        yield _record(f"{plan.stamp}-{index + 1:0{digits}}", run_at, job, watched)
        deaths = Counter({side: deaths[side] + 1 for side in watched.killers})
        for side, reason in watched.killers.items():
            if deaths[side] >= GIVE_UP_AFTER:
                skip[side] = f"not tried again after {GIVE_UP_AFTER} runs: {reason}"


def _record(run: str, run_at: str, job: Job, watched: Watched) -> RunRecord:
    ready = watched.ready
    return RunRecord(
        run=run,
        run_at=run_at,
        seed=job.seed,
        device=ready.device,
        timers=tuple(str(clock["timer"]) for clock in ready.clocks),
        cases=tuple(
            CaseRecord(name, watched.cases[position]) for position, name in enumerate(ready.cases)
        ),
        order=ready.order,
        environment=ready.environment,
        clocks=ready.clocks,
        effort=ready.effort,
        deaths=tuple(f"case {side}: {reason}" for side, reason in watched.killers.items()),
    )


def free_stamp(folder: Path) -> str:
    """A stamp for now that no run in the folder bears yet; later ones where it is taken."""
    when = stamps.now()
    while any(folder.glob(f"run_{when:{stamps.FORMAT}}*")):
        when += timedelta(seconds=1)
    return when.strftime(stamps.FORMAT)
