"""Problems as every command prints them: one place, so that `check` and `build` say the same."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from kreport.problems import Problem, Severity, of_severity
from kreport.report.text import one_line

PROBLEMS_SHOWN = 20


def problem_line(problem: Problem) -> str:
    """One problem on one line, safe for a terminal."""
    return one_line(str(problem))


def problem_count(problems: Sequence[Problem], files: int) -> str:
    """``3 files: 1 refused, 2 rows set aside, 1 note``, for the end of a list."""
    refused = len({problem.file for problem in of_severity(problems, Severity.FILE)})
    aside = len(of_severity(problems, Severity.ROW))
    notes = len(of_severity(problems, Severity.NOTE))
    parts = [
        f"{refused} refused" if refused else "",
        _plural(aside, "problem that sets rows aside", "problems that set rows aside"),
        _plural(notes, "note", "notes"),
    ]
    told = ", ".join(part for part in parts if part) or "nothing to complain about"
    return f"{_plural(files, 'file', 'files')}: {told}"


def _plural(count: int, one: str, many: str) -> str:
    return "" if not count else f"{count} {one if count == 1 else many}"


def by_place(problems: Iterable[Problem]) -> list[Problem]:
    """In the order of files as first met, then of lines."""
    known: dict[str, int] = {}
    return sorted(
        problems,
        key=lambda p: (known.setdefault(p.file, len(known)), p.line or 0),
    )


def show_problems(problems: Sequence[Problem], limit: int | None = PROBLEMS_SHOWN) -> None:
    """Print findings in the inputs to standard error, one a line; all of them without a limit."""
    shown = problems if limit is None else problems[:limit]
    for problem in shown:
        sys.stderr.write(problem_line(problem) + "\n")
    if len(shown) < len(problems):
        sys.stderr.write(f"... and {len(problems) - len(shown)} more; `kreport check` lists all\n")
