"""A diff as a view: everything that its templates show, as plain formatted strings, worst first."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.model import Notice, Verdict
from kreport.report import numbers
from kreport.report.diff.diff_cells import DiffRow, diff_row
from kreport.report.diff.diff_summary import diff_summary
from kreport.report.diff.transitions_view import (
    TransitionRow,
    class_rows,
    severity,
    transition_rows,
)
from kreport.report.run.case_cells import kernel_name, notice_text
from kreport.report.run.summary_view import SummaryLine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.results import CaseDiff, DiffReport

KERNELS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class DiffView:
    """A diff. The counts are of everything, also where a budget shortened a list."""

    lang: str
    title: str
    summary: tuple[SummaryLine, ...]
    transitions: tuple[TransitionRow, ...]
    changed: tuple[DiffRow, ...]
    baseline_moved: tuple[DiffRow, ...]
    undecided: tuple[DiffRow, ...]
    unchanged: tuple[DiffRow, ...]
    idle: tuple[DiffRow, ...]
    rows_total: int
    shows_clock: bool
    shows_device: bool
    has_bad_news: bool
    quiet_line: str
    """What to say where no case changed; "" where some did."""
    footnotes: tuple[str, ...]
    """What deserves one about the samples of the new runs, with the cases it is about."""
    how_to_read: tuple[str, ...]

    @property
    def rows(self) -> tuple[DiffRow, ...]:
        """All cases that were compared, worst first."""
        return (*self.changed, *self.baseline_moved, *self.undecided, *self.unchanged)


def diff_view(report: DiffReport, text: Catalogue) -> DiffView:
    """Format a whole diff; nothing is cut."""
    transitions = (*transition_rows(report.cases, text), *class_rows(report, text))
    groups: dict[str, list[CaseDiff]] = {
        name: [] for name in ("changed", "baseline_moved", "undecided", "unchanged", "idle")
    }
    for case in report.cases:
        name = _group(case)
        if name != "idle" or not case.transitions:  # transitions have told those already
            groups[name].append(case)
    rows = {
        name: tuple(diff_row(case, text, report.effect_pct) for case in sorted(cases, key=_worst))
        for name, cases in groups.items()
    }
    return DiffView(
        lang=text.lang,
        title=text("diff.title"),
        summary=diff_summary(report, text),
        transitions=tuple(sorted(transitions, key=severity)),
        **rows,
        rows_total=len(report.cases),
        shows_clock=len({case.key.timer for case in report.cases}) > 1,
        shows_device=len({case.key.device for case in report.cases}) > 1,
        has_bad_news=any(row.tone == "bad" for row in transitions)
        or any(row.tone == "bad" for row in rows["changed"]),
        quiet_line=_quiet_line(rows, text),
        footnotes=_footnotes(report.cases, text),
        how_to_read=(
            text("diff.how_verdict"),
            text("diff.how_detectable", effect=numbers.percent(report.effect_pct)),
            text("diff.how_net"),
            text("diff.how_evidence"),
        ),
    )


def shortened(view: DiffView, keep: int) -> DiffView:
    """At most `keep` rows of each list; the counts stay those of everything."""
    names = ("transitions", "changed", "baseline_moved", "undecided", "unchanged", "idle")
    return replace(view, **{name: getattr(view, name)[:keep] for name in names})


def _quiet_line(rows: Mapping[str, tuple[DiffRow, ...]], text: Catalogue) -> str:
    if rows["changed"] or not any(rows.values()):
        return ""
    return text("diff.nothing_shown" if rows["undecided"] else "diff.nothing")


def _footnotes(cases: Sequence[CaseDiff], text: Catalogue) -> tuple[str, ...]:
    """One line a notice; the first few kernels that it is about by name."""
    lines = []
    for notice in Notice:
        names = [kernel_name(case.key.kernel) for case in cases if notice in case.notices]
        if names:
            distinct = list(dict.fromkeys(names))
            shown = ", ".join(distinct[:KERNELS_SHOWN])
            if len(distinct) > KERNELS_SHOWN:
                shown = text("diff.and_more", names=shown, n=len(distinct) - KERNELS_SHOWN)
            about = notice_text(notice, text)
            lines.append(text("diff.footnote", about=about, n=len(names), names=shown))
    return tuple(lines)


def _group(case: CaseDiff) -> str:
    if case.pto.changed:
        return "changed"
    if case.baseline.changed and case.baseline.confirmed:
        return "baseline_moved"
    if case.verdict is Verdict.CANNOT_TELL:
        return "undecided"
    return "unchanged" if case.verdict is Verdict.WITHIN_NOISE else "idle"


def _worst(case: CaseDiff) -> tuple[float, ...]:
    """Confirmed slowdowns, then the others, the largest first; the best speed-ups come last."""
    change = case.pto.corrected_pct if case.pto.changed else case.baseline.corrected_pct
    change = 0.0 if math.isnan(change) else change
    if case.verdict is Verdict.CANNOT_TELL and not case.baseline.changed:
        return (0.0, -abs(case.pto.corrected_pct))
    place = float(not case.confirmed) if case.verdict is Verdict.SLOWER else 2.0 + case.confirmed
    return (place, -change)
