"""A diff on a terminal or a pipe: summary, transitions, then the changed cases, worst first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kreport.report.console import console, print_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from kreport.report.catalogue import Catalogue
    from kreport.report.diff_cells import DiffRow
    from kreport.report.diff_view import DiffView, TransitionRow

TONES = {"bad": "bold red", "good": "green", "unsure": "yellow", "quiet": ""}
SHOWN = 12
UNDECIDED_SHOWN = 5
PIPE_WIDTH = 160
MIDDLING, WIDE, ROOMY = 100, 150, 200
MIN_WIDTHS = {"kernel": 16, "verdict": 12}
TITLES = {
    "kernel": "word.kernel",
    "shape": "word.shape",
    "clock": "word.clock",
    "baseline_change": "diff.change",
}
NUMBERS = frozenset(
    {"change", "baseline_change", "band", "detectable"}
    | {f"{when}_{side}" for when in ("old", "new") for side in ("pto", "baseline")}
)


def show_diff(view: DiffView, text: Catalogue, *, everything: bool) -> None:
    """Print a diff to standard output; without `everything` long lists are cut, and say so."""
    out = console()
    if not sys.stdout.isatty():
        out.width = PIPE_WIDTH
    print_summary(out, view.summary)
    if view.transitions:
        _heading(out, text("diff.transitions"), len(view.transitions))
        shown = view.transitions if everything else view.transitions[:SHOWN]
        out.print(_transition_table(shown))
        _cut(out, len(shown), len(view.transitions), text)
    if view.quiet_line and view.rows:
        out.print(Text(view.quiet_line))
    for name in ("changed", "baseline_moved", "undecided", "unchanged", "idle"):
        rows: Sequence[DiffRow] = getattr(view, name)
        quiet = name in ("unchanged", "idle") and not everything
        if rows and not quiet:
            _heading(out, text(f"diff.{name}"), len(rows))
            limit = UNDECIDED_SHOWN if name == "undecided" else SHOWN
            shown_rows = rows if everything else rows[:limit]
            of_baseline = name == "baseline_moved"
            out.print(_case_table(out, view, shown_rows, text, of_baseline=of_baseline))
            _cut(out, len(shown_rows), len(rows), text)
    for line in view.footnotes if everything else ():
        out.print(Text(line, style="dim"))


def _heading(out: Console, title: str, count: int) -> None:
    out.print()
    out.print(Text(f"{title} ({count})", style="bold"))


def _cut(out: Console, shown: int, total: int, text: Catalogue) -> None:
    if shown < total:
        out.print(Text(text("diff.shown", k=shown, n=total), style="dim"))


def _transition_table(rows: Sequence[TransitionRow]) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in range(4):
        table.add_column(overflow="fold")
    for row in rows:
        place = "  ".join(part for part in (row.shape, row.clocks) if part)
        why = "; ".join(part for part in (row.detail, row.first) if part)
        table.add_row(
            Text(row.what, style=TONES[row.tone]), Text(row.kernel), Text(place), Text(why)
        )
    return table


def _case_table(
    out: Console, view: DiffView, rows: Sequence[DiffRow], text: Catalogue, *, of_baseline: bool
) -> Table:
    """The case, its verdict and its change always, the rest where there is room."""
    middling, wide = out.width >= MIDDLING, out.width >= WIDE
    side = "baseline" if of_baseline else "pto"
    names = ["kernel", "shape", *(["clock"] if view.shows_clock else [])]
    names += ["baseline_change"] if of_baseline else ["verdict", "change"]
    names += [f"old_{side}", f"new_{side}"] if middling else []
    names += ["band"] if middling and not of_baseline else []
    names += [] if of_baseline else ["detectable"]
    names += ["evidence", "advice"] if wide and not of_baseline else []
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in names:
        is_number = name in NUMBERS
        table.add_column(
            text(TITLES.get(name, f"diff.{name}")),
            overflow="fold",
            justify="right" if is_number else "left",
            no_wrap=is_number or (wide and name in ("verdict", "evidence")),
            min_width=MIN_WIDTHS.get(name),
        )
    for row in rows:
        table.add_row(*(_cell(out, row, name) for name in names))
    return table


def _cell(out: Console, row: DiffRow, name: str) -> Text:
    """Quartiles, sources and changes net of the run are left out where they break the line."""
    value = str(getattr(row, name))
    if out.width < (ROOMY if name in NUMBERS - {"band"} else WIDE):
        for opening in (" [", " (") if name in NUMBERS else ():
            value = value.split(opening, maxsplit=1)[0]
    return Text(value, style=TONES[row.tone] if name in ("verdict", "change") else "")
