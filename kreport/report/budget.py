"""Markdown that fits where it is shown: shorter lists, never a broken table or half a word.

GitHub refuses comments above 65,536 characters and folds large files. What does not fit is
counted ("showing k of n"), the worst rows stay, and the CSV has everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.report.build_view import BuildView, worst_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_CHARACTERS = 65_000


@dataclass(frozen=True, slots=True)
class _Shares:
    """Parts of the budget that each list may take; what one leaves, the rows of cases get."""

    groups: float = 0.3
    reasons: float = 0.25
    problems: float = 0.1


def fit(view: BuildView, characters: int, render: Callable[[BuildView], str]) -> str:
    """Render `view`, with lists shortened until the text has at most `characters`."""
    text = render(view)
    room = float(characters)
    while len(text) > characters:
        shortened = _shortened(view, room, render)
        text = render(shortened)
        if not shortened.rows and len(text) > characters and room < characters / 8:
            break  # the frame alone is larger than the budget: whole, rather than cut anywhere
        room *= 0.8
    return text


def _shortened(view: BuildView, room: float, render: Callable[[BuildView], str]) -> BuildView:
    shares = _Shares()
    reasons = _head(
        view.reasons, [len(reason.body) + 120 for reason in view.reasons], room * shares.reasons
    )
    problems = _head(
        view.problems,
        [len(row.what) + len(row.place) + 90 for row in view.problems],
        room * shares.problems,
    )
    groups = tuple(
        replace(group, rows=group.rows[: _kept(group.total, view, room * shares.groups)])
        for group in view.groups
    )
    frame = replace(
        view, reasons=view.reasons[:reasons], problems=view.problems[:problems], groups=groups
    )
    bare = len(render(replace(frame, rows=())))
    full = len(render(frame))
    per_row = max((full - bare) / max(len(view.rows), 1), 1.0)
    return worst_rows(frame, max(int((room - bare) / per_row), 0))


def _head(items: Sequence[object], sizes: Sequence[int], room: float) -> int:
    """How many of the first items fit into `room` characters."""
    used = 0
    for position, size in enumerate(sizes):
        used += size
        if used > room:
            return position
    return len(items)


def _kept(total: int, view: BuildView, room: float) -> int:
    """How many rows of a group with `total` rows fit, each group in proportion to its size."""
    kernels = sum(group.total for group in view.groups)
    characters_a_kernel = 160
    fitting = room / characters_a_kernel
    return total if kernels <= fitting else max(int(fitting * total / kernels), 1)
