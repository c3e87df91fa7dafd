"""What is kept of a run: its samples as CSV, and beside them what they were measured with.

Columns of the CSV, one row a sample, blocked sides one row a timer without latency:
``run, family, kernel, variant_label, shape_summary_json, side, timer, status, sample_index,
latency_ms, reason, correct, device, run_at``. The record beside it ends in ``.meta.json``.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from kreport.atomic import write_all
from kreport.harness.record import CaseRecord, RunRecord, SideRecord
from kreport.model import Side, Status

COLUMNS = (
    "run",
    "family",
    "kernel",
    "variant_label",
    "shape_summary_json",
    "side",
    "timer",
    "status",
    "sample_index",
    "latency_ms",
    "reason",
    "correct",
    "device",
    "run_at",
)
META_VERSION = 1
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def run_paths(folder: Path, run: str, *, compress: bool) -> tuple[Path, Path]:
    """The samples file and the record of a run in a folder."""
    suffix = ".csv.gz" if compress else ".csv"
    return folder / f"run_{run}{suffix}", folder / f"run_{run}.meta.json"


def runs_kept(folder: Path) -> int:
    """How many runs a folder holds."""
    return sum(1 for _ in folder.glob("run_*.meta.json"))


def write_run(folder: Path, record: RunRecord, *, compress: bool = False) -> Path:
    """Write both files of a run, whole or not at all, and return the samples file.

    Raises `OutputError` where they cannot be written.
    """
    samples, meta = run_paths(folder, record.run, compress=compress)
    # A lone surrogate in somebody's error text cannot be written as it is.
    content = samples_csv(record).encode("utf-8", "backslashreplace")
    if compress:
        # No time stamp inside: the same run gives the same bytes.
        content = gzip.compress(content, mtime=0)
    write_all({samples: content, meta: meta_json(record).encode()})
    return samples


def samples_csv(record: RunRecord) -> str:
    """The run in the samples layout; latencies in ms with six decimals (one nanosecond)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for case in record.cases:
        for side in Side:
            for timer in record.timers:
                writer.writerows(_rows(record, case, side, timer))
    return text.getvalue()


def _rows(record: RunRecord, case: CaseRecord, side: Side, timer: str) -> Iterator[list[object]]:
    name, seen = case.name, case.sides[side]
    head = [record.run, name.family, name.kernel, name.label, name.shape_json, side, timer]
    tail = [seen.correct, record.device, record.run_at]
    if seen.status is not Status.OK:
        yield [*head, seen.status, "", "", _plain(seen.reason), *tail]
    for index, sample_ms in enumerate(seen.samples_ms.get(timer, ())):
        # The reason of a wrong result is told once, not a hundred times.
        reason = _plain(seen.reason) if index == 0 else ""
        yield [*head, seen.status, index, f"{sample_ms:.6f}", reason, *tail]


def _plain(reason: str) -> str:
    """A reason with its lines but without the control characters that a crash may leave in it."""
    return _CONTROL.sub("\ufffd", reason.replace("\r\n", "\n").replace("\r", "\n"))


def meta_json(record: RunRecord) -> str:
    """Clocks, machine, versions, seed and order of a run, and what the CSV has no column for."""
    return (
        json.dumps(
            {
                "kreport_run": META_VERSION,
                "run": record.run,
                "run_at": record.run_at,
                "device": record.device,
                "seed": record.seed,
                "order": [record.cases[position].name.title for position in record.order],
                "effort": record.effort,
                "clocks": record.clocks,
                "environment": record.environment,
                "process_deaths": record.deaths,
                "cases": [_case_meta(case) for case in record.cases],
            },
            indent=1,
            allow_nan=False,
        )
        + "\n"
    )


def _case_meta(case: CaseRecord) -> dict[str, object]:
    return {
        "family": case.name.family,
        "kernel": case.name.kernel,
        "variant_label": case.name.label,
        "shape_summary_json": case.name.shape_json,
        "structure": case.name.structure or None,
        "scalar_matches": case.name.scalar_matches,
        **{side.value: _side_meta(case.sides[side]) for side in Side},
    }


def _side_meta(seen: SideRecord) -> dict[str, object]:
    return {
        "status": seen.status,
        "first_call_ms": seen.first_call_ms,
        "not_timed": dict(seen.untimed),
    }
