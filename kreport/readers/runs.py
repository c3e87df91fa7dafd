"""All inputs of one side of a command, read into one canonical run table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from kreport.errors import InputError
from kreport.identity import run_of_file, stamp_in
from kreport.problems import Problem, Severity, of_severity
from kreport.readers.cases import frame_of
from kreport.readers.content import STDIN, STDIN_NAME, Content, load
from kreport.readers.delimited import FileFrame, read_delimited
from kreport.readers.duplicates import settle_duplicates
from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.readers.paths import expand
from kreport.schema import RunTable, Source


@dataclass(frozen=True, slots=True)
class _FileRead:
    """One file that was read: its digest, what it gave, and what was found in it."""

    name: str
    sha256: str
    found: FileFrame
    findings: Findings


def read_runs(paths: Sequence[str], options: ReadOptions | None = None) -> RunTable:
    """Read files, folders, quoted globs and ``-`` into one table.

    Rows that cannot be trusted are problems of severity ROW, are counted in `Source.set_aside`
    and are in no number. A file that cannot be trusted, an absent one, or with
    `ReadOptions.strict` any row set aside, raises InputError with all problems of all files.
    """
    options = options or ReadOptions()
    reads: list[_FileRead] = []
    problems: list[Problem] = []
    for path in expand(paths, options.limits):
        read, found = _read_file(path, options)
        problems.extend(found)
        if read is not None:
            reads.append(read)
    if of_severity(problems, Severity.FILE):
        problems.extend(p for read in reads for p in read.findings.problems())
        raise _refused(problems)
    return _joined(reads, options)


def _read_file(path: str, options: ReadOptions) -> tuple[_FileRead | None, list[Problem]]:
    name = STDIN_NAME if path == STDIN else path
    findings = Findings(name)
    try:
        content = load(path, options.limits)
    except InputError as error:
        return None, list(error.problems)
    found = _parse(content, options, findings)
    if found is None:
        return None, list(findings.problems())
    return _FileRead(name, content.sha256, found, findings), []


def _parse(content: Content, options: ReadOptions, findings: Findings) -> FileFrame | None:
    return read_delimited(content, run_of_file(content.name), options, findings)


def _joined(reads: list[_FileRead], options: ReadOptions) -> RunTable:
    reads, repeats = _without_repeated_files(reads)
    frames = [read.found.frame.assign(source=index) for index, read in enumerate(reads)]
    frame = pd.concat(frames, ignore_index=True) if frames else frame_of({}, 0)
    frame = settle_duplicates(frame, [read.findings for read in reads])
    problems = [p for read in reads for p in read.findings.problems()] + repeats
    if options.strict and of_severity(problems, Severity.ROW):
        raise _refused(problems)
    sources = tuple(
        Source(
            name=read.name,
            sha256=read.sha256,
            layout=read.found.layout,
            rows=read.found.rows,
            set_aside=read.findings.rows_set_aside,
            stamp=stamp_in(read.name) or _stamp_of_rows(frame, index),
            complete=read.found.complete,
        )
        for index, read in enumerate(reads)
    )
    return RunTable(frame, sources, tuple(problems))


def _without_repeated_files(reads: list[_FileRead]) -> tuple[list[_FileRead], list[Problem]]:
    """The same bytes given twice are one input: a copy is no second run."""
    first: dict[str, _FileRead] = {}
    repeats = []
    for read in reads:
        known = first.setdefault(read.sha256, read)
        if known is not read:
            message = f"the same bytes as {known.name}, used once"
            repeats.append(Problem(Severity.NOTE, "repeated-file", message, read.name))
    return list(first.values()), repeats


def _stamp_of_rows(frame: pd.DataFrame, index: int) -> str:
    dated = frame.loc[frame["source"] == index, "run_at"]
    return max((stamp_in(text) for text in dated.unique()), default="")


def _refused(problems: list[Problem]) -> InputError:
    serious = [p for p in problems if p.severity is not Severity.NOTE]
    files = len({p.file for p in serious})
    plural = "problem" if len(serious) == 1 else "problems"
    where = "1 file" if files == 1 else f"{files} files"
    return InputError(f"{len(serious)} {plural} in {where}: nothing was written", tuple(problems))
