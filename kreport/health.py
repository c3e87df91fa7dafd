"""Whether the night job can be trusted: its inputs, its last report, its archive, its lock.

Nothing is written and nothing is repaired here: every fault names what mends it.
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kreport import stamps
from kreport.archive.store import LATEST, Snapshot, holds_report, report_rows, snapshots
from kreport.atomic import unfinished
from kreport.errors import InputError
from kreport.lock import LOCK_NAME, Busy, holder, probe
from kreport.readers.paths import expand

if TYPE_CHECKING:
    from kreport.readers import Limits

_ROOM_BYTES = 16 << 20


class Health(StrEnum):
    """How one subject is. Only the last two make `kreport doctor` exit 4."""

    OK = "ok"
    NOTE = "note"
    STALE = "stale"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one subject, in a sentence."""

    subject: str
    health: Health
    message: str


@dataclass(frozen=True, slots=True)
class NightJob:
    """What there is to look at; all paths as the settings have them, "" for none."""

    inputs: tuple[str, ...]
    matrix: str
    out: Path
    archive: Path
    prom: str
    limits: Limits
    max_age_hours: float | None
    now_stamp: str


def examine(job: NightJob) -> tuple[Finding, ...]:
    """Look at everything; the order is that in which a night job needs it."""
    record, report_findings = _report(job.out)
    return (
        *_inputs(job),
        *_lock(job),
        *report_findings,
        *(_against_inputs(job, record) if record else ()),
        *(_age(job, record) if record else ()),
        *_archive(job, record is not None),
        *_prom(job),
        *_room(job.out),
    )


def needs_care(findings: Sequence[Finding]) -> bool:
    """Whether anything is stale or broken."""
    return any(found.health in (Health.STALE, Health.BROKEN) for found in findings)


def standing_report(out: Path, now_stamp: str) -> str:
    """The report that stays when a build cannot be made, with its age: for the message of it."""
    record, _ = _report(out)
    if record is None:
        return f"there is no earlier report in {out}"
    stamp = record.get("data_stamp") or ""
    hours = stamps.hours_between(stamp, now_stamp)
    age = "" if hours is None else f", {age_text(hours)} old,"
    return f"the report of {stamps.readable(stamp) or 'unknown date'}{age} stays in {out}"


def age_text(hours: float) -> str:
    """An age in hours up to two days, then in days."""
    return f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"


def _inputs(job: NightJob) -> Iterator[Finding]:
    if not job.inputs:
        yield Finding("inputs", Health.NOTE, "none configured: build reports the shipped example")
    else:
        try:
            files = expand(job.inputs, job.limits)
        except InputError as error:
            for problem in error.problems:
                yield Finding("inputs", Health.BROKEN, f"{problem.file}: {problem.message}")
        else:
            absent = [name for name in files if name != "-" and not Path(name).is_file()]
            for name in absent:
                yield Finding("inputs", Health.BROKEN, f"{name}: there is no such file")
            if not absent:
                yield Finding("inputs", Health.OK, f"{len(files)} files")
    if job.matrix and not Path(job.matrix).is_file():
        yield Finding("matrix", Health.BROKEN, f"{job.matrix}: there is no such file")
    elif job.matrix:
        yield Finding("matrix", Health.OK, job.matrix)


def _lock(job: NightJob) -> Iterator[Finding]:
    busy = probe(job.out)
    if isinstance(busy, Busy):
        yield Finding("lock", Health.NOTE, f"a build is at work: {busy}")
    elif unfinished(job.out):
        message = "a killed build left files of two reports; the next build completes the new one"
        yield Finding("lock", Health.BROKEN, message)
    elif (job.out / LOCK_NAME).exists():
        by = holder(job.out)
        message = f"free; a killed build left its file ({by}), which means nothing"
        yield Finding("lock", Health.OK, message)
    else:
        yield Finding("lock", Health.OK, "free")


def _report(out: Path) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """The record of the last report, None unless it is whole; and what there is to say of it."""
    path = out / f"{LATEST}.json"
    try:
        record = json.loads(path.read_bytes())
        if record["format"] != "kreport-report":
            return None, (_broken(f"{path}: not a report of kreport's"),)
        medians = [
            case["pto"]["median_ms"] for kernel in record["kernels"] for case in kernel["cases"]
        ]
    except FileNotFoundError:
        return None, (_broken(f"{path}: not there; `kreport build` writes it"),)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return None, (_broken(f"{path}: cannot be read: {error}"),)
    table = out / f"{LATEST}.csv"
    if _medians_in(table) != medians:
        return None, (_broken(f"{table}: does not hold the numbers of {path.name}"),)
    empty = [p.name for p in sorted(out.glob(f"{LATEST}.*")) if p.stat().st_size == 0]
    if empty:
        return None, (_broken(f"{out}: empty files: {', '.join(empty)}"),)
    date = stamps.readable(record.get("data_stamp") or "") or "unknown date"
    return record, (Finding("report", Health.OK, f"whole, {len(medians)} rows, data of {date}"),)


def _broken(message: str) -> Finding:
    return Finding("report", Health.BROKEN, message)


def _medians_in(path: Path) -> list[float | None] | None:
    try:
        with report_rows(path) as rows:
            cells = [row["pto_median_ms"] for row in rows]
        return [float(cell) if cell else None for cell in cells]
    except (OSError, ValueError, KeyError, TypeError, csv.Error):
        return None


def _against_inputs(job: NightJob, record: dict[str, Any]) -> Iterator[Finding]:
    """Whether the report is of the inputs as they are now."""
    if not job.inputs or "-" in job.inputs:
        return
    try:
        files = expand(job.inputs, job.limits)
        now = {_sha256(Path(name)) for name in files}
    except (InputError, OSError):
        return  # said already
    if now != {source["sha256"] for source in record["inputs"]}:
        yield Finding("report", Health.STALE, "the inputs have changed since; build again")
    matrix = record.get("matrix") or {}
    if (
        job.matrix
        and Path(job.matrix).is_file()
        and matrix.get("sha256") != _sha256(Path(job.matrix))
    ):
        yield Finding("report", Health.STALE, "the matrix has changed since; build again")


def _age(job: NightJob, record: dict[str, Any]) -> Iterator[Finding]:
    hours = stamps.hours_between(record.get("data_stamp") or "", job.now_stamp)
    if hours is None:
        yield Finding("data", Health.NOTE, "its age is unknown: nothing dates it")
    elif hours < 0:
        message = f"dated {age_text(-hours)} after the clock of this machine: one of them is wrong"
        yield Finding("data", Health.STALE, message)
    elif job.max_age_hours is not None and hours > job.max_age_hours:
        limit = age_text(job.max_age_hours)
        yield Finding("data", Health.STALE, f"{age_text(hours)} old, more than {limit}")
    else:
        yield Finding("data", Health.OK, f"{age_text(hours)} old")


def _archive(job: NightJob, has_report: bool) -> Iterator[Finding]:
    found = snapshots(job.archive)
    if not found:
        yield Finding("archive", Health.NOTE, f"{job.archive}: empty; builds fill it")
        return
    torn = [snapshot.csv.name for snapshot in found if not _is_whole(snapshot)]
    bare = sum(not snapshot.json.exists() for snapshot in found)
    for name in torn:
        yield Finding("archive", Health.BROKEN, f"{name}: ends in the middle; remove or restore it")
    if bare:
        yield Finding("archive", Health.NOTE, f"{bare} snapshots without their JSON")
    if has_report and job.inputs and not _holds_latest(job, found):
        yield Finding("archive", Health.STALE, "the last report is not in it; build again")
    if not torn:
        newest = stamps.readable(found[-1].stamp)
        yield Finding("archive", Health.OK, f"{len(found)} snapshots, the newest of {newest}")


def _is_whole(snapshot: Snapshot) -> bool:
    try:
        with snapshot.csv.open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"
    except OSError:
        return False


def _holds_latest(job: NightJob, found: Sequence[Snapshot]) -> bool:
    return holds_report(found, (job.out / f"{LATEST}.csv").read_bytes())


def _prom(job: NightJob) -> Iterator[Finding]:
    if not job.prom:
        return
    path = Path(job.prom)
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        yield Finding("prom", Health.BROKEN, f"{path}: cannot be read: {error.strerror}")
        return
    if "kreport_last_success_timestamp_seconds" not in text or not text.endswith("\n"):
        yield Finding("prom", Health.BROKEN, f"{path}: not whole")
    else:
        yield Finding("prom", Health.OK, str(path))


def _room(out: Path) -> Iterator[Finding]:
    try:
        free = shutil.disk_usage(out).free
    except OSError:
        return
    if free < _ROOM_BYTES:
        yield Finding(
            "disk", Health.BROKEN, f"{free >> 10} kB free in {out}: too little for a report"
        )


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
