"""Which gates of ``--fail-on`` a diff trips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.model import Transition, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kreport.verdicts.results import CaseDiff, DiffReport


def tripped(report: DiffReport, gates: Iterable[str]) -> dict[str, int]:
    """How many cases trip each of the gates asked for; gates that none trips are left out.

    Only confirmed slowdowns trip ``slower``; with ``unconfirmed`` those of single runs do too.
    Gates are about the ports: a blocked baseline is no failure of theirs.
    """
    found: dict[str, int] = {}
    for gate in gates:
        count = sum(trips(case, gate) for case in report.cases)
        if count:
            found[gate] = count
    return found


def trips(case: CaseDiff, gate: str) -> bool:
    """Whether one case trips a gate."""
    transitions = set(case.transitions)
    if gate == "slower":
        return case.verdict is Verdict.SLOWER and case.confirmed
    if gate == "unconfirmed":
        return case.verdict is Verdict.SLOWER and case.is_unconfirmed
    if gate == "undecided":
        return case.verdict is Verdict.CANNOT_TELL or Transition.LOST in transitions
    wanted = {
        "blocked": Transition.NEWLY_BLOCKED,
        "incorrect": Transition.BECAME_WRONG,
        "removed": Transition.REMOVED,
    }
    return wanted[gate] in transitions
