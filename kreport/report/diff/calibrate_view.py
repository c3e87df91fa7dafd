"""A calibration as lines of text, and as strict JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.exact import json_number, json_record
from kreport.report.run.case_cells import kernel_name
from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.calibrate import CaseCalibration, ClockCalibration

VERSION = 1
NOISIEST_SHOWN = 5
FEW_RUNS = 10
CASE_LIMIT = 60
"""Characters of the name of a case, which has one line for everything."""


def calibration_lines(
    clocks: Sequence[ClockCalibration], text: Catalogue, *, everything: bool
) -> list[str]:
    """Write a calibration as plain lines, each safe for a terminal."""
    lines = [text("calibrate.title")]
    for clock in clocks:
        lines += ["", *_clock_lines(clock, text, everything=everything)]
    lines += ["", text("calibrate.advice"), *(f"  {line}" for line in _advice(clocks, text))]
    return lines


def _clock_lines(clock: ClockCalibration, text: Catalogue, *, everything: bool) -> list[str]:
    name = _name(clock)
    lines = [
        text("calibrate.clock", clock=name) if name else text("calibrate.no_clock"),
        "  "
        + text(
            "calibrate.alarms",
            alarms=clock.alarms,
            tests=clock.tests,
            rate=numbers.percent(clock.alarm_rate * 100),
            reports=clock.reports,
            reports_alarmed=clock.reports_alarmed,
        ),
        "  " + text("calibrate.found", rate=numbers.percent(clock.found_rate * 100)),
        "  "
        + text(
            "calibrate.sees",
            effect=numbers.percent(clock.effect_pct),
            sees=clock.sees_effect,
            cases=len(clock.cases),
            runs=clock.runs,
        ),
    ]
    if clock.left_out:
        lines.append("  " + text("calibrate.left_out", n=clock.left_out))
    lines.append("  " + text("calibrate.noisiest"))
    shown = clock.cases if everything else clock.cases[:NOISIEST_SHOWN]
    lines += [f"    {_case_line(case, text)}" for case in shown]
    return lines


def _case_line(case: CaseCalibration, text: Catalogue) -> str:
    return text(
        "calibrate.case",
        kernel=kernel_name(case.key.kernel),
        shape=case_name(case.key, CASE_LIMIT),
        scatter=numbers.percent(case.scatter_pct),
        detectable=numbers.percent(case.detectable_pct),
    )


def _advice(clocks: Sequence[ClockCalibration], text: Catalogue) -> list[str]:
    best = max(clocks, key=lambda clock: clock.sees_effect / max(len(clock.cases), 1))
    lines = [
        text(
            "calibrate.use_clock",
            clock=_name(best),
            effect=numbers.percent(best.effect_pct),
            sees=best.sees_effect,
            cases=len(best.cases),
            other=_name(clock),
            other_sees=clock.sees_effect,
            other_cases=len(clock.cases),
        )
        for clock in clocks
        if clock.sees_effect < best.sees_effect
    ]
    lines += [
        text("calibrate.more_runs", runs=clock.runs, clock=_name(clock) or "-")
        for clock in clocks
        if clock.runs < FEW_RUNS
    ]
    return [*lines, text("calibrate.assumes")]


def _name(clock: ClockCalibration) -> str:
    return one_line(clock.timer)


def calibration_json(clocks: Sequence[ClockCalibration]) -> dict[str, Any]:
    """Lay a calibration out for other programs; absent numbers are null."""
    return {
        "format": "kreport-calibration",
        "version": VERSION,
        "clocks": [
            {
                **json_record(
                    {name: getattr(clock, name) for name in clock.__slots__ if name != "cases"}
                ),
                "alarm_rate": json_number(clock.alarm_rate),
                "cases": [
                    {
                        **dataclasses.asdict(case.key),
                        "runs": case.runs,
                        "scatter_pct": json_number(case.scatter_pct),
                        "detectable_pct": json_number(case.detectable_pct),
                        "alarms": case.alarms,
                    }
                    for case in clock.cases
                ],
            }
            for clock in clocks
        ],
    }
