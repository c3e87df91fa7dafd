"""Markdown that fits where it is shown: shorter lists, never a broken table or half a word.

GitHub refuses comments above 65,536 characters and folds large files. What does not fit is
counted ("showing k of n"), the worst rows stay, and the CSV has everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.report.run.build_view import BuildView, worst_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHORTEST_ROW = 60
"""No row of a case is written in fewer characters."""
PROBED_ROWS = 100


@dataclass(frozen=True, slots=True)
class _Shares:
    """Parts of the budget that each list may take; what one leaves, the rows of cases get."""

    groups: float = 0.3
    reasons: float = 0.25
    problems: float = 0.1


def fit(view: BuildView, characters: int, render: Callable[[BuildView], str]) -> str:
    """Render `view`, with lists shortened until the text has at most `characters`."""
    if len(view.rows) <= characters / SHORTEST_ROW:
        text = render(view)
        if len(text) <= characters:
            return text
    room = float(characters)
    while True:
        shortened = _shortened(view, room, render)
        text = render(shortened)
        # A frame that alone is larger than the budget is shown whole, rather than cut anywhere.
        if len(text) <= characters or (not shortened.rows and room < characters / 8):
            return text
        room *= 0.8


def _shortened(view: BuildView, room: float, render: Callable[[BuildView], str]) -> BuildView:
    shares = _Shares()
    reasons = _head([len(reason.body) + 120 for reason in view.reasons], room * shares.reasons)
    problems = _head(
        [len(row.what) + len(row.place) + 90 for row in view.problems], room * shares.problems
    )
    frame = replace(
        view,
        reasons=view.reasons[:reasons],
        problems=view.problems[:problems],
        groups=tuple(
            replace(group, rows=group.rows[: _kept(group.total, view, room * shares.groups)])
            for group in view.groups
        ),
    )
    bare = len(render(replace(frame, rows=())))
    probe = worst_rows(frame, min(len(view.rows), PROBED_ROWS))
    per_row = max((len(render(probe)) - bare) / max(len(probe.rows), 1), SHORTEST_ROW)
    return worst_rows(frame, max(int((room - bare) / per_row), 0))


def _head(sizes: Sequence[int], room: float) -> int:
    """How many of the first items, of these sizes, fit into `room` characters."""
    used = 0
    for position, size in enumerate(sizes):
        used += size
        if used > room:
            return position
    return len(sizes)


def _kept(total: int, view: BuildView, room: float) -> int:
    """How many rows of a group with `total` rows fit, each group in proportion to its size."""
    kernels = sum(group.total for group in view.groups)
    characters_a_kernel = 160
    fitting = room / characters_a_kernel
    return total if kernels <= fitting else max(int(fitting * total / kernels), 1)
