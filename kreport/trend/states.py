"""The class of a kernel over time, as the archived reports had it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.archive.history import NO_CODE, WORDS, History
from kreport.model import Blocker, KernelClass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint8]


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
    known = np.flatnonzero(classes != NO_CODE)
    if not known.size:
        return ()
    starts = np.flatnonzero(np.diff(classes[known], prepend=NO_CODE))
    return tuple(_state(runs, classes, blockers) for runs in np.split(known, starts[1:]))


def _state(runs: NDArray[np.intp], classes: Codes, blockers: Codes) -> State:
    first, last = int(runs[0]), int(runs[-1])
    owner = blockers[last]
    return State(
        KernelClass(WORDS["kernel_class"][classes[last]]),
        None if owner == NO_CODE else Blocker(WORDS["blocker"][owner]),
        first,
        last,
        int(runs.size),
    )
