"""Errors for inputs that cannot even be opened, decompressed or held in memory."""

from __future__ import annotations

from kreport.errors import InputError
from kreport.identity import shown_path
from kreport.problems import Problem, Severity


def refusal(
    name: str, rule: str, message: str, hint: str | None = None, line: int | None = None
) -> InputError:
    """Return the error for one fault of a whole file."""
    problem = Problem(Severity.FILE, rule, message, shown_path(name), line=line, hint=hint)
    return InputError("1 problem in 1 file: nothing was written", (problem,))


def too_large(name: str, most: int) -> InputError:
    """Return the error for a file beyond the bound on its size."""
    return refusal(
        name,
        "too-large",
        f"more than {most:,} bytes",
        "split the file, or reduce samples with kreport summarize",
    )


def unreadable(name: str, error: OSError) -> InputError:
    """Return the error for an operating system that says no."""
    if isinstance(error, FileNotFoundError):
        return refusal(name, "no-such-file", "there is no such file")
    if isinstance(error, IsADirectoryError):
        return refusal(name, "is-a-folder", "this is a folder, not a file")
    if isinstance(error, PermissionError):
        return refusal(name, "unreadable", "permission denied")
    return refusal(name, "unreadable", (error.strerror or str(error)).lower())


def damaged_gzip(name: str, error: Exception, where: str = "") -> InputError:
    """Return the error for gzip data that is cut or damaged; `where` says how far it was read."""
    place = f" {where}" if where else ""
    return refusal(name, "damaged-gzip", f"the gzip data is damaged{place}: {error}".lower())


def changed(name: str) -> InputError:
    """Return the error for a file that did not hold still."""
    return refusal(
        name,
        "changed-while-read",
        "the file changed while it was being read",
        "wait until the benchmark has finished writing",
    )
