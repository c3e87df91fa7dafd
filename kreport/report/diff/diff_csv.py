"""A diff as a CSV: one row a case, every digit, text that no spreadsheet runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.formula import neutralise
from kreport.report.exact import csv_number
from kreport.report.run.csv_view import CsvView

if TYPE_CHECKING:
    from kreport.verdicts.results import CaseDiff, DiffReport

COLUMNS = (
    "family",
    "kernel",
    "variant_label",
    "shape_summary_json",
    "timer",
    "device",
    "transition",
    "verdict",
    "confirmed",
    "moved",
    "old_pto_median_ms",
    "new_pto_median_ms",
    "pto_change_pct",
    "old_baseline_median_ms",
    "new_baseline_median_ms",
    "old_ratio_pct",
    "new_ratio_pct",
    "detectable_pct",
    "noise_source",
    "p_value",
    "n_old",
    "n_new",
    "parameters_json",
    "variant_index",
    "pto_corrected_pct",
    "noise_pct",
    "baseline_change_pct",
    "baseline_verdict",
    "more_runs",
    "quieter_clock",
    "quieter_clock_detectable_pct",
    "renamed",
    "notices",
)
"""The first 22 are what other programs rely on."""


def diff_csv(report: DiffReport) -> CsvView:
    """Lay a diff out as a table of text."""
    return CsvView(COLUMNS, tuple(_row(case) for case in report.cases))


def transition_text(case: CaseDiff) -> str:
    """Transitions of the port joined by ``;``, those of the baseline marked as such."""
    found = [str(transition) for transition in case.transitions]
    if case.is_matched:
        found += [f"baseline {transition}" for transition in case.baseline.transitions]
    return "; ".join(found)


def _row(case: CaseDiff) -> tuple[str, ...]:
    key, pto, baseline = case.key, case.pto, case.baseline
    advice = case.advice
    return (
        neutralise(key.family),
        neutralise(key.kernel),
        neutralise(key.variant_label),
        neutralise(key.shape),
        neutralise(key.timer),
        neutralise(key.device),
        transition_text(case),
        case.verdict.value if case.verdict else "",
        "true" if case.confirmed else "false",
        str(case.moved),
        csv_number(pto.old.median_ms),
        csv_number(pto.new.median_ms),
        csv_number(pto.change_pct),
        csv_number(baseline.old.median_ms),
        csv_number(baseline.new.median_ms),
        csv_number(case.old_ratio_pct),
        csv_number(case.new_ratio_pct),
        csv_number(pto.detectable_pct),
        pto.source_label,
        csv_number(pto.p_value),
        str(max(pto.old.runs, baseline.old.runs)),
        str(max(pto.new.runs, baseline.new.runs)),
        neutralise(key.parameters),
        neutralise(key.ordinal),
        csv_number(pto.corrected_pct),
        csv_number(pto.band_pct),
        csv_number(baseline.change_pct),
        baseline.verdict.value if baseline.verdict else "",
        str(advice.more_runs or ""),
        neutralise(advice.clock),
        csv_number(advice.clock_pct),
        neutralise(case.renamed.kernel) if case.renamed else "",
        "; ".join(case.notices),
    )
