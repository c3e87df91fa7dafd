"""What is wrong with one file, collected: every problem, within a bound a person can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kreport.errors import InputError
from kreport.problems import Problem, Severity
from kreport.readers.places import line_of

_LISTED_PER_RULE = 10_000
_LONGEST_VALUE = 80


def shorten(value: object) -> str:
    """A found value as messages show it: one line, at most 80 characters, a visible cut."""
    text = value if isinstance(value, str) else repr(value)
    text = text[: 2 * _LONGEST_VALUE]
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


class Findings:
    """The problems of one file. Counts all, lists the first of each rule and says how many more."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._listed: list[Problem] = []
        self._counts: Counter[tuple[Severity, str]] = Counter()
        self._rows: set[int] = set()
        self._seen: set[tuple[object, ...]] = set()

    def add(
        self,
        severity: Severity,
        rule: str,
        message: str,
        *,
        line: int | None = None,
        column: str | None = None,
        value: object = None,
        hint: str | None = None,
        also: Iterable[int] = (),
    ) -> None:
        """Note one problem, once. A ROW problem sets the row at `line`, and those `also`, aside.

        `line` is a place: the line, and in JSON which row of that line (`kreport.readers.places`).
        """
        found = None if value is None else shorten(value)
        place_of = (rule, line, column, found)
        if place_of in self._seen:
            return
        self._seen.add(place_of)
        if severity is Severity.ROW and line is not None:
            self._rows.add(line)
            self._rows.update(also)
        self._counts[severity, rule] += 1
        if self._counts[severity, rule] > _LISTED_PER_RULE:
            return
        shown = None if line is None else line_of(line)
        place = None if column is None else shorten(column)
        self._listed.append(Problem(severity, rule, message, self.file, shown, place, found, hint))

    def refuse(self, rule: str, message: str, **place: object) -> None:
        """The file as a whole cannot be trusted."""
        self.add(Severity.FILE, rule, message, **place)  # type: ignore[arg-type]

    def set_aside(self, rule: str, message: str, **place: object) -> None:
        """One row cannot be trusted."""
        self.add(Severity.ROW, rule, message, **place)  # type: ignore[arg-type]

    def note(self, rule: str, message: str, **place: object) -> None:
        """Worth knowing; nothing is left out because of it."""
        self.add(Severity.NOTE, rule, message, **place)  # type: ignore[arg-type]

    def take(self, error: InputError) -> None:
        """Add the problems of an error, where reading must go on to its end."""
        for problem in error.problems:
            self.add(
                problem.severity,
                problem.rule,
                problem.message,
                line=problem.line,
                column=problem.column,
                value=problem.value,
                hint=problem.hint,
            )

    @property
    def refused(self) -> bool:
        """Whether anything found so far makes the whole file unusable."""
        return any(severity is Severity.FILE for severity, _ in self._counts)

    @property
    def rows_set_aside(self) -> int:
        """Distinct rows with a problem that sets a row aside."""
        return len(self._rows)

    def rows(self) -> frozenset[int]:
        """Places of the rows set aside."""
        return frozenset(self._rows)

    def problems(self) -> tuple[Problem, ...]:
        """Everything found, by line; a rule found too often to list ends in a count."""
        listed = sorted(self._listed, key=lambda problem: problem.line or 0)
        for (severity, rule), count in self._counts.items():
            if count > _LISTED_PER_RULE:
                last = next(p for p in reversed(listed) if (p.severity, p.rule) == (severity, rule))
                more = (
                    f"{last.message}; and {count - _LISTED_PER_RULE} more of the same in this file"
                )
                listed.append(replace(last, message=more, column=None, value=None))
        return tuple(listed)
