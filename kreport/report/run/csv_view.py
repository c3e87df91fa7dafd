"""The report as a CSV: the 17 columns that consumers know, then kreport's own.

Numbers are written with every digit, so that reading the file back gives the same report. Text
that a spreadsheet would run as a formula is neutralised; reading undoes that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.formula import neutralise
from kreport.report.exact import csv_number
from kreport.report.run.layout_one import KNOWN_COLUMNS, KnownRow, KnownSide, known_cells

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreport.cases import CaseResult, SideResult
    from kreport.kernels import KernelResult
    from kreport.model import CaseKey
    from kreport.run_report import RunReport
    from kreport.verdicts.results import CaseDiff

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
    key = case.key
    return known_cells(
        KnownRow(
            family=key.family,
            kernel=key.kernel,
            variant_index=case.variant_index,
            variant_label=key.variant_label,
            shape=key.shape,
            baseline=_known_side(case.baseline),
            pto=_known_side(case.pto),
            ratio_pct=case.ratio_pct,
            limitations=case.limitations,
            report_path=case.report_path,
            spec=case.spec,
        )
    )


def _known_side(side: SideResult) -> KnownSide:
    return KnownSide(side.status.value, side.correct, side.median_ms, side.reason)


def _own_cells(case: CaseResult, kernel: KernelResult, change: CaseDiff | None) -> tuple[str, ...]:
    band = case.band
    return (
        *_quartile_cells(case.baseline),
        *_quartile_cells(case.pto),
        csv_number(band.low) if band else "",
        csv_number(band.high) if band else "",
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


def _quartile_cells(side: SideResult) -> tuple[str, ...]:
    return csv_number(side.q1_ms), csv_number(side.q3_ms), "" if side.n is None else str(side.n)


def _extreme_cells(side: SideResult) -> tuple[str, ...]:
    return csv_number(side.min_ms), csv_number(side.max_ms), neutralise(side.device)
