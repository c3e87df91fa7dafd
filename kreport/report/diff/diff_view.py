"""A diff as a view: everything that its templates show, as plain formatted strings, worst first."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from kreport.model import Notice, Side, Transition, Verdict
from kreport.report import numbers
from kreport.report.build.case_cells import kernel_name, notice_text
from kreport.report.build.summary_view import SummaryLine
from kreport.report.diff.diff_cells import DiffRow, case_shape, diff_row
from kreport.report.text import first_line, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.schema import Source
    from kreport.verdicts.results import CaseDiff, ClassChange, ClockDiff, DiffReport

SOURCES_SHOWN = 3
KERNELS_SHOWN = 6
SEVERITY = (
    Transition.NEWLY_BLOCKED,
    Transition.BECAME_WRONG,
    Transition.REMOVED,
    Transition.LOST,
    Transition.ADDED,
    Transition.REGAINED,
    Transition.UNBLOCKED,
    Transition.BECAME_CORRECT,
)
"""Worst first. A likely rename is a remark on a removed or added case."""
BAD = frozenset(SEVERITY[:4])


@dataclass(frozen=True, slots=True)
class TransitionRow:
    """A change that no latency can express. `reason` is whole, `first` its first line.

    `key` is a `Transition` value, or ``class``; `tone` is ``bad``, ``good`` or ``quiet``.
    """

    key: str
    what: str
    tone: str
    kernel: str
    shape: str
    clocks: str
    detail: str
    first: str
    reason: str


@dataclass(frozen=True, slots=True)
class DiffView:
    """A diff. The counts are of everything, also where a budget shortened a list."""

    lang: str
    title: str
    summary: tuple[SummaryLine, ...]
    transitions: tuple[TransitionRow, ...]
    transitions_total: int
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
    transitions = (*_transition_rows(report.cases, text), *_class_rows(report, text))
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
        summary=_summary(report, text),
        transitions=tuple(sorted(transitions, key=_severity)),
        transitions_total=len(transitions),
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
    if case.baseline.changed:
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


def _severity(row: TransitionRow) -> tuple[int, str, str, str]:
    order = [str(transition) for transition in SEVERITY]
    place = order.index(row.key) if row.key in order else 4
    return place, row.kernel, row.shape, row.what


def _transition_rows(cases: Sequence[CaseDiff], text: Catalogue) -> list[TransitionRow]:
    """One row a case and transition; the same on several clocks is one row."""
    clocks: dict[TransitionRow, list[str]] = {}
    for case in cases:
        for side, transitions in (
            (Side.PTO, case.transitions),
            (Side.BASELINE, case.baseline.transitions if case.is_matched else ()),
        ):
            for transition in transitions:
                if transition is not Transition.RENAMED:
                    row = _transition_row(case, side, transition, text)
                    clocks.setdefault(row, []).append(one_line(case.key.timer))
    return [replace(row, clocks=", ".join(filter(None, names))) for row, names in clocks.items()]


def _transition_row(
    case: CaseDiff, side: Side, transition: Transition, text: Catalogue
) -> TransitionRow:
    what = text(f"transition.{transition}")
    bad, good = transition in BAD, transition not in (*BAD, Transition.ADDED)
    body = case.old_reason if transition in (Transition.UNBLOCKED,) else case.new_reason
    if side is Side.BASELINE:
        what, bad, good, body = text("transition.of_baseline", what=what), False, False, ""
    detail = ""
    if case.renamed is not None:
        way = "to" if transition is Transition.REMOVED else "from"
        detail = text(f"transition.renamed_{way}", name=kernel_name(case.renamed.kernel))
    return TransitionRow(
        key=str(transition),
        what=what,
        tone="bad" if bad else "good" if good else "quiet",
        kernel=kernel_name(case.key.kernel),
        shape=case_shape(case),
        clocks="",
        detail=detail,
        first=first_line(body),
        reason=body,
    )


def _class_rows(report: DiffReport, text: Catalogue) -> list[TransitionRow]:
    return [_class_row(change, text) for change in report.class_changes]


def _class_row(change: ClassChange, text: Catalogue) -> TransitionRow:
    old, new = (text(f"class.{item.kernel_class}") for item in (change.old, change.new))
    why = text(f"rule.{change.new.rule}")
    if change.new.blocker is not None:
        why = f"{why}; {text(f'blocker.{change.new.blocker}')}"
    return TransitionRow(
        key="class",
        what=text("transition.class"),
        tone="quiet",
        kernel=kernel_name(change.kernel),
        shape="",
        clocks="",
        detail=text("transition.class_detail", old=old, new=new, why=why),
        first="",
        reason="",
    )


def _summary(report: DiffReport, text: Catalogue) -> tuple[SummaryLine, ...]:
    lines = [
        _inputs_line(
            "old", report.old_sources, max((c.old_runs for c in report.clocks), default=0), text
        ),
        _inputs_line(
            "new", report.new_sources, max((c.new_runs for c in report.clocks), default=0), text
        ),
    ]
    if report.matched == 0:
        alone = [t for case in report.cases for t in case.transitions]
        counts = {
            "removed": alone.count(Transition.REMOVED),
            "added": alone.count(Transition.ADDED),
        }
        lines.append(_line("matched", text, text("diff.nothing_matched", **counts), warn=True))
    lines += _drift_lines(report.clocks, text)
    lines += [line for clock in report.clocks for line in _clock_lines(report, clock, text)]
    lines += _notes(report, text)
    return tuple(lines)


def _line(key: str, text: Catalogue, body: str, *, warn: bool = False) -> SummaryLine:
    return SummaryLine(key, text(f"diff.{key}"), body, warn)


def _inputs_line(key: str, sources: Sequence[Source], runs: int, text: Catalogue) -> SummaryLine:
    names = ", ".join(one_line(PurePath(s.name).name) for s in sources[:SOURCES_SHOWN])
    if len(sources) > SOURCES_SHOWN:
        names = text("diff.and_more", names=names, n=len(sources) - SOURCES_SHOWN)
    if runs == 1 and len(sources) == 1:
        return _line(key, text, text("diff.inputs_one", names=names))
    return _line(key, text, text("diff.inputs", runs=runs, files=len(sources), names=names))


def _drift_lines(clocks: Sequence[ClockDiff], text: Catalogue) -> list[SummaryLine]:
    """One banner for a machine that drifted, whatever the number of clocks that show it."""
    lines = []
    for key, moved in (
        ("drift", [clock for clock in clocks if clock.is_drift]),
        ("baselines", [clock for clock in clocks if clock.baselines_alone]),
    ):
        if moved:
            told = (_drift_text(clock, named=len(clocks) > 1) for clock in moved)
            most = max(clock.baselines for clock in moved)
            body = text(f"diff.{key}_line", drift=", ".join(told), n=most)
            lines.append(_line("drift", text, body, warn=True))
    return lines


def _drift_text(clock: ClockDiff, *, named: bool) -> str:
    drift = numbers.percent(clock.drift_pct, signed=True)
    return f"{drift} ({one_line(clock.timer)})" if named and clock.timer else drift


def _clock_lines(report: DiffReport, clock: ClockDiff, text: Catalogue) -> list[SummaryLine]:
    if not clock.matched:
        return []
    cases = [case for case in report.cases if case.key.timer == clock.timer]
    count = {verdict: sum(case.verdict is verdict for case in cases) for verdict in Verdict}
    said = text(
        "diff.verdict_line",
        slower=count[Verdict.SLOWER],
        faster=count[Verdict.FASTER],
        within=count[Verdict.WITHIN_NOISE],
        unsure=count[Verdict.CANNOT_TELL],
        compared=sum(count.values()),
        matched=clock.matched,
    )
    label = (
        text("diff.clock", clock=one_line(clock.timer)) if clock.timer else text("diff.verdicts")
    )
    lines = [SummaryLine("verdicts", label, said, bool(count[Verdict.SLOWER]))]
    loose = sum(case.pto.changed and not case.confirmed for case in cases)
    if loose:
        lines.append(SummaryLine("verdicts", label, text("diff.unconfirmed_line", n=loose)))
    if clock.pairs:
        body = text(
            "diff.geomean_line",
            ratio=numbers.significant(clock.pto_geomean),
            pairs=clock.pairs,
            matched=clock.matched,
            old=numbers.percent(clock.ratio_old_pct),
            new=numbers.percent(clock.ratio_new_pct),
            ratio_pairs=clock.ratio_pairs,
        )
        lines.append(SummaryLine("geomean", label, body))
    return lines


def _notes(report: DiffReport, text: Catalogue) -> list[SummaryLine]:
    lines = []
    differing = report.relaxation.differing
    if differing:
        names = "; ".join(one_line(told) for told in differing)
        lines.append(_line("relaxed", text, text("diff.differing_line", names=names), warn=True))
    told = {name.split(":", maxsplit=1)[0] for name in differing}
    parameters = (name for name in report.relaxation.parameters if name not in told)
    left_out = (*report.relaxation.columns, *parameters)
    if left_out:
        names = ", ".join(one_line(name) for name in left_out)
        lines.append(_line("relaxed", text, text("diff.relaxed_line", names=names)))
    for key, clocks in (("old", report.clocks_old_only), ("new", report.clocks_new_only)):
        if clocks:
            names = ", ".join(one_line(name) or "?" for name in clocks)
            body = text(f"diff.lone_clock_{key}", clocks=names)
            lines.append(_line("lone_clock", text, body))
    past = max((clock.past_runs for clock in report.clocks), default=0)
    if report.history:
        body = text("diff.history_line", n=past, folder=one_line(report.history))
        lines.append(_line("history", text, body))
    return lines
