"""Status and check of a side over the runs of a group, and the transitions between groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.model import Correctness, Status, Transition
from kreport.verdicts.cells import ABSENT, CHECKS, STATUSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.verdicts.cells import SideCells

    Codes = NDArray[np.int8]

OK, BLOCKED = STATUSES.index(Status.OK), STATUSES.index(Status.BLOCKED)
PASS, FAIL = CHECKS.index(Correctness.PASS), CHECKS.index(Correctness.FAIL)


@dataclass(frozen=True, slots=True)
class SideState:
    """One side of each case over the runs of one group. Codes as in `SideCells`.

    `timed` says whether any run that counts gave a latency, `mixed` whether it ran in some runs
    only.
    """

    status: Codes
    check: Codes
    timed: NDArray[np.bool_]
    mixed: NDArray[np.bool_]

    @property
    def comparable(self) -> NDArray[np.bool_]:
        """Whether the latency may be compared: it ran, was timed, and no check of it failed."""
        return np.asarray((self.status == OK) & self.timed & (self.check != FAIL))


def state_of(cells: SideCells, runs: NDArray[np.bool_]) -> SideState:
    """Agree on a state: most runs decide, and one failed check is a wrong result.

    A side that ran in half of its runs or fewer does not count as running.
    """
    status, check = cells.status[:, runs], cells.check[:, runs]
    counts = np.stack([(status == code).sum(axis=1) for code in range(len(STATUSES))])
    present = counts.sum(axis=0)
    rest = counts.copy()
    rest[OK] = -1
    most = np.where(counts[OK] * 2 > present, OK, rest.argmax(axis=0))
    agreed = np.where(present > 0, most, ABSENT).astype(np.int8)
    counted = np.where(status == agreed[:, None], check, ABSENT)
    failed = (counted == FAIL).any(axis=1)
    passed = (counted == PASS).any(axis=1)
    unknown = CHECKS.index(Correctness.UNKNOWN)
    return SideState(
        status=agreed,
        check=np.where(failed, FAIL, np.where(passed, PASS, unknown)).astype(np.int8),
        timed=np.asarray(np.isfinite(cells.median_ms[:, runs]).any(axis=1)),
        mixed=(counts[OK] > 0) & (counts[OK] < present),
    )


def transitions_of(old: SideState, new: SideState) -> list[tuple[Transition, ...]]:
    """What changed about each case that no latency can express, for one side."""
    found: list[list[Transition]] = [[] for _ in old.status]
    both = (old.status != ABSENT) & (new.status != ABSENT)
    ran_before, runs_now = old.status == OK, new.status == OK
    ran_both = both & ran_before & runs_now
    had, has = old.timed & ran_before, new.timed & runs_now
    rules = (
        (Transition.NEWLY_BLOCKED, both & (old.status != BLOCKED) & (new.status == BLOCKED)),
        (Transition.UNBLOCKED, both & (old.status == BLOCKED) & runs_now),
        (Transition.LOST, both & had & ~has & (new.status != BLOCKED)),
        (Transition.REGAINED, both & ~had & has & (old.status != BLOCKED)),
        (Transition.BECAME_WRONG, both & runs_now & (new.check == FAIL) & (old.check != FAIL)),
        (Transition.BECAME_CORRECT, ran_both & (old.check == FAIL) & (new.check == PASS)),
    )
    for transition, holds in rules:
        for case in np.flatnonzero(holds).tolist():
            found[case].append(transition)
    return [tuple(items) for items in found]
