"""The 17 columns of a regression CSV that other programs know, written in one place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from kreport.formula import neutralise
from kreport.model import Correctness
from kreport.report.exact import csv_number

if TYPE_CHECKING:
    from collections.abc import Sequence

KNOWN_COLUMNS = (
    "family",
    "kernel",
    "variant_index",
    "variant_label",
    "shape_summary_json",
    "baseline_status",
    "pto_status",
    "baseline_correct",
    "pto_correct",
    "baseline_median_ms",
    "pto_median_ms",
    "baseline_over_pto_pct",
    "baseline_limitations_json",
    "baseline_reason",
    "pto_reason",
    "report_path",
    "spec",
)
CHECKS = {Correctness.PASS: "True", Correctness.FAIL: "False", Correctness.UNKNOWN: ""}


class KnownSide(NamedTuple):
    """One side of a row; `median_ms` is NaN where there is no latency."""

    status: str
    correct: Correctness
    median_ms: float
    reason: str


class KnownRow(NamedTuple):
    """One row; texts are "" where absent, `ratio_pct` is NaN where there is none."""

    family: str
    kernel: str
    variant_index: str
    variant_label: str
    shape: str
    baseline: KnownSide
    pto: KnownSide
    ratio_pct: float
    limitations: Sequence[str]
    report_path: str
    spec: str


def known_cells(row: KnownRow) -> tuple[str, ...]:
    """Cells in the order of `KNOWN_COLUMNS`; text that a spreadsheet would run is neutralised."""
    return (
        neutralise(row.family),
        neutralise(row.kernel),
        neutralise(row.variant_index),
        neutralise(row.variant_label),
        neutralise(row.shape) or "null",
        row.baseline.status,
        row.pto.status,
        CHECKS[row.baseline.correct],
        CHECKS[row.pto.correct],
        csv_number(row.baseline.median_ms),
        csv_number(row.pto.median_ms),
        csv_number(row.ratio_pct),
        json.dumps(row.limitations, ensure_ascii=False),
        neutralise(row.baseline.reason),
        neutralise(row.pto.reason),
        neutralise(row.report_path),
        neutralise(row.spec),
    )
