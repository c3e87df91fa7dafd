"""The history of an archive in well under a second, whatever its size.

What was read once is kept in one file beside the snapshots. That file is never the authority: a
snapshot that it does not know by name, size and time of change is read, one that is gone is
dropped, and a cache that cannot be read or written costs time and nothing else. Two processes that
write it at once both write a correct one, and the last stays.
"""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kreport.archive.history import (
    MEDIANS,
    WORDS,
    History,
    RunName,
    empty,
    history_of,
    joined,
    renamed,
)
from kreport.archive.snapshot import read_snapshots
from kreport.archive.store import Snapshot, snapshots
from kreport.atomic import write_all
from kreport.errors import InputError, OutputError
from kreport.model import CaseKey
from kreport.problems import Problem, Severity
from kreport.readers import ReadOptions, read_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CACHE_NAME = ".kreport-history.npz"
_VERSION = 1
_BATCH = 50
"""Snapshots read at once: 15 MB of text for a thousand cases."""

_Stat = tuple[int, int]
"""Size and time of change of a file: what it is known by."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A cached history and the files it was made from. `hidden` files added no run of their own."""

    history: History
    files: Mapping[str, _Stat]
    hidden: frozenset[str]


def load_history(folder: Path, options: ReadOptions | None = None) -> History:
    """All runs of an archive of kreport's own, or of any folder of inputs, oldest first.

    Files that cannot be trusted are left out and are in `History.problems`. A folder without
    snapshots is read as `kreport build` would read it, and raises what that raises.
    """
    options = options or ReadOptions()
    found = snapshots(folder)
    if not found:
        return history_of(read_runs([str(folder)], options))
    return renamed(_updated(folder, found, options), options.kernel_aliases)


def _updated(folder: Path, found: Sequence[Snapshot], options: ReadOptions) -> History:
    present = {s.csv.name: (s, stat) for s in found if (stat := _stat(s.csv)) is not None}
    known = _load(folder / CACHE_NAME)
    gone = [n for n, stat in known.files.items() if n not in present or present[n][1] != stat]
    if gone:
        known = _without(known, frozenset(gone))
    new = [snapshot for name, (snapshot, _) in present.items() if name not in known.files]
    if not new and not gone:
        return known.history
    history = joined([known.history, *_read(new, options)])
    broken = {problem.file for problem in history.problems}
    seen = {name: stat for name, (_, stat) in present.items() if name not in broken}
    shown = {run.file for run in history.runs}
    _save(folder / CACHE_NAME, _Known(history, seen, frozenset(seen.keys() - shown)))
    return history


def _without(known: _Known, gone: frozenset[str]) -> _Known:
    """Forgets files. A run that stood in for a hidden file takes all knowledge with it."""
    if known.hidden:
        return _Known(empty(), {}, frozenset())
    kept = [i for i, run in enumerate(known.history.runs) if run.file not in gone]
    history = known.history.select(range(len(known.history.cases)), kept)
    return _Known(history, {n: s for n, s in known.files.items() if n not in gone}, frozenset())


def _read(new: Sequence[Snapshot], options: ReadOptions) -> Iterator[History]:
    for start in range(0, len(new), _BATCH):
        batch = new[start : start + _BATCH]
        contents: dict[Snapshot, bytes] = {}
        for snapshot in batch:
            try:
                contents[snapshot] = snapshot.csv.read_bytes()
            except FileNotFoundError:
                continue  # retention took it while we were reading
            except OSError as error:
                yield _unreadable(snapshot, error.strerror or str(error))
        yield from _parsed(contents, options)


def _parsed(contents: Mapping[Snapshot, bytes], options: ReadOptions) -> Iterator[History]:
    """A whole batch at once where every file in it is kreport's own, else file by file."""
    together = read_snapshots(contents)
    if together is not None:
        yield together
        return
    for snapshot, content in contents.items():
        alone = read_snapshots({snapshot: content})
        if alone is not None:
            yield alone
            continue
        try:
            table = read_runs([str(snapshot.csv)], options)
        except InputError as error:
            yield _unreadable(snapshot, str(error))
            continue
        if not all(source.complete for source in table.sources):
            yield _unreadable(snapshot, "it ends in the middle of a row")
            continue
        read = history_of(table)
        runs = tuple(replace(run, file=snapshot.csv.name) for run in read.runs)
        yield replace(read, runs=runs, problems=())


def _unreadable(snapshot: Snapshot, why: str) -> History:
    message = f"this archived report cannot be used: {why}"
    problem = Problem(Severity.NOTE, "snapshot-unreadable", message, snapshot.csv.name)
    return replace(empty(), problems=(problem,))


def _stat(path: Path) -> _Stat | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _load(path: Path) -> _Known:
    nothing = _Known(empty(), {}, frozenset())
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            about = json.loads(stored["about"].tobytes())
            if about["version"] != _VERSION:
                return nothing
            history = History(
                runs=tuple(RunName(*row) for row in about["runs"]),
                cases=tuple(CaseKey(*row) for row in about["cases"]),
                medians={name: stored[name] for name in MEDIANS},
                codes={name: stored[name] for name in WORDS},
            )
        files = {name: (stat[0], stat[1]) for name, stat in about["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, IndexError, EOFError, zipfile.BadZipFile):
        return nothing
    return _Known(history, files, frozenset(about["hidden"]))


def _save(path: Path, known: _Known) -> None:
    about = {
        "version": _VERSION,
        "files": known.files,
        "hidden": sorted(known.hidden),
        "runs": [astuple(run) for run in known.history.runs],
        "cases": [astuple(case) for case in known.history.cases],
    }
    tables: dict[str, np.ndarray] = {**known.history.medians, **known.history.codes}
    tables["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **tables)
    with contextlib.suppress(OutputError):  # a folder that cannot be written still can be read
        write_all({path: buffer.getvalue()})
