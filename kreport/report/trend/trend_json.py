"""Trends for other programs: versioned, strict, one series a line of work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kreport.model import Side
from kreport.report.run.json_view import problem_record
from kreport.trend.states import states_of

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.model import CaseKey
    from kreport.trend.series import CaseTrend, Series, Trend

VERSION = 1


def trend_json(trend: Trend) -> Iterator[str]:
    """The record as text in pieces: a thousand series of a thousand runs are no single string.

    Values are unrounded; runs are given by their positions in ``runs``.
    """
    head = {"format": "kreport-trend", "version": VERSION, **_context(trend)}
    yield _compact(head)[:-1] + ',\n"series":['
    for number, (case, series) in enumerate(_all_series(trend)):
        yield (",\n" if number else "\n") + _compact(_series(case, series, trend.history))
    yield "\n]}\n"


def _context(trend: Trend) -> dict[str, Any]:
    history = trend.history
    named = {(case.key.family, case.key.kernel) for case in trend.cases}
    return {
        "runs": [
            {"run": run.run or None, "stamp": run.stamp or None, "file": run.file}
            for run in history.runs
        ],
        "problems": [problem_record(problem) for problem in history.problems],
        "kernels": [
            {
                "family": family,
                "kernel": kernel,
                "states": [
                    {
                        "class": state.kernel_class.value,
                        "blocker": state.blocker.value if state.blocker else None,
                        "first_run": state.first,
                        "last_run": state.last,
                        "runs": state.runs,
                    }
                    for state in states
                ],
            }
            for (family, kernel), states in states_of(history).items()
            if (family, kernel) in named
        ],
        "blocked": [
            {
                **_key(case.key),
                "side": side.value,
                "first_run": case.blocked[side].first,
                "last_run": case.blocked[side].last,
                "runs": case.blocked[side].runs,
                "of_runs": case.blocked[side].of_runs,
                "is_now": case.blocked[side].is_now,
            }
            for case in trend.cases
            for side in Side
            if side in case.blocked
        ],
    }


def _all_series(trend: Trend) -> Iterator[tuple[CaseTrend, Series]]:
    for case in trend.cases:
        for series in case.series.values():
            if series.values.size:
                yield case, series


def _series(case: CaseTrend, series: Series, history: History) -> dict[str, Any]:
    level = series.level
    return {
        **_key(case.key),
        "metric": series.metric.value,
        "level": level
        and {
            "median": level.median,
            "q1": level.q1,
            "q3": level.q3,
            "n": level.n,
            "since_run": level.since,
        },
        "change_points": [
            {
                "run": series.runs[point.index],
                "name": history.runs[series.runs[point.index]].run or None,
                "stamp": history.runs[series.runs[point.index]].stamp or None,
                "earliest_run": series.runs[point.earliest],
                "latest_run": series.runs[point.latest],
                "before": point.before,
                "after": point.after,
                "change_pct": point.change_pct,
                "moved": moved.value or None,
            }
            for point, moved in zip(series.course.change_points, series.moved, strict=True)
        ],
        "creeps": [
            {
                "first_run": series.runs[creep.start],
                "last_run": series.runs[creep.stop - 1],
                "change_pct": creep.change_pct,
            }
            for creep in series.course.creeps
        ],
        "runs": series.runs,
        "values": series.values.tolist(),
    }


def _key(key: CaseKey) -> dict[str, str]:
    return {
        "family": key.family,
        "kernel": key.kernel,
        "variant_label": key.variant_label,
        "shape": key.shape,
        "parameters": key.parameters,
        "variant": key.ordinal,
        "timer": key.timer,
        "device": key.device,
    }


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
