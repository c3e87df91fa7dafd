"""``kreport summarize``: samples, or any runs, reduced to one row a case with quartiles."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kreport.atomic import write_all
from kreport.cases import comparable
from kreport.errors import NothingComparable
from kreport.formula import neutralise
from kreport.model import Correctness, Side
from kreport.problems import Severity, of_severity
from kreport.readers import ReadOptions, read_runs
from kreport.report.exact import csv_number
from kreport.report.problem_lines import problem_line
from kreport.report.run.layout_one import KNOWN_COLUMNS, KnownRow, KnownSide, known_cells
from kreport.schema import SIDE_NUMBERS, RunTable
from kreport.settings import Settings
from kreport.stats import ratio_pct

_STATISTICS = tuple(name for name in SIDE_NUMBERS if name != "median_ms")
_COUNTS = ("_n", "_outliers")
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
                *known_cells(_known_row(cells)),
                *(_statistic(name, cells[name]) for name in statistics),
                *(neutralise(cells[name]) for name in _OWN),
                neutralise(cells["parameters"]),
                cells["notices"],
            ]
        )
    return stream.getvalue()


def _known_row(cells: Mapping[str, Any]) -> KnownRow:
    sides = {
        side: KnownSide(
            status=cells[f"{side}_status"],
            correct=Correctness(cells[f"{side}_correct"]),
            median_ms=cells[f"{side}_median_ms"],
            reason=cells[f"{side}_reason"],
        )
        for side in Side
    }
    baseline, pto = sides[Side.BASELINE], sides[Side.PTO]
    have_ratio = comparable(baseline.status, pto.status, cells["notices"].split(";"))
    return KnownRow(
        family=cells["family"],
        kernel=cells["kernel"],
        variant_index=cells["variant_index"],
        variant_label=cells["variant_label"],
        shape=cells["shape"],
        baseline=baseline,
        pto=pto,
        ratio_pct=ratio_pct(baseline.median_ms, pto.median_ms) if have_ratio else math.nan,
        limitations=json.loads(cells["limitations"] or "[]"),
        report_path=cells["report_path"],
        spec=cells["spec"],
    )


def _statistic(name: str, value: float) -> str:
    counts = name.endswith(_COUNTS) and math.isfinite(value)
    return str(int(value)) if counts else csv_number(value)
