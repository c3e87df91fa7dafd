"""Every way kreport can fail, and the exit code each one means.

KReportError
├── UsageError          2   a call, the command line or the settings ask for something impossible
├── InputError          3   an input cannot be read or trusted; nothing was written
├── OutputError         3   a result cannot be written; what stood there before still stands
└── NothingComparable   4   no old run, no row in common, or a needed input is absent

A gate asked for with ``--fail-on`` is a result, not an error: it is the only thing that exits 1.
Anything else that escapes is a bug in kreport and exits 70.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from kreport.problems import Problem


class ExitCode(IntEnum):
    """What the exit code of any kreport command means."""

    DONE = 0
    GATE = 1
    USAGE = 2
    INPUT = 3
    NOTHING_COMPARABLE = 4
    BUG = 70


class KReportError(Exception):
    """Base of all errors that kreport raises on purpose. Of kreport, only `cli` catches it."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUG


class UsageError(KReportError, ValueError):
    """A call, the command line or the settings ask for something impossible.

    The one error of the public functions: arguments out of range, samples that are no numbers. It
    is a ValueError too, which is what callers of a statistics library look for.
    """

    exit_code = ExitCode.USAGE


class InputError(KReportError):
    """An input cannot be read or trusted.

    `problems` lists everything that was found, not only the first; it may be empty where the
    message says it all (a file that is not there).
    """

    exit_code = ExitCode.INPUT

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class OutputError(KReportError):
    """A result cannot be written (disk full, read-only folder); the previous one still stands."""

    exit_code = ExitCode.INPUT


class NothingComparable(KReportError):
    """There is nothing to compare: no old run, no row in common, or an expected input is absent."""

    exit_code = ExitCode.NOTHING_COMPARABLE
