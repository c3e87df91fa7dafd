"""A diff as a pull-request comment: the story on one screen, everything else folded below it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.report.diff.happened import Happened, happened_of
from kreport.report.text import code_block

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.report.diff.diff_cells import DiffRow
    from kreport.report.diff.diff_view import DiffView
    from kreport.report.diff.transitions_view import TransitionRow
    from kreport.report.run.summary_view import SummaryLine

ROWS_OPEN = 10
"""Rows of a table that is not folded: what fits on one screen."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A folded list of cases; `total` counts also the rows that a budget took away."""

    title: str
    rows: tuple[DiffRow, ...]
    total: int
    cut: str


@dataclass(frozen=True, slots=True)
class WholeReason:
    """A reason in full, as a block of code that it cannot leave."""

    title: str
    block: str


@dataclass(frozen=True, slots=True)
class GithubView:
    """The comment. `*_cut` say how many of how many rows are shown, "" where all are."""

    title: str
    headline: str
    has_bad_news: bool
    summary: tuple[SummaryLine, ...]
    happened: tuple[Happened, ...]
    happened_cut: str
    changed: tuple[DiffRow, ...]
    changed_cut: str
    quiet_line: str
    folds: tuple[Fold, ...]
    reasons: tuple[WholeReason, ...]
    reasons_cut: str
    shows_clock: bool
    shows_device: bool
    how_to_read: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """How many rows each part of a comment may have; what is folded gives way first."""

    folded: int
    reasons: int
    open: int


def github_view(view: DiffView, text: Catalogue, room: Room) -> GithubView:
    """Lay out a diff as a comment with at most `room` rows; what is left out is counted."""

    def counted(shown: int, total: int) -> str:
        return text("github.cut", k=shown, n=total) if shown < total else ""

    happened = happened_of(view.transitions, text)
    reasons = _reasons(view.transitions)
    shown = happened[: room.open]
    # The open table has the worst; all changed cases are in the first fold.
    changed = view.changed[: min(room.open, ROWS_OPEN)]
    lists = (
        ("diff.changed", view.changed if len(changed) < len(view.changed) else ()),
        ("diff.baseline_moved", view.baseline_moved),
        ("diff.undecided", view.undecided),
        ("diff.unchanged", view.unchanged),
        ("diff.idle", view.idle),
    )
    return GithubView(
        title=view.title,
        headline=_headline(view, text),
        has_bad_news=view.has_bad_news,
        summary=view.summary,
        happened=shown,
        happened_cut=counted(len(shown), len(happened)),
        changed=changed,
        changed_cut=counted(len(changed), len(view.changed)),
        quiet_line=view.quiet_line,
        folds=tuple(
            Fold(
                text("github.fold", what=text(key), n=len(rows)),
                rows[: room.folded],
                len(rows),
                counted(min(room.folded, len(rows)), len(rows)),
            )
            for key, rows in lists
            if rows
        ),
        reasons=reasons[: room.reasons],
        reasons_cut=counted(min(room.reasons, len(reasons)), len(reasons)),
        shows_clock=view.shows_clock,
        shows_device=view.shows_device,
        how_to_read=view.how_to_read,
    )


def fit_comment(
    view: DiffView,
    text: Catalogue,
    render: Callable[[GithubView], str],
    *,
    characters: int | None = None,
    size: int | None = None,
) -> str:
    """Render the longest comment of at most so many characters, or bytes of UTF-8 (`size`).

    Folded rows give way first, then whole reasons, then the open tables; the headline stays. No
    table is cut inside. A frame that alone is longer than the limit is returned whole.
    """

    def fits(room: Room) -> bool:
        shown = render(github_view(view, text, room))
        return (characters is None or len(shown) <= characters) and (
            size is None or len(shown.encode()) <= size
        )

    longest = max(len(view.rows), len(view.idle), len(view.transitions), 1)
    room = Room(longest, longest, longest)
    for part in ("folded", "reasons", "open"):
        if fits(room):
            break
        room = replace(room, **{part: _largest(room, part, fits)})
    return render(github_view(view, text, room))


def _largest(room: Room, part: str, fits: Callable[[Room], bool]) -> int:
    """The most rows of one part that fit; 0 where not even none of it helps."""
    low, high = 0, getattr(room, part)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(replace(room, **{part: middle})):
            low = middle
        else:
            high = middle - 1
    return low


def _headline(view: DiffView, text: Catalogue) -> str:
    """``4 newly blocked, 6 unblocked; 1 slower, 2 faster, 85 cannot tell``."""
    counts = Counter(row.what for row in view.transitions if row.key != "class")
    happened = ", ".join(text("github.count", n=n, what=what) for what, n in counts.items())
    verdicts = Counter(row.verdict_key for row in (*view.rows, *view.idle))
    decided = ", ".join(
        text("github.count", n=verdicts[key], what=text(f"verdict.{key}"))
        for key in ("slower", "faster", "within noise", "cannot tell")
        if verdicts[key]
    )
    return "; ".join(part for part in (happened, decided) if part)


def _reasons(rows: Sequence[TransitionRow]) -> tuple[WholeReason, ...]:
    """Every distinct reason with more to say than its first line, once."""
    found: dict[str, TransitionRow] = {}
    for row in rows:
        if row.reason.strip() not in ("", row.first):
            found.setdefault(row.reason, row)
    return tuple(
        WholeReason(f"{row.kernel}: {row.what}", code_block(reason))
        for reason, row in found.items()
    )
