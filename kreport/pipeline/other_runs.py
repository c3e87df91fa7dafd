"""What other runs add to a report: changes, verdicts, earlier classes, courses over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.pipeline.changes import Since, changes_by_case
from kreport.report.run.build_view import Extras

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.report.catalogue import Catalogue
    from kreport.run_report import RunReport
    from kreport.schema import RunTable
    from kreport.settings import Settings
    from kreport.trend.series import Trend

TRENDS_SHOWN = 300
"""With more cases than this the page has no room for their courses."""


def extras_of(
    report: RunReport,
    table: RunTable,
    past: History | None,
    since: Since | None,
    settings: Settings,
    text: Catalogue,
) -> Extras:
    """Collect it, each part where there is something to base it on."""
    history = trend = None
    if past:
        from kreport.report.run.state_text import history_teller

        history = history_teller(past, text)
        trend = _courses(past, table, settings)
    if since is None:
        return Extras(history=history, trend=trend)
    if since.diff is None:
        return Extras(changes=(text(since.why),), history=history, trend=trend)
    from kreport.report.run.changes_text import changes_lines

    return Extras(
        changes=changes_lines(since.diff, since.file, since.stamp, text),
        changes_by_case=changes_by_case(report, since.diff),
        history=history,
        trend=trend,
    )


def _courses(past: History, table: RunTable, settings: Settings) -> Trend | None:
    if len(past.cases) > TRENDS_SHOWN:
        return None
    from kreport.archive.history import history_of, joined
    from kreport.trend.series import trend_of

    course = joined([past, history_of(table)])
    return trend_of(course, min_effect_pct=settings.min_effect_pct)
