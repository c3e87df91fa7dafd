"""Trends as formatted strings: what a console, Markdown and a page show of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.model import Moved, Side
from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.run.case_cells import kernel_name
from kreport.report.run.state_text import states_text
from kreport.report.text import one_line
from kreport.report.trend.sparkline import Sparkline, sparkline
from kreport.trend.series import CaseTrend, Metric, Series, Trend, newest_first
from kreport.trend.states import states_of

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.report.catalogue import Catalogue
    from kreport.trend.changepoints import ChangePoint, Creep

PROBLEMS_SHOWN = 5
FEWEST_FOR_IQR = 4


@dataclass(frozen=True, slots=True)
class Style:
    """How lines are drawn: how wide, and with which characters."""

    width: int = 40
    ascii_only: bool = False


@dataclass(frozen=True, slots=True)
class SeriesLines:
    """One series: its name, its line, where it stands and what happened to it."""

    name: str
    line: Sparkline
    now: str
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseLines:
    """One case: its heading, its series and the runs in which a side was blocked."""

    name: str
    shape: str
    clock: str
    series: tuple[SeriesLines, ...]
    blocked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrendView:
    """Trends, the newest change first. `cases_total` counts also what `cases` leaves out."""

    lang: str
    title: str
    summary: tuple[str, ...]
    cases: tuple[CaseLines, ...]
    cases_total: int
    states: tuple[str, ...]
    problems: tuple[str, ...]


def trend_view(
    trend: Trend, text: Catalogue, style: Style, *, only_events: bool, limit: int | None = None
) -> TrendView:
    """Format trends; with `only_events`, only cases and series in which something happened."""
    told = [case for case in newest_first(trend.cases) if not only_events or _has_event(case)]
    history = trend.history
    named = {(case.key.family, case.key.kernel) for case in trend.cases}
    states = states_of(history)
    sentences = (
        (kernel_name(kernel[1]), states_text(found, history, text))
        for kernel, found in states.items()
        if kernel in named
    )
    return TrendView(
        lang=text.lang,
        title=text("trend.title"),
        summary=_summary(trend, text),
        cases=tuple(_case(case, history, text, style, only_events) for case in told[:limit]),
        cases_total=len(told),
        states=tuple(f"{name}: {said}" for name, said in sentences if said),
        problems=tuple(one_line(f"{p.file}: {p.message}") for p in history.problems),
    )


def run_text(history: History, run: int) -> str:
    """One run for people: its date, and its name where that says more."""
    name = history.runs[run]
    date = stamps.readable(name.stamp)
    shown = one_line(name.run, 40)
    if not date:
        return shown
    return date if name.run in ("", name.stamp) else f"{date} ({shown})"


def _summary(trend: Trend, text: Catalogue) -> tuple[str, ...]:
    history = trend.history
    changes = [
        point
        for case in trend.cases
        for series in case.series.values()
        for point in series.course.change_points
    ]
    changed = sum(case.newest_change >= 0 for case in trend.cases)
    span = {
        "n": len(history.runs),
        "first": run_text(history, 0),
        "last": run_text(history, len(history.runs) - 1),
    }
    return (
        text("trend.runs", **span),
        text("trend.changes", n=len(changes), k=changed, cases=len(trend.cases)),
    )


def _has_event(case: CaseTrend) -> bool:
    creeps = any(series.course.creeps for series in case.series.values())
    became_blocked = any(b.is_now and b.runs < b.of_runs for b in case.blocked.values())
    return case.newest_change >= 0 or creeps or became_blocked


def _case(
    case: CaseTrend, history: History, text: Catalogue, style: Style, only_events: bool
) -> CaseLines:
    shown = [
        series
        for series in case.series.values()
        if series.values.size and (not only_events or _moves(series))
    ]
    return CaseLines(
        name=kernel_name(case.key.kernel),
        shape=case_name(case.key),
        clock=" ".join(one_line(part) for part in (case.key.timer, case.key.device) if part),
        series=tuple(_series(series, history, text, style) for series in shown),
        blocked=tuple(_blocked(case, side, history, text) for side in Side if side in case.blocked),
    )


def _moves(series: Series) -> bool:
    return bool(series.course.change_points or series.course.creeps)


def _series(series: Series, history: History, text: Catalogue, style: Style) -> SeriesLines:
    level = series.level
    return SeriesLines(
        name=text(f"trend.{series.metric}"),
        line=sparkline(
            series.values,
            [point.index for point in series.course.change_points],
            None if level is None else (level.q1, level.q3),
            width=style.width,
            ascii_only=style.ascii_only,
        ),
        now=now_text(series, text),
        events=events_of(series, history, text),
    )


def events_of(series: Series, history: History, text: Catalogue) -> tuple[str, ...]:
    """What happened to a series, a sentence each: changes, then creeps."""
    changes = (
        _change(series, point, moved, history, text)
        for point, moved in zip(series.course.change_points, series.moved, strict=True)
    )
    return (*changes, *(_creep(series, creep, history, text) for creep in series.course.creeps))


def now_text(series: Series, text: Catalogue) -> str:
    """Where a series stands: its level with the quartiles of the runs behind it."""
    level = series.level
    if level is None:
        return ""
    median = value_text(series.metric, level.median)
    if level.n < FEWEST_FOR_IQR:
        return text("trend.now_few", median=median, n=level.n)
    bare = numbers.percent if series.metric is Metric.RATIO else numbers.latency
    return text("trend.now", median=median, q1=bare(level.q1), q3=bare(level.q3), n=level.n)


def value_text(metric: Metric, value: float) -> str:
    """One value of a series, with its unit."""
    return numbers.percent(value) if metric is Metric.RATIO else f"{numbers.latency(value)} ms"


def _change(
    series: Series, point: ChangePoint, moved: Moved, history: History, text: Catalogue
) -> str:
    since = run_text(history, series.runs[point.index])
    if point.earliest != point.latest:
        since = text(
            "trend.since_range",
            run=since,
            earliest=run_text(history, series.runs[point.earliest]),
            latest=run_text(history, series.runs[point.latest]),
        )
    said = text(
        "trend.change",
        since=since,
        change=numbers.percent(point.change_pct, signed=True),
        before=value_text(series.metric, point.before),
        after=value_text(series.metric, point.after),
    )
    who = text(f"moved.{moved.name.lower()}")
    return f"{said}; {who}" if who else said


def _creep(series: Series, creep: Creep, history: History, text: Catalogue) -> str:
    return text(
        "trend.creep",
        change=numbers.percent(creep.change_pct, signed=True),
        n=creep.stop - creep.start,
        first=run_text(history, series.runs[creep.start]),
        last=run_text(history, series.runs[creep.stop - 1]),
    )


def _blocked(case: CaseTrend, side: Side, history: History, text: Catalogue) -> str:
    found = case.blocked[side]
    return text(
        "trend.blocked_now" if found.is_now else "trend.blocked_then",
        side=text(f"word.{side}"),
        n=found.runs,
        of=found.of_runs,
        first=run_text(history, found.first),
        last=run_text(history, found.last),
    )


def shortened(lines: Sequence[str], text: Catalogue, limit: int = PROBLEMS_SHOWN) -> list[str]:
    """The first lines, and how many more there are."""
    shown = list(lines[:limit])
    if len(lines) > limit:
        shown.append(text("word.and_more", n=len(lines) - limit))
    return shown
