"""What is asked for and not there, which is another matter than inputs that are bad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.errors import NothingComparable
from kreport.problems import Severity, of_severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kreport.errors import InputError

_RULES = frozenset({"no-such-file", "no-inputs"})


def absent_inputs(error: InputError) -> str:
    """Name the inputs that are absent; "" where anything else is wrong with one."""
    refused = of_severity(error.problems, Severity.FILE)
    if not refused or any(problem.rule not in _RULES for problem in refused):
        return ""
    return "; ".join(f"{problem.where}: {problem.message}" for problem in refused)


def require_clock(timer: str, clocks: Iterable[str]) -> None:
    """Raise `NothingComparable` unless the clock that ``--timer`` names is among those measured."""
    known = sorted(set(clocks))
    if timer not in known:
        shown = ", ".join(clock or "(none)" for clock in known)
        raise NothingComparable(f"--timer {timer}: only {shown} in these runs")
