"""The verdicts of a kernel step by step: every number that led to them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.diff.diff_cells import change_text, evidence_text
from kreport.report.diff.verdict_text import verdict_text
from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kreport.model import CaseKey
    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.arithmetic import Arithmetic
    from kreport.verdicts.results import CaseDiff


def verdict_lines(
    cases: Iterable[CaseDiff],
    arithmetic: Mapping[CaseKey, Arithmetic],
    since: str,
    text: Catalogue,
) -> list[str]:
    """Explain the verdicts of some cases, a line a step, indented below the case."""
    lines = [text("arithmetic.title", file=one_line(since))]
    for case in cases:
        parts = (case_name(case.key), one_line(case.key.timer), one_line(case.key.device))
        place = "  ".join(part for part in parts if part)
        if case.verdict is None:
            said = [text(f"transition.{transition}") for transition in case.transitions]
            what = ", ".join(said) or numbers.NOT_AVAILABLE
            lines.append("  " + text("arithmetic.transition", shape=place, what=what))
            continue
        head = text(
            "arithmetic.case",
            shape=place,
            verdict=verdict_text(case, text),
            change=change_text(case.pto, text),
            evidence=evidence_text(case.pto, text),
        )
        steps = arithmetic.get(case.key)
        below = _steps(steps, text) if steps else [_without_runs(case, text)]
        lines += ["  " + head, *("    " + line for line in below)]
    return lines


def _without_runs(case: CaseDiff, text: Catalogue) -> str:
    if math.isnan(case.pto.band_pct):
        return text("arithmetic.none")
    return text("arithmetic.single", band=numbers.percent(case.pto.band_pct))


def _steps(found: Arithmetic, text: Catalogue) -> list[str]:
    pct = numbers.percent
    lines = []
    if abs(found.shift_pct) >= 0.05:
        lines.append(text("arithmetic.shift", shift=pct(found.shift_pct, signed=True)))
    lines.append(text("arithmetic.location", change=pct(found.change_pct, signed=True)))
    return [
        *lines,
        text(
            "arithmetic.scatter",
            sigma=pct(found.sigma_pct),
            own=pct(found.own_pct),
            df=found.df,
            trend=pct(found.trend_pct),
        ),
        text("arithmetic.error", error=pct(found.error_pct), old=found.n_old, new=found.n_new),
        text(
            "arithmetic.band",
            band=pct(found.band_pct),
            reach=numbers.significant(found.reach, 3),
            df=numbers.count(found.t_df),
            level=pct(found.level * 100),
            tests=found.tests,
        ),
        text(
            "arithmetic.detectable",
            detectable=pct(found.detectable_pct),
            more=numbers.significant(found.power_reach, 2),
        ),
    ]
