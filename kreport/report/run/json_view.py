"""The report as strict JSON, versioned: the same numbers as everywhere, unrounded."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kreport.report.exact import json_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreport.cases import CaseResult, SideResult
    from kreport.kernels import KernelResult
    from kreport.model import CaseKey
    from kreport.problems import Problem
    from kreport.run_report import RunReport
    from kreport.verdicts.results import CaseDiff

VERSION = 1


def json_view(
    report: RunReport, changes: Mapping[CaseKey, CaseDiff] | None = None
) -> dict[str, Any]:
    """Lay a report out for other programs; absent numbers are null."""
    changes = changes or {}
    overview = report.overview
    return {
        "format": "kreport-report",
        "version": VERSION,
        "data_stamp": report.data_stamp or None,
        "clock": report.clock,
        "other_clocks": list(report.other_clocks),
        "inputs": [
            {
                "file": source.name,
                "sha256": source.sha256,
                "layout": source.layout,
                "rows": source.rows,
                "set_aside": source.set_aside,
                "stamp": source.stamp or None,
                "complete": source.complete,
            }
            for source in report.sources
        ],
        "matrix": _matrix(report),
        "overview": {
            "kernels": overview.kernels,
            "cases": overview.cases,
            "by_class": {found.value: n for found, n in overview.by_class.items()},
            "by_blocker": {found.value: n for found, n in overview.by_blocker.items()},
            "by_tier": {found.value: n for found, n in overview.by_tier.items()},
            "compared": overview.compared,
            "left_out": dict(overview.left_out),
            "geomean_pct": json_number(overview.geomean_pct),
            "parity": overview.parity,
            "parity_bound_pct": overview.parity_pct,
            "worst": [kernel.name for kernel in overview.worst],
        },
        "history": _history(report),
        "kernels": [_kernel(kernel, changes) for kernel in report.kernels],
        "coverage": {
            "csv_only": list(report.coverage.csv_only),
            "matrix_only": list(report.coverage.matrix_only),
            "contradictions": [
                {
                    "kernel": found.kernel,
                    "subject": found.subject,
                    "measured": found.measured,
                    "matrix": found.matrix,
                }
                for found in report.coverage.contradictions
            ],
        },
        "problems": [problem_record(problem) for problem in report.problems],
    }


def problem_record(problem: Problem) -> dict[str, Any]:
    """One finding in the inputs, as JSON has it."""
    return {
        "severity": problem.severity.value,
        "rule": problem.rule,
        "message": problem.message,
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "value": problem.value,
        "hint": problem.hint,
    }


def _matrix(report: RunReport) -> dict[str, Any] | None:
    if report.matrix is None:
        return None
    return {
        "file": report.matrix.file,
        "sha256": report.matrix.sha256,
        "stamp": report.matrix.stamp or None,
        "stale": report.matrix_is_stale,
    }


def _history(report: RunReport) -> dict[str, Any] | None:
    past = report.past
    if past is None:
        return None
    return {
        "runs": past.runs,
        "first": past.first,
        "last": past.last,
        "cases": past.cases,
        "left_out": past.left_out,
    }


def _kernel(kernel: KernelResult, changes: Mapping[CaseKey, CaseDiff]) -> dict[str, Any]:
    return {
        "name": kernel.name,
        "family": kernel.family,
        "class": kernel.kernel_class.value,
        "rule": kernel.classification.rule.value,
        "blocker": kernel.blocker.value if kernel.blocker else None,
        "partial": kernel.classification.partial,
        "tier": kernel.tier.value if kernel.tier else None,
        "clock": kernel.timer,
        "ratio_low_pct": json_number(kernel.low_pct),
        "ratio_high_pct": json_number(kernel.high_pct),
        "geomean_pct": json_number(kernel.geomean_pct),
        "cases": [_case(case, changes.get(case.key)) for case in kernel.cases],
    }


def _case(case: CaseResult, change: CaseDiff | None) -> dict[str, Any]:
    band = case.band
    return {
        "variant_index": case.variant_index,
        "variant_label": case.key.variant_label,
        "shape": _embedded(case.key.shape),
        "parameters": _embedded(case.key.parameters),
        "timer": case.key.timer,
        "device": case.key.device,
        "baseline": _side(case.baseline),
        "pto": _side(case.pto),
        "ratio_pct": json_number(case.ratio_pct),
        "ratio_low_pct": json_number(band.low) if band else None,
        "ratio_high_pct": json_number(band.high) if band else None,
        "noise_source": band.label if band else "none",
        "correctness": case.correctness,
        "verdict": change.outcome or None if change else None,
        "notices": [notice.value for notice in case.notices],
        "limitations": list(case.limitations),
        "report_path": case.report_path or None,
        "spec": case.spec or None,
        "runs": case.runs,
        "run": case.run or None,
        "run_at": case.run_at or None,
        "origins": [{"file": origin.file, "line": origin.line} for origin in case.origins],
    }


def _side(side: SideResult) -> dict[str, Any]:
    return {
        "status": side.status.value,
        "correct": side.correct.value,
        "n": side.n,
        "median_ms": json_number(side.median_ms),
        "q1_ms": json_number(side.q1_ms),
        "q3_ms": json_number(side.q3_ms),
        "min_ms": json_number(side.min_ms),
        "max_ms": json_number(side.max_ms),
        "reason": side.reason or None,
        "device": side.device or None,
        "runs_ok": side.runs_ok,
    }


@lru_cache(maxsize=4096)  # kernels share their shapes; what is handed out is only written
def _embedded(text: str) -> Any:
    """Shape JSON as JSON; a shape that is plain text stays text."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
