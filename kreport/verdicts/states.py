"""Status and check of a side over the runs of a group, and the transitions between groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.cases.majority import CHECKS, STATUSES, agreed_check, agreed_status, usual_check
from kreport.model import Correctness, Status, Transition
from kreport.verdicts.cells import ABSENT

if TYPE_CHECKING:
    from collections.abc import Callable

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


def state_of(cells: SideCells, runs: NDArray[np.bool_], *, is_yardstick: bool) -> SideState:
    """Agree on a state over the chosen runs, by the rules of `kreport.cases.majority`.

    `is_yardstick` says that others are held against these runs: how they usually were counts.
    """
    status, check = cells.status[:, runs], cells.check[:, runs]
    counts = _counts(status, len(STATUSES))
    present = counts.sum(axis=1)
    most = _agreed(counts, agreed_status, STATUSES)
    agreed = np.where(present > 0, most, ABSENT).astype(np.int8)
    counted = np.where(status == agreed[:, None], check, ABSENT)
    return SideState(
        status=agreed,
        check=_agreed(
            _counts(counted, len(CHECKS)), usual_check if is_yardstick else agreed_check, CHECKS
        ),
        timed=np.asarray(np.isfinite(cells.median_ms[:, runs]).any(axis=1)),
        mixed=(counts[:, OK] > 0) & (counts[:, OK] < present),
    )


def _counts(codes: Codes, words: int) -> NDArray[np.int64]:
    """Per case (rows), how many runs have each code (columns)."""
    return np.stack([(codes == code).sum(axis=1) for code in range(words)], axis=1)


def _agreed(
    counts: NDArray[np.int64], rule: Callable[[tuple[int, ...]], str], words: tuple[str, ...]
) -> Codes:
    """What a rule makes of the counts of each case; few of thousands of cases differ in them."""
    distinct, place = np.unique(counts, axis=0, return_inverse=True)
    codes = [words.index(rule(tuple(row))) for row in distinct.tolist()]
    return np.array(codes, dtype=np.int8)[place.reshape(-1)]


def transitions_of(old: SideState, new: SideState) -> list[tuple[Transition, ...]]:
    """What changed about each case that no latency can express, for one side; the worst first."""
    found: list[list[Transition]] = [[] for _ in old.status]
    both = (old.status != ABSENT) & (new.status != ABSENT)
    ran_before, runs_now = old.status == OK, new.status == OK
    ran_both = both & ran_before & runs_now
    had, has = old.timed & ran_before, new.timed & runs_now
    rules = (
        (Transition.NEWLY_BLOCKED, both & (old.status != BLOCKED) & (new.status == BLOCKED)),
        (Transition.BECAME_WRONG, both & runs_now & (new.check == FAIL) & (old.check != FAIL)),
        (Transition.LOST, both & had & ~has & (new.status != BLOCKED)),
        (Transition.UNBLOCKED, both & (old.status == BLOCKED) & runs_now),
        (Transition.REGAINED, both & ~had & has & (old.status != BLOCKED)),
        (Transition.BECAME_CORRECT, ran_both & (old.check == FAIL) & (new.check == PASS)),
    )
    for transition, holds in rules:
        for case in np.flatnonzero(holds).tolist():
            found[case].append(transition)
    return [tuple(items) for items in found]
