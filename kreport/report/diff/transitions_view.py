"""What no latency can express: blocked, wrong, added, removed, another class, worst first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.model import Side, Transition
from kreport.report.case_name import case_name
from kreport.report.run.case_cells import kernel_name
from kreport.report.text import first_line, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.results import CaseDiff, ClassChange, DiffReport

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

    `key` is a `Transition` value, or ``class``; `tone` is ``bad``, ``good`` or ``quiet``. `shape`
    names the case, with its device where there are several.
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


def severity(row: TransitionRow) -> tuple[int, str, str, str]:
    """Sort key: the worst kind first, then by name."""
    order = [str(transition) for transition in SEVERITY]
    place = order.index(row.key) if row.key in order else 4
    return place, row.kernel, row.shape, row.what


def transition_rows(cases: Sequence[CaseDiff], text: Catalogue) -> list[TransitionRow]:
    """One row a case and transition; the same on several clocks is one row."""
    clocks: dict[TransitionRow, list[str]] = {}
    several_devices = len({case.key.device for case in cases}) > 1
    for case in cases:
        for side, transitions in (
            (Side.PTO, case.transitions),
            (Side.BASELINE, case.baseline.transitions if case.is_matched else ()),
        ):
            for transition in transitions:
                if transition is not Transition.RENAMED:
                    shape, device = case_name(case.key), one_line(case.key.device)
                    place = ", ".join(filter(None, (shape, device))) if several_devices else shape
                    row = _transition_row(case, place, side, transition, text)
                    clocks.setdefault(row, []).append(one_line(case.key.timer))
    return [replace(row, clocks=", ".join(filter(None, names))) for row, names in clocks.items()]


def _transition_row(
    case: CaseDiff, shape: str, side: Side, transition: Transition, text: Catalogue
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
        shape=shape,
        clocks="",
        detail=detail,
        first=first_line(body),
        reason=body,
    )


def class_rows(report: DiffReport, text: Catalogue) -> list[TransitionRow]:
    """Rows of the kernels whose class is another one now."""
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
