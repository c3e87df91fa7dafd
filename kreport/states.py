"""The class of a kernel over time, as the archived reports had it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kreport.history import NO_CODE, WORDS, History
from kreport.model import Blocker, KernelClass


@dataclass(frozen=True, slots=True)
class State:
    """One class and the consecutive runs that a kernel was in it; positions in `History.runs`."""

    kernel_class: KernelClass
    blocker: Blocker | None
    """Owner of the block in the newest of these runs; None where nothing is blocked."""
    first: int
    last: int
    runs: int


def states_of(history: History) -> Mapping[tuple[str, str], tuple[State, ...]]:
    """Per (family, kernel), its states oldest first.

    Runs that do not know the kernel, or were archived without a class, are no interruption.
    """
    rows_of: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(history.cases):
        rows_of.setdefault((key.family, key.kernel), []).append(row)
    return {kernel: _states(history, rows) for kernel, rows in rows_of.items()}


def _states(history: History, rows: list[int]) -> tuple[State, ...]:
    # Every case carries the class of its kernel, so the lowest known code is the only one.
    classes = history.codes["kernel_class"][rows].min(axis=0)
    blockers = history.codes["blocker"][rows].min(axis=0)
    found: list[State] = []
    for run in np.flatnonzero(classes != NO_CODE).tolist():
        now = KernelClass(WORDS["kernel_class"][classes[run]])
        owner = blockers[run]
        blocker = None if owner == NO_CODE else Blocker(WORDS["blocker"][owner])
        if found and found[-1].kernel_class is now:
            found[-1] = State(now, blocker, found[-1].first, run, found[-1].runs + 1)
        else:
            found.append(State(now, blocker, run, run, 1))
    return tuple(found)
