"""``kreport summarize``: samples, or any runs, reduced to one row a case with quartiles."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from kreport.atomic import write_all
from kreport.errors import NothingComparable
from kreport.formula import neutralise
from kreport.model import Correctness, Side
from kreport.problems import Severity, of_severity
from kreport.readers import ReadOptions, read_runs
from kreport.report.problem_lines import problem_line
from kreport.report.run.csv_view import CHECKS, KNOWN_COLUMNS
from kreport.schema import SIDE_NUMBERS, RunTable
from kreport.settings import Settings

_STATISTICS = tuple(name for name in SIDE_NUMBERS if name != "median_ms")
_RENAMED = {"shape_summary_json": "shape", "baseline_limitations_json": "limitations"}
"""Columns that the run table calls otherwise."""
_OWN = ("run", "run_at", "timer", "baseline_device", "pto_device")


def summarize(paths: Sequence[str], settings: Settings, out: str = "") -> int:
    """Write layout 1 with quartiles to `out`, or to standard output.

    Raises:
        InputError: an input cannot be trusted; nothing was written.
        NothingComparable: no row can be used.
        OutputError: `out` cannot be written; what stood there still stands.
    """
    table = read_runs(paths, ReadOptions.of(settings))
    if table.frame.empty:
        raise NothingComparable(f"no row can be used: {table.set_aside} rows set aside")
    for problem in of_severity(table.problems, Severity.ROW):
        sys.stderr.write(problem_line(problem) + "\n")
    text = layout_one(table)
    if out in ("", "-"):
        sys.stdout.write(text)
    else:
        write_all({Path(out): text.encode()})
        sys.stdout.write(f"{out}\n")
    return 0


def layout_one(table: RunTable) -> str:
    """The run table as a CSV of layout 1: its 17 columns, then the statistics of each side.

    Numbers are written with every digit; text that a spreadsheet would run is neutralised.
    Reading the text back gives the same table.
    """
    columns = {name: table.frame[name].tolist() for name in table.frame.columns}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    statistics = [f"{side}_{name}" for side in Side for name in _STATISTICS]
    writer.writerow([*KNOWN_COLUMNS, *statistics, *_OWN, "parameters_json", "notices"])
    for row in range(len(table.frame)):
        cells = {name: values[row] for name, values in columns.items()}
        stamp = table.sources[cells["source"]].stamp
        cells["run_at"] = cells["run_at"] or stamp
        writer.writerow(
            [
                *(_known_cell(name, cells) for name in KNOWN_COLUMNS),
                *(_number(cells[name]) for name in statistics),
                *(neutralise(cells[name]) for name in _OWN),
                neutralise(cells["parameters"]),
                cells["notices"],
            ]
        )
    return stream.getvalue()


def _known_cell(name: str, cells: dict[str, object]) -> str:
    """One cell of the 17 columns that old consumers know."""
    if name.endswith("_median_ms"):
        return _number(cells[name])
    if name == "baseline_over_pto_pct":
        return _ratio(cells)
    text = str(cells[_RENAMED.get(name, name)])
    if name.endswith("_correct"):
        return CHECKS[Correctness(text)]
    if name == "shape_summary_json":
        return neutralise(text) or "null"
    if name == "baseline_limitations_json":
        return text or json.dumps([])
    return neutralise(text)


def _ratio(cells: dict[str, object]) -> str:
    baseline, pto = cells["baseline_median_ms"], cells["pto_median_ms"]
    assert isinstance(baseline, float)
    assert isinstance(pto, float)
    differ = "sides on different devices" in str(cells["notices"])
    return "" if differ or not pto > 0 else _number(baseline / pto * 100.0)


def _number(value: object) -> str:
    assert isinstance(value, float)
    if not math.isfinite(value):
        return ""
    return str(int(value)) if value.is_integer() and value >= 1 else repr(value)
