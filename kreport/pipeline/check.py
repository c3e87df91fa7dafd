"""``kreport check``: every problem of every file, as ``build`` would find them; nothing written."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from kreport.errors import ExitCode, InputError
from kreport.problems import Problem, Severity
from kreport.readers import ReadOptions, is_matrix, read_matrix, read_runs
from kreport.report.problem_lines import by_place, problem_count, problem_line
from kreport.report.run.json_view import problem_record
from kreport.settings import Settings


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, and in how many files it looked."""

    problems: tuple[Problem, ...]
    files: int

    @property
    def exit_code(self) -> ExitCode:
        """INPUT where any row or file cannot be trusted; notes alone are no fault."""
        serious = any(problem.severity is not Severity.NOTE for problem in self.problems)
        return ExitCode.INPUT if serious else ExitCode.DONE


def check(paths: Sequence[str], settings: Settings) -> Checked:
    """Read runs together, as a build would, and each kernel-state matrix by itself."""
    options = ReadOptions.of(settings)
    matrices = [path for path in paths if is_matrix(path)]
    runs = [path for path in paths if path not in matrices]
    problems: list[Problem] = []
    files = len(matrices)
    if runs:
        try:
            table = read_runs(runs, options)
            problems += table.problems
            files += len({*(s.name for s in table.sources), *(p.file for p in table.problems)})
        except InputError as error:
            problems += error.problems
            files += max(len({p.file for p in error.problems}), len(runs))
    for path in matrices:
        try:
            problems += read_matrix(path, options).problems
        except InputError as error:
            problems += error.problems
    return Checked(tuple(by_place(problems)), files)


def say_checked(checked: Checked, output: str, *, quiet: bool) -> None:
    """Write the problems to standard output, a count to standard error."""
    if output == "json":
        record = {"version": 1, "problems": [problem_record(p) for p in checked.problems]}
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
        return
    for problem in checked.problems:
        sys.stdout.write(problem_line(problem) + "\n")
    if not quiet:
        sys.stdout.flush()
        sys.stderr.write(f"kreport: {problem_count(checked.problems, checked.files)}\n")
