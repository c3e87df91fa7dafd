"""One case of a diff as formatted strings: the cells that every output of a diff shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.model import Moved, Verdict
from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.diff.verdict_text import verdict_text
from kreport.report.run.case_cells import band_source, kernel_name, notice_text
from kreport.report.text import one_line

if TYPE_CHECKING:
    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.results import CaseDiff, GroupSide, SideDiff


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One case, plain text; each output escapes it in its own way.

    `tone` is ``bad``, ``good``, ``unsure`` or ``quiet``; `verdict_key` a `Verdict` value or "".
    `change_pct` is the number behind `change`, for ordering.
    """

    kernel: str
    family: str
    shape: str
    clock: str
    device: str
    tone: str
    verdict: str
    verdict_key: str
    confirmed: bool
    moved: str
    old_pto: str
    new_pto: str
    change: str
    band: str
    old_baseline: str
    new_baseline: str
    baseline_change: str
    ratio: str
    detectable: str
    evidence: str
    advice: str
    notes: tuple[str, ...]
    change_pct: float


def diff_row(case: CaseDiff, text: Catalogue, effect_pct: float) -> DiffRow:
    """Format one case."""
    pto, baseline = case.pto, case.baseline
    notes = [notice_text(notice, text) for notice in case.notices]
    return DiffRow(
        kernel=kernel_name(case.key.kernel),
        family=one_line(case.key.family),
        shape=case_name(case.key),
        clock=one_line(case.key.timer),
        device=one_line(case.key.device),
        tone=tone_of(case),
        verdict=verdict_text(case, text),
        verdict_key=case.verdict.value if case.verdict else "",
        confirmed=case.confirmed,
        moved="" if case.moved is Moved.NONE else text(f"side_moved.{case.moved}"),
        old_pto=latency_text(pto.old),
        new_pto=latency_text(pto.new),
        change=change_text(pto, text),
        band=band_text(pto, text),
        old_baseline=latency_text(baseline.old),
        new_baseline=latency_text(baseline.new),
        baseline_change=change_text(baseline, text),
        ratio=ratio_text(case, text),
        detectable=numbers.percent(pto.detectable_pct),
        evidence=evidence_text(pto, text),
        advice=advice_text(case, text, effect_pct),
        notes=tuple(notes),
        change_pct=pto.corrected_pct,
    )


def tone_of(case: CaseDiff) -> str:
    """How a reader should take the case."""
    if case.verdict is Verdict.SLOWER:
        return "bad"
    if case.verdict is Verdict.FASTER:
        return "good"
    return "unsure" if case.verdict is Verdict.CANNOT_TELL else "quiet"


def evidence_text(side: SideDiff, text: Catalogue) -> str:
    """``p=0.0004 n=10+1``, after ``~`` where no change is shown; counts alone without a test."""
    if side.verdict is None:
        return ""
    by_samples = not side.confirmed and side.old.samples > 0 < side.new.samples
    old, new = (group.samples if by_samples else group.runs for group in (side.old, side.new))
    if math.isnan(side.p_value):
        return text("verdict.counts", old=old, new=new)
    found = text("verdict.evidence", p=p_text(side.p_value), old=old, new=new)
    return found if side.changed else f"{text('verdict.not_shown')} ({found})"


def p_text(p_value: float) -> str:
    """Three digits after the point, more where those would be nought."""
    if p_value < 1e-6:
        return "0.000"
    return f"{p_value:.3f}" if p_value >= 0.0005 else numbers.significant(p_value, 1)


def latency_text(side: GroupSide) -> str:
    """Median of a side and, where known, its quartiles."""
    return numbers.latency_with_iqr(side.median_ms, side.q1_ms, side.q3_ms)


def change_text(side: SideDiff, text: Catalogue) -> str:
    """The change of the medians; where a drift was taken out, what is left of it too."""
    change = numbers.percent(side.change_pct, signed=True)
    corrected = numbers.percent(side.corrected_pct, signed=True)
    if math.isnan(side.corrected_pct) or abs(side.change_pct - side.corrected_pct) < 0.5:
        return change
    return text("diff.corrected", change=change, corrected=corrected)


def band_text(side: SideDiff, text: Catalogue) -> str:
    """``±4.1% (runs n=11)``: how far noise alone moves the latency, and what says so."""
    if math.isnan(side.band_pct):
        return band_source(side.source, None, text) if side.verdict else ""
    source = band_source(side.source, side.source_n or None, text)
    return text("diff.band_cell", band=numbers.percent(side.band_pct), source=source)


def ratio_text(case: CaseDiff, text: Catalogue) -> str:
    """``42.3% -> 45.0%``."""
    old, new = (numbers.percent(value) for value in (case.old_ratio_pct, case.new_ratio_pct))
    if old == new == numbers.NOT_AVAILABLE:
        return old
    return text("diff.ratio_cell", old=old, new=new)


def advice_text(case: CaseDiff, text: Catalogue, effect_pct: float) -> str:
    """What would let the effect of interest be seen; "" where it is seen or nothing helps."""
    if case.verdict is None or case.pto.detectable_pct <= effect_pct:
        return ""
    advice = case.advice
    if advice.more_runs == 1:
        return text("diff.one_more_run")
    if advice.more_runs:
        return text("diff.more_runs", n=advice.more_runs)
    if advice.clock and advice.clock_pct < case.pto.detectable_pct:
        return text("diff.other_clock", clock=advice.clock, pct=numbers.percent(advice.clock_pct))
    return text("diff.repeat") if math.isnan(case.pto.detectable_pct) else ""
