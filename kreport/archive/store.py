"""The archive: one CSV and one JSON a report, under the stamp of its data, in a plain folder.

The folder is the truth: no index has to agree with it, so any number of writers and a hand with
`rm` are safe. A snapshot exists once its CSV does. Writers take turns through the folder's lock.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kreport import stamps
from kreport.atomic import holds, lock_or_fail, write_all
from kreport.formula import restore

FOLDER = "archive"
PREFIX = "regression_"
LATEST = f"{PREFIX}latest"
"""Name of the files of the newest report, outside the archive, without their endings."""
_NAME = re.compile(rf"{PREFIX}(\d{{8}}T\d{{6}}Z)(?:-(\d+))?\.csv")
_WAIT_S = 120.0
_LONGEST_CELL = 1 << 27


@dataclass(frozen=True, slots=True, order=True)
class Snapshot:
    """One archived report. Sorts oldest first; `number` tells apart those of one stamp."""

    stamp: str
    number: int
    csv: Path

    @property
    def json(self) -> Path:
        """The same report for programs; may be gone where somebody removed it."""
        return self.csv.with_suffix(".json")


def snapshots(folder: Path) -> tuple[Snapshot, ...]:
    """The snapshots of an archive, oldest first; none where there is no such folder."""
    found = []
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    for entry in entries:
        match = _NAME.fullmatch(entry.name)
        if match and entry.is_file():  # a pipe of that name would be waited for without end
            found.append(Snapshot(match[1], int(match[2] or 1), Path(entry.path)))
    return tuple(sorted(found))


def store(folder: Path, csv_bytes: bytes, json_bytes: bytes, stamp: str, keep: int = 0) -> bool:
    """Put a report into the archive; False where its CSV is there already.

    `stamp` dates the data; where it is "" the clock does, never before the newest snapshot, so a
    clock set back reorders nothing. With `keep` above 0 only the newest `keep` snapshots stay,
    and the one just stored. Raises `OutputError` when the folder cannot be written.
    """
    with lock_or_fail(folder, _WAIT_S):
        known = snapshots(folder)
        if holds_report(known, csv_bytes):
            return False
        new = _named(folder, known, stamp or _clock_stamp(known))
        # JSON first: a snapshot without its CSV does not exist, so none is ever half there.
        write_all({new.json: json_bytes, new.csv: csv_bytes})
        _expire((*known, new), new, keep)
        return True


def holds_report(known: Sequence[Snapshot], csv_bytes: bytes) -> bool:
    """Whether one of these snapshots is the report with this CSV; the newest is looked at first."""
    return any(holds(snapshot.csv, csv_bytes) for snapshot in reversed(known))


def previous(folder: Path, clocks: Set[tuple[str, str]], before: str) -> Snapshot | None:
    """The newest snapshot of older data with a case on one of `clocks` (timer, device) pairs.

    `before` is the stamp of the data it is for; "" takes the newest snapshot that compares.
    """
    for snapshot in reversed(snapshots(folder)):
        if (not before or snapshot.stamp < before) and _shares_a_clock(snapshot.csv, clocks):
            return snapshot
    return None


def _clock_stamp(known: tuple[Snapshot, ...]) -> str:
    now = stamps.now_stamp()
    return max(now, known[-1].stamp) if known else now


def _named(folder: Path, known: tuple[Snapshot, ...], stamp: str) -> Snapshot:
    taken = [snapshot.number for snapshot in known if snapshot.stamp == stamp]
    number = max(taken, default=0) + 1
    ending = f"-{number}" if number > 1 else ""
    return Snapshot(stamp, number, folder / f"{PREFIX}{stamp}{ending}.csv")


def _expire(known: tuple[Snapshot, ...], new: Snapshot, keep: int) -> None:
    for snapshot in sorted(known)[:-keep] if keep > 0 else ():
        if snapshot != new:
            snapshot.csv.unlink(missing_ok=True)
            snapshot.json.unlink(missing_ok=True)


@contextmanager
def report_rows(path: Path) -> Iterator[csv.DictReader[str]]:
    """The rows of a CSV of kreport's own, cells of any length that it writes included.

    Raises OSError, UnicodeDecodeError or `csv.Error`, at once or between rows.
    """
    usual = csv.field_size_limit(_LONGEST_CELL)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield csv.DictReader(file)
    finally:
        csv.field_size_limit(usual)


def _shares_a_clock(path: Path, clocks: Set[tuple[str, str]]) -> bool:
    """Whether a snapshot has a case on one of the clocks; False where it cannot be read as one."""
    try:
        with report_rows(path) as rows:
            found = ((row.get("timer") or "", row.get("device") or "") for row in rows)
            return any((restore(timer), restore(device)) in clocks for timer, device in found)
    except (OSError, UnicodeDecodeError, csv.Error):
        return False
