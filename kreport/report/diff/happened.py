"""Transitions as a reader wants them: one row a kernel and kind, not one a shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.report.text import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.report.diff.transitions_view import TransitionRow

REASON_SHOWN = 80
SIGNS = {"bad": "✗", "good": "✓"}


@dataclass(frozen=True, slots=True)
class Happened:
    """Transitions of one kind and kernel as one row; `shapes` names one or counts several."""

    tone: str
    sign: str
    what: str
    kernel: str
    shapes: str
    clocks: str
    detail: str


def happened_of(rows: Sequence[TransitionRow], text: Catalogue) -> tuple[Happened, ...]:
    """Rows of one kind and kernel joined, in their order, which is worst first."""
    groups: dict[tuple[str, str, str], list[TransitionRow]] = {}
    for row in rows:
        groups.setdefault((row.tone, row.what, row.kernel), []).append(row)
    return tuple(
        Happened(
            tone=tone,
            sign=SIGNS.get(tone, ""),
            what=what,
            kernel=kernel,
            shapes=members[0].shape if len(members) == 1 else text("github.shapes", n=len(members)),
            clocks=", ".join(dict.fromkeys(row.clocks for row in members if row.clocks)),
            detail=_detail(members, text),
        )
        for (tone, what, kernel), members in groups.items()
    )


def _detail(rows: Sequence[TransitionRow], text: Catalogue) -> str:
    """What rows of one kind say: their first reason, and that there are others."""
    row = rows[0]
    first = cut(row.first, REASON_SHOWN)
    if first and row.tone == "good":
        first = text("github.was", reason=first)
    others = text("github.and_others") if len({other.first for other in rows}) > 1 else ""
    return "; ".join(part for part in (row.detail, first) if part) + others
