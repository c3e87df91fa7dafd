"""Which gates of ``--fail-on`` a diff trips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.choices import Gate
from kreport.model import Correctness, Status, Transition, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kreport.verdicts.results import CaseDiff, DiffReport


def tripped(report: DiffReport, gates: Iterable[Gate]) -> dict[Gate, int]:
    """How many cases trip each of the gates asked for; gates that none trips are left out.

    Only confirmed slowdowns trip ``slower``; with ``unconfirmed`` those of single runs do too.
    Gates are about the ports: a blocked baseline is no failure of theirs.
    """
    found: dict[Gate, int] = {}
    for gate in gates:
        count = sum(trips(case, gate) for case in report.cases)
        if count:
            found[gate] = count
    return found


def trips(case: CaseDiff, gate: Gate) -> bool:
    """Whether one case trips a gate."""
    transitions = set(case.transitions)
    if gate is Gate.SLOWER:
        return case.verdict is Verdict.SLOWER and case.confirmed
    if gate is Gate.UNCONFIRMED:
        return case.verdict is Verdict.SLOWER and case.is_unconfirmed
    if gate is Gate.UNDECIDED:
        return case.verdict is Verdict.CANNOT_TELL or Transition.LOST in transitions
    if gate is Gate.INCORRECT and Transition.ADDED in transitions:
        return case.pto.new.status is Status.OK and case.pto.new.correct is Correctness.FAIL
    wanted = {
        Gate.BLOCKED: {Transition.NEWLY_BLOCKED},
        Gate.INCORRECT: {Transition.BECAME_WRONG},
        Gate.REMOVED: {Transition.REMOVED, Transition.LOST},
    }
    return bool(wanted[gate] & transitions)


def unseen(case: CaseDiff, gate: Gate) -> bool:
    """Whether a case may be what a gate is meant for, but nothing can say so.

    A slowdown that rests on single runs; a port whose results somebody checked and nobody checks
    any more; one that ran in all old runs and in some of the new ones.
    """
    if gate is Gate.BLOCKED:
        return case.pto.new.mixed and not case.pto.old.mixed and case.is_matched
    if gate is Gate.SLOWER:
        return trips(case, Gate.UNCONFIRMED)
    if gate is Gate.INCORRECT:
        old, new = case.pto.old, case.pto.new
        return (
            new.status is Status.OK
            and old.correct is not Correctness.UNKNOWN
            and new.correct is Correctness.UNKNOWN
        )
    return False
