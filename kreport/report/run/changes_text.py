"""What changed since an earlier run, in the few lines that a summary has room for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.model import Verdict
from kreport.report import numbers
from kreport.report.diff.transitions_view import SEVERITY
from kreport.report.diff.verdict_text import qualified
from kreport.report.run.case_cells import kernel_name
from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kreport.report.catalogue import Catalogue
    from kreport.verdicts import CaseDiff, DiffReport

NAMES_SHOWN = 4


def changes_lines(diff: DiffReport, file: str, stamp: str, text: Catalogue) -> tuple[str, ...]:
    """Lines on the transitions, then the verdicts, then classes; the first names the old run."""
    date = stamps.readable(stamp) or text("word.unknown")
    found = diff.verdicts
    lines = [
        text(
            "changes.since",
            file=one_line(file),
            date=date,
            slower=found[Verdict.SLOWER],
            faster=found[Verdict.FASTER],
            within=found[Verdict.WITHIN_NOISE],
            unsure=found[Verdict.CANNOT_TELL],
        )
    ]
    lines += [
        text("changes.drift", drift=numbers.percent(clock.drift_pct, signed=True))
        if clock.unit_factor == 1
        else text("changes.unit", factor=f"{clock.unit_factor:g}")
        for clock in diff.clocks
        if clock.is_drift
    ]
    for verdict in (Verdict.SLOWER, Verdict.FASTER):
        cases = [case for case in diff.cases if case.verdict is verdict]
        cases.sort(key=lambda case: -abs(case.pto.corrected_pct))
        if cases:
            names = [_with_change(case, text) for case in cases]
            lines.append(f"{text(f'verdict.{verdict}')}: {_listed(names, text)}")
    for transition in SEVERITY:
        kernels = [
            kernel_name(case.key.kernel) for case in diff.cases if transition in case.transitions
        ]
        if kernels:
            lines.append(f"{text(f'transition.{transition}')}: {_listed(kernels, text)}")
    for change in diff.class_changes:
        old, new = (text(f"class.{side.kernel_class}") for side in (change.old, change.new))
        lines.append(text("changes.class", kernel=kernel_name(change.kernel), old=old, new=new))
    return tuple(lines)


def _with_change(case: CaseDiff, text: Catalogue) -> str:
    change = numbers.percent(case.pto.corrected_pct, signed=True)
    name = f"{kernel_name(case.key.kernel)} {change}"
    return qualified(name, case, text)


def _listed(names: Iterable[str], text: Catalogue) -> str:
    """``a (3), b and 2 more``: each name once with its count, the first few of them."""
    counts = Counter(names)
    shown = [name if n == 1 else f"{name} ({n})" for name, n in counts.items()]
    if len(shown) <= NAMES_SHOWN:
        return ", ".join(shown)
    more = text("word.and_more", n=len(shown) - NAMES_SHOWN)
    return f"{', '.join(shown[:NAMES_SHOWN])} {more}"
