"""What is wrong with an input, as data: where, which rule, what was found, how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What kreport does because of a problem."""

    FILE = "refused"
    """The whole file cannot be trusted: exit 3, nothing is written."""
    ROW = "set aside"
    """This row cannot be trusted: left out of every number, counted and listed in the report."""
    NOTE = "note"
    """Worth knowing; the row or file is used all the same."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one place of one input.

    `rule` is a short stable name (``negative-latency``); `message` says the rule in words,
    `value` is the text found, already cut to a printable length; `hint` says how to mend it.
    """

    severity: Severity
    rule: str
    message: str
    file: str
    line: int | None = None
    column: str | None = None
    value: str | None = None
    hint: str | None = None

    @property
    def where(self) -> str:
        """``file:line: column`` as far as known."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return place if self.column is None else f"{place}: {self.column}"

    def __str__(self) -> str:
        found = "" if self.value is None else f", found {self.value!r}"
        hint = "" if self.hint is None else f" ({self.hint})"
        return f"{self.where}: {self.severity}: {self.rule}: {self.message}{found}{hint}"


def of_severity(problems: Iterable[Problem], severity: Severity) -> tuple[Problem, ...]:
    """The problems that have this severity, in their order."""
    return tuple(problem for problem in problems if problem.severity is severity)
