"""All inputs of one side of a command, read into one canonical run table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.errors import InputError
from kreport.identity import runs_of_files, shown_path, stamp_in
from kreport.problems import Problem, Severity, of_severity
from kreport.readers.canonical import LayoutRows, whole
from kreport.readers.content import STDIN, STDIN_NAME, load
from kreport.readers.faults import note_case_twin
from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.readers.paths import expand
from kreport.readers.places import lines_of
from kreport.readers.repeats import settle_repeats
from kreport.readers.run_file import FileFrame, read_file
from kreport.readers.samples.long_file import is_long
from kreport.schema import COLUMNS, IDENTITY, TEXT, RunTable, SampleStore, Source

_KEY = (*IDENTITY, "run")
_NOT_COMPARED = frozenset({*_KEY, "source", "line", "variant_index", "report_path", "spec"})
_COMPARED = tuple(name for name in COLUMNS if name not in _NOT_COMPARED)


@dataclass(frozen=True, slots=True)
class _FileRead:
    """One file that was read: its digest, what it gave, and what was found in it."""

    name: str
    sha256: str
    found: FileFrame
    findings: Findings


def read_runs(
    paths: Sequence[str], options: ReadOptions | None = None, *, keep_samples: bool = False
) -> RunTable:
    """Read files, folders, quoted globs and ``-`` into one table.

    Rows that cannot be trusted are problems of severity ROW, are counted in `Source.set_aside`
    and are in no number. A file that cannot be trusted, an absent one, or with
    `ReadOptions.strict` any row set aside, raises InputError with all problems of all files.
    `keep_samples` keeps the raw samples of sample files beside the table.
    """
    options = options or ReadOptions()
    reads: list[_FileRead] = []
    problems: list[Problem] = []
    files = expand(paths, options.limits)
    for path, run in runs_of_files(files).items():
        read, found = _read_file(path, run, options)
        problems.extend(found)
        if read is not None:
            reads.append(read)
    if of_severity(problems, Severity.FILE):
        raise _refused(problems)
    return _joined(reads, options, keep_samples)


def _read_file(path: str, run: str, options: ReadOptions) -> tuple[_FileRead | None, list[Problem]]:
    name = STDIN_NAME if path == STDIN else shown_path(path)
    findings = Findings(name)
    try:
        read = _read_long(path, run, options, findings) if path != STDIN else None
        if read is None and not findings.refused:
            read = _read_whole(path, run, options, findings)
        return read, list(findings.problems())
    except InputError as error:
        return None, list(error.problems)
    except RecursionError:
        findings.refuse("json", "nested too deeply to be read")
        return None, list(findings.problems())


def _read_long(path: str, run: str, options: ReadOptions, findings: Findings) -> _FileRead | None:
    if not is_long(path):
        return None
    from kreport.readers.samples.long_samples import read_long_samples
    from kreport.readers.samples.reduced import NAME

    long = read_long_samples(path, run, options, findings)
    if long is None:
        return None
    found = LayoutRows(long.reduced.paired.columns, long.reduced.store())
    file = FileFrame(found, NAME, long.rows, long.complete)
    return _FileRead(shown_path(path), long.sha256, file, findings)


def _read_whole(path: str, run: str, options: ReadOptions, findings: Findings) -> _FileRead | None:
    content = load(path, options.limits)
    found = read_file(content, run, options, findings)
    return None if found is None else _FileRead(content.name, content.sha256, found, findings)


def _joined(reads: list[_FileRead], options: ReadOptions, keep_samples: bool) -> RunTable:
    reads, repeats = _without_repeated_files(reads)
    rows = [read.found.found for read in reads]
    frame = _frame(rows)
    _note_twins(frame, reads)
    _note_dates(frame, reads)
    kept = settle_repeats(frame, _KEY, _COMPARED, [read.findings for read in reads])
    store = _stored(rows, kept) if keep_samples else None
    frame["line"] = lines_of(frame["line"])
    if not kept.all():
        frame = frame[kept].reset_index(drop=True)
    problems = [p for read in reads for p in read.findings.problems()] + repeats
    if options.strict and of_severity(problems, Severity.ROW):
        raise _refused(problems)
    stamps = [stamp_in(read.name) for read in reads]
    of_rows = {} if all(stamps) else _stamps_of_rows(frame)
    sources = tuple(
        Source(
            name=read.name,
            sha256=read.sha256,
            layout=read.found.layout,
            rows=read.found.rows,
            set_aside=read.findings.rows_set_aside,
            stamp=stamps[index] or of_rows.get(index, ""),
            complete=read.found.complete,
        )
        for index, read in enumerate(reads)
    )
    return RunTable(frame, sources, tuple(problems), store)


def _note_dates(frame: pd.DataFrame, reads: list[_FileRead]) -> None:
    """Note dates of runs that are none: such a run has no past, and nobody would know why."""
    first = frame.drop_duplicates(["source", "run_at"])[["run_at", "source", "line"]]
    for text, source, line in first.itertuples(index=False):
        if text and not stamp_in(text):
            reads[source].findings.note(
                "unreadable-date",
                "no date, so that this run has no place among others",
                line=line,
                column="run_at",
                value=text,
                hint="as in 2030-01-02T03:04:05Z",
            )


def _note_twins(frame: pd.DataFrame, reads: list[_FileRead]) -> None:
    """Note kernels whose names differ only in case, once a kernel, in the file that brings it."""
    first = frame.drop_duplicates("kernel")[["kernel", "source", "line"]]
    known: dict[str, str] = {}
    for kernel, source, line in first.itertuples(index=False):
        twin = known.setdefault(kernel.casefold(), kernel)
        if twin != kernel:
            note_case_twin(kernel, twin, line, reads[source].findings)


def _frame(rows: list[LayoutRows]) -> pd.DataFrame:
    """One frame of all files, with the dtypes of the schema."""
    parts = [part.columns for part in rows] or [whole({}, 0)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    columns["source"] = np.repeat(np.arange(len(rows)), [part.count for part in rows])
    texts = {name: pd.array(columns[name], dtype="str") for name in TEXT}
    return pd.DataFrame(columns | texts, copy=False)


def _stored(rows: list[LayoutRows], kept: npt.NDArray[np.bool_]) -> SampleStore:
    """The samples of all files by row of the joined table."""
    values, start, stop, offset = [], [], [], 0
    for part in rows:
        empty = np.zeros(2 * part.count, dtype=np.int64)
        store = part.samples or SampleStore(np.empty(0), empty, empty)
        values.append(store.values)
        start.append(store.start + offset)
        stop.append(store.stop + offset)
        offset += len(store.values)
    both = np.repeat(kept, 2)
    none = np.empty(0, dtype=np.int64)
    return SampleStore(
        np.concatenate([np.empty(0), *values]),
        np.concatenate([none, *start])[both],
        np.concatenate([none, *stop])[both],
    )


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


def _stamps_of_rows(frame: pd.DataFrame) -> dict[int, str]:
    """The newest stamp that the rows of each file have, by the number of the file."""
    newest: dict[int, str] = {}
    runs = frame[["source", "run", "run_at"]].drop_duplicates()
    for source, run, at in runs.itertuples(index=False):
        newest[source] = max(newest.get(source, ""), stamp_in(at) or stamp_in(run))
    return newest


def _refused(problems: list[Problem]) -> InputError:
    serious = [p for p in problems if p.severity is not Severity.NOTE]
    files = len({p.file for p in serious})
    plural = "problem" if len(serious) == 1 else "problems"
    where = "1 file" if files == 1 else f"{files} files"
    return InputError(f"{len(serious)} {plural} in {where}: nothing was written", tuple(problems))
