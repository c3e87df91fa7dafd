"""The first lines of a diff: what was compared, what moved whole runs, the counts of verdicts."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from kreport.model import Transition, Verdict
from kreport.report import numbers
from kreport.report.run.summary_view import SummaryLine
from kreport.report.text import one_line
from kreport.verdicts.decisions import FEWEST_EARLIER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.schema import Source
    from kreport.verdicts.results import ClockDiff, DiffReport

SOURCES_SHOWN = 3


def diff_summary(report: DiffReport, text: Catalogue) -> tuple[SummaryLine, ...]:
    """Lines in the order in which a reader needs them; warnings stand out."""
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
    lines += _incomplete_lines((*report.old_sources, *report.new_sources), text)
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


def _incomplete_lines(sources: Sequence[Source], text: Catalogue) -> list[SummaryLine]:
    """Rows and files of which a part is not compared: a case missing for that is not removed."""
    found = [
        text("diff.source_set_aside", file=one_line(source.name), n=source.set_aside)
        for source in sources
        if source.set_aside
    ]
    found += [
        f"{one_line(source.name)}: {text('summary.incomplete')}"
        for source in sources
        if not source.complete
    ]
    if len(found) > SOURCES_SHOWN:
        found = [*found[:SOURCES_SHOWN], text("diff.more_sources", n=len(found) - SOURCES_SHOWN)]
    return [_line("set_aside", text, line, warn=True) for line in found]


def _drift_lines(clocks: Sequence[ClockDiff], text: Catalogue) -> list[SummaryLine]:
    """One banner for a machine that drifted, whatever the number of clocks that show it."""
    lines = []
    for key, moved in (
        ("unit", [clock for clock in clocks if clock.unit_factor != 1]),
        ("drift", [clock for clock in clocks if clock.is_drift and clock.unit_factor == 1]),
        ("baselines", [clock for clock in clocks if clock.baselines_alone]),
    ):
        if moved:
            values = {
                "drift": ", ".join(_drift_text(clock, named=len(clocks) > 1) for clock in moved),
                "ports": ", ".join(
                    numbers.percent((clock.pto_geomean - 1) * 100, signed=True) for clock in moved
                ),
                "factor": f"{moved[0].unit_factor:g}",
                "n": max(clock.baselines for clock in moved),
            }
            lines.append(_line("drift", text, text(f"diff.{key}_line", **values), warn=True))
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
    loose = sum(case.is_unconfirmed for case in cases)
    if loose:
        lines.append(
            SummaryLine(
                "verdicts", label, text("diff.unconfirmed_line", n=loose, fewest=FEWEST_EARLIER)
            )
        )
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
