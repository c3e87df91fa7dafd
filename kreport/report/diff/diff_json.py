"""A diff as strict JSON, versioned: the numbers unrounded, absent ones null."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from kreport.report.exact import json_number, json_record

if TYPE_CHECKING:
    from kreport.schema import Source
    from kreport.verdicts.results import CaseDiff, ClassChange, DiffReport, GroupSide, SideDiff

VERSION = 1


def diff_json(report: DiffReport) -> dict[str, Any]:
    """Lay a diff out for other programs."""
    return {
        "format": "kreport-diff",
        "version": VERSION,
        "old": [_source(source) for source in report.old_sources],
        "new": [_source(source) for source in report.new_sources],
        "history": report.history or None,
        "method": str(report.method),
        "effect_pct": report.effect_pct,
        "matched": report.matched,
        "verdicts": {str(verdict): count for verdict, count in report.verdicts.items()},
        "matched_without": [*report.relaxation.columns, *report.relaxation.parameters],
        "clocks_old_only": list(report.clocks_old_only),
        "clocks_new_only": list(report.clocks_new_only),
        "clocks": [json_record(dataclasses.asdict(clock)) for clock in report.clocks],
        "class_changes": [_class_change(change) for change in report.class_changes],
        "problems": [str(problem) for problem in report.problems],
        "cases": [_case(case) for case in report.cases],
    }


def _source(source: Source) -> dict[str, Any]:
    return {"file": source.name, "sha256": source.sha256, "rows": source.rows}


def _class_change(change: ClassChange) -> dict[str, Any]:
    blocker = change.new.blocker
    return {
        "family": change.family,
        "kernel": change.kernel,
        "old_class": str(change.old.kernel_class),
        "new_class": str(change.new.kernel_class),
        "rule": str(change.new.rule),
        "blocker": str(blocker) if blocker else None,
    }


def _case(case: CaseDiff) -> dict[str, Any]:
    return {
        **dataclasses.asdict(case.key),
        "transitions": [str(transition) for transition in case.transitions],
        "verdict": str(case.verdict) if case.verdict else None,
        "confirmed": case.confirmed,
        "moved": str(case.moved) or None,
        "old_ratio_pct": json_number(case.old_ratio_pct),
        "new_ratio_pct": json_number(case.new_ratio_pct),
        "pto": _side(case.pto),
        "baseline": _side(case.baseline),
        "more_runs": case.advice.more_runs or None,
        "quieter_clock": case.advice.clock or None,
        "quieter_clock_detectable_pct": json_number(case.advice.clock_pct),
        "renamed": case.renamed.kernel if case.renamed else None,
        "notices": [str(notice) for notice in case.notices],
        "old_reason": case.old_reason or None,
        "new_reason": case.new_reason or None,
    }


def _side(side: SideDiff) -> dict[str, Any]:
    return {
        "old": _group(side.old),
        "new": _group(side.new),
        "transitions": [str(transition) for transition in side.transitions],
        "verdict": str(side.verdict) if side.verdict else None,
        "confirmed": side.confirmed,
        "change_pct": json_number(side.change_pct),
        "corrected_pct": json_number(side.corrected_pct),
        "noise_pct": json_number(side.band_pct),
        "noise_source": side.source_label or None,
        "detectable_pct": json_number(side.detectable_pct),
        "p_value": json_number(side.p_value),
    }


def _group(side: GroupSide) -> dict[str, Any]:
    return {
        "status": str(side.status) if side.status else None,
        "correct": str(side.correct),
        "median_ms": json_number(side.median_ms),
        "q1_ms": json_number(side.q1_ms),
        "q3_ms": json_number(side.q3_ms),
        "runs": side.runs,
    }
