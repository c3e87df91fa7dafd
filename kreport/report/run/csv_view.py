"""The report as a CSV: the 17 columns that consumers know, then kreport's own.

Numbers are written with every digit, so that reading the file back gives the same report. Text
that a spreadsheet would run as a formula is neutralised; reading undoes that.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.formula import neutralise
from kreport.model import Correctness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreport.cases import CaseResult, SideResult
    from kreport.kernels import KernelResult
    from kreport.model import CaseKey
    from kreport.run_report import RunReport
    from kreport.verdicts.results import CaseDiff

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
OWN_COLUMNS = (
    *(f"{side}_{name}" for side in ("baseline", "pto") for name in ("q1_ms", "q3_ms", "n")),
    "ratio_low_pct",
    "ratio_high_pct",
    "noise_source",
    "kernel_class",
    "blocker",
    "tier",
    "verdict",
    "run",
    "run_at",
    "timer",
    "device",
    *(f"{side}_{name}" for side in ("baseline", "pto") for name in ("min_ms", "max_ms", "device")),
    "parameters_json",
    "correctness",
    "notices",
    "runs",
)


@dataclass(frozen=True, slots=True)
class CsvView:
    """Header and rows, every cell already text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def csv_view(report: RunReport, changes: Mapping[CaseKey, CaseDiff] | None = None) -> CsvView:
    """Write every case of a report as one row, with what changed since an earlier run."""
    changes = changes or {}
    return CsvView(
        columns=KNOWN_COLUMNS + OWN_COLUMNS,
        rows=tuple(
            _known_cells(case) + _own_cells(case, kernel, changes.get(case.key))
            for kernel in report.kernels
            for case in kernel.cases
        ),
    )


def _known_cells(case: CaseResult) -> tuple[str, ...]:
    return (
        neutralise(case.key.family),
        neutralise(case.key.kernel),
        neutralise(case.variant_index),
        neutralise(case.key.variant_label),
        neutralise(case.key.shape) or "null",
        case.baseline.status.value,
        case.pto.status.value,
        CHECKS[case.baseline.correct],
        CHECKS[case.pto.correct],
        _number(case.baseline.median_ms),
        _number(case.pto.median_ms),
        _number(case.ratio_pct),
        json.dumps(case.limitations, ensure_ascii=False),
        neutralise(case.baseline.reason),
        neutralise(case.pto.reason),
        neutralise(case.report_path),
        neutralise(case.spec),
    )


def _own_cells(case: CaseResult, kernel: KernelResult, change: CaseDiff | None) -> tuple[str, ...]:
    band = case.band
    return (
        *_quartile_cells(case.baseline),
        *_quartile_cells(case.pto),
        _number(band.low) if band else "",
        _number(band.high) if band else "",
        band.label if band else "none",
        kernel.kernel_class.value,
        kernel.blocker.value if kernel.blocker else "",
        kernel.tier.value if kernel.tier else "",
        change.outcome if change else "",
        neutralise(case.run),
        neutralise(case.run_at),
        neutralise(case.key.timer),
        neutralise(case.key.device),
        *_extreme_cells(case.baseline),
        *_extreme_cells(case.pto),
        neutralise(case.key.parameters),
        case.correctness,
        ";".join(case.notices),
        str(case.runs),
    )


CHECKS = {Correctness.PASS: "True", Correctness.FAIL: "False", Correctness.UNKNOWN: ""}


def _quartile_cells(side: SideResult) -> tuple[str, ...]:
    return _number(side.q1_ms), _number(side.q3_ms), "" if side.n is None else str(side.n)


def _extreme_cells(side: SideResult) -> tuple[str, ...]:
    return _number(side.min_ms), _number(side.max_ms), neutralise(side.device)


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""
