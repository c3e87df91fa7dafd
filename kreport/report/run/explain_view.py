"""How a kernel's class, ratios and bands came about: every step, with file and line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kreport.classify import scalar_hot_path
from kreport.model import BandSource, Notice, Side
from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.run.case_cells import band_source, kernel_name, side_status
from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.cases import CaseResult, Origin, SideResult
    from kreport.kernels import KernelResult
    from kreport.report.catalogue import Catalogue

PLACES_SHOWN = 3


def explain_lines(kernel: KernelResult, matrix_file: str, text: Catalogue) -> list[str]:
    """Explain one kernel, a line a step, indented where it belongs to a case."""
    shown_class = text(f"class.{kernel.kernel_class}")
    lines = [text("explain.class", kernel=kernel_name(kernel.name), **{"class": shown_class})]
    lines += ["  " + line for line in class_lines(kernel, matrix_file, text)]
    for case in kernel.cases:
        lines += ["", *_case_lines(case, text)]
    if kernel.is_compared:
        used = [case for case in kernel.cases if case.key.timer == kernel.timer]
        line = text(
            "explain.geomean",
            n=sum(math.isfinite(case.ratio_pct) for case in used),
            clock=one_line(kernel.timer) or text("summary.clock_unknown"),
            geomean=numbers.percent(kernel.geomean_pct),
            tier=text(f"tier.{kernel.tier}"),
        )
        lines += ["", line]
    return lines


def class_lines(kernel: KernelResult, matrix_file: str, text: Catalogue) -> list[str]:
    """Why a kernel has its class: the rule, the blocker, what the matrix says of it."""
    lines = [text("explain.rule", rule=text(f"rule.{kernel.classification.rule}"))]
    if kernel.blocker:
        lines.append(text("explain.blocker", blocker=text(f"blocker.{kernel.blocker}")))
    return lines + _matrix_lines(kernel, matrix_file, text) if matrix_file else lines


def _matrix_lines(kernel: KernelResult, matrix_file: str, text: Catalogue) -> list[str]:
    entry = kernel.entry
    if entry is None:
        return [text("explain.matrix_none")]
    place = matrix_file if entry.line is None else f"{matrix_file}:{entry.line}"
    scalar = {True: "yes", False: "no", None: "unknown"}[scalar_hot_path(entry)]
    unknown = text("word.unknown")
    lines = [
        text(
            "explain.matrix",
            file=one_line(place),
            scalar=text(f"explain.{scalar}"),
            baseline=one_line(entry.baseline_status) or unknown,
            pto=one_line(entry.pto_status) or unknown,
            **{"class": one_line(entry.primary_class) or unknown},
        )
    ]
    if entry.scalar_matches:
        matches = one_line("; ".join(entry.scalar_matches))
        lines.append(text("explain.scalar_matches", matches=matches))
    if entry.gap_ids:
        lines.append(text("explain.gap_ids", gaps=one_line(", ".join(entry.gap_ids))))
    return lines


def _case_lines(case: CaseResult, text: Catalogue) -> list[str]:
    key = case.key
    parts = (case_name(key, limit=None), one_line(key.timer), one_line(key.device))
    title = ", ".join(part for part in parts if part) or kernel_name(key.kernel)
    lines = [text("explain.case", shape=title)]
    lines.append("  " + text("explain.read_at", places=places(case.origins)))
    if case.runs > 1:
        lines.append("  " + text("explain.runs", n=case.runs))
    lines += ["  " + _side_line(side, case, text) for side in Side]
    lines.append("  " + _ratio_line(case, text))
    if math.isfinite(case.ratio_pct):
        lines.append("  " + _band_line(case, text))
    lines += [f"  {text(f'notice.{notice}')}" for notice in case.notices]
    return lines


def places(
    origins: Sequence[Origin], names: Mapping[str, str] | None = None, most: int = PLACES_SHOWN
) -> str:
    """Write where a case was read: ``runs.csv:12``, the first `most` of many.

    `names` are shorter names of files.
    """
    names = names or {}
    shown = ", ".join(
        f"{one_line(names.get(origin.file, origin.file))}:{origin.line}"
        for origin in origins[:most]
    )
    return shown if len(origins) <= most else f"{shown}, ... ({len(origins)})"


def _side_line(side: Side, case: CaseResult, text: Catalogue) -> str:
    result: SideResult = case.baseline if side is Side.BASELINE else case.pto
    values = {
        "side": text(f"word.{side}"),
        "status": side_status(result, text),
        "median": numbers.latency(result.median_ms),
        "q1": numbers.latency(result.q1_ms),
        "q3": numbers.latency(result.q3_ms),
    }
    if math.isnan(result.median_ms):
        return text("explain.side_none", **values)
    key = "explain.side" if math.isnan(result.q1_ms) else "explain.side_iqr"
    count = "" if result.n is None else text("explain.side_n", n=result.n)
    return text(key, **values) + count


def _ratio_line(case: CaseResult, text: Catalogue) -> str:
    if math.isfinite(case.ratio_pct):
        return text(
            "explain.ratio",
            baseline=numbers.latency(case.baseline.median_ms),
            pto=numbers.latency(case.pto.median_ms),
            ratio=numbers.percent(case.ratio_pct),
        )
    if not case.runs_on_both_sides:
        why = "why_status"
    else:
        why = "why_device" if Notice.DEVICES_DIFFER in case.notices else "why_latency"
    return text("explain.ratio_none", why=text(f"explain.{why}"))


def _band_line(case: CaseResult, text: Catalogue) -> str:
    band = case.band
    if band is None:
        return text("explain.band_none")
    values = {
        "low": numbers.percent(band.low),
        "high": numbers.percent(band.high),
        "source": band_source(band.source, band.n, text),
    }
    if band.source is BandSource.MIN_MAX:
        return text("explain.band_minmax", **values)
    if band.source is BandSource.HISTORY:
        return text("explain.band_history", **values)
    if case.stored_class and band.source is BandSource.RUNS and case.runs == 1:
        return text("explain.band_stored", **values)
    return text(
        "explain.band",
        baseline_q1=numbers.latency(case.baseline.q1_ms),
        pto_q3=numbers.latency(case.pto.q3_ms),
        baseline_q3=numbers.latency(case.baseline.q3_ms),
        pto_q1=numbers.latency(case.pto.q1_ms),
        **values,
    )
