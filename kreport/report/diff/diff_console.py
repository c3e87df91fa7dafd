"""A diff on a terminal or a pipe: summary, transitions, then the changed cases, worst first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from kreport.report.console import console, print_summary
from kreport.report.diff.happened import Happened, happened_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from kreport.report.catalogue import Catalogue
    from kreport.report.diff.diff_cells import DiffRow
    from kreport.report.diff.diff_view import DiffView
    from kreport.report.diff.transitions_view import TransitionRow

TONES = {"bad": "bold red", "good": "green", "unsure": "yellow", "quiet": ""}
SHOWN = 12
UNDECIDED_SHOWN = 5
PIPE_WIDTH = 160
MIDDLING, WIDE, ROOMY, WHOLE = 100, 150, 190, 240
MIN_WIDTHS = {"kernel": 16, "verdict": 12, "shape": 5}
SHAPE_WIDTH = 28
PADDING = 2
TITLES = {
    "kernel": "word.kernel",
    "shape": "word.shape",
    "clock": "word.clock",
    "device": "word.device",
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
        if sys.stdout.isatty() and not everything:
            happened = happened_of(view.transitions, text)
            out.print(_happened_table(happened[:SHOWN]))
            _cut(out, min(len(happened), SHOWN), len(happened), text)
        else:
            listed = view.transitions if everything else view.transitions[:SHOWN]
            out.print(_transition_table(listed))
            _cut(out, len(listed), len(view.transitions), text)
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


def _happened_table(rows: Sequence[Happened]) -> Table:
    """A line a kernel, whatever the width: a reason that does not fit is whole with ``-v``."""
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="ellipsis", no_wrap=True, max_width=SHAPE_WIDTH)
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1, min_width=8)
    for row in rows:
        kind = Text(row.what, style=TONES[row.tone])
        place = "  ".join(part for part in (row.shapes, row.clocks) if part)
        table.add_row(kind, Text(row.kernel), Text(place), Text(row.detail))
    return table


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
    # On a terminal a case has one line, and of a long shape the beginning; a pipe has it whole.
    one_line = sys.stdout.isatty()
    side = "baseline" if of_baseline else "pto"
    names = ["kernel", "shape", *(["clock"] if view.shows_clock else [])]
    names += ["device"] if view.shows_device else []
    names += ["baseline_change"] if of_baseline else ["verdict", "change"]
    names += [f"old_{side}", f"new_{side}"] if middling else []
    names += ["band"] if middling and not of_baseline else []
    names += [] if of_baseline else ["detectable"]
    names += ["ratio"] if out.width >= ROOMY else []
    names += ["moved"] if out.width >= ROOMY and not of_baseline else []
    names += ["evidence", "advice"] if wide and not of_baseline else []
    titles = {name: text(TITLES.get(name, f"diff.{name}")) for name in names}
    cells = [{name: _cell(out, row, name) for name in names} for row in rows]
    room = (
        out.width
        - PADDING
        - sum(
            max(
                [
                    MIN_WIDTHS.get(name, 0),
                    cell_len(titles[name]),
                    *(cell[name].cell_len for cell in cells),
                ]
            )
            + PADDING
            for name in names
            if name != "shape"
        )
    )
    table = Table(box=None, pad_edge=False, padding=(0, PADDING, 0, 0), header_style="dim")
    for name in names:
        is_number = name in NUMBERS
        gives_way = name == "shape" and one_line
        table.add_column(
            titles[name],
            overflow="ellipsis" if gives_way else "fold",
            justify="right" if is_number else "left",
            no_wrap=is_number or gives_way or (wide and name in ("verdict", "evidence")),
            min_width=MIN_WIDTHS.get(name),
            max_width=max(room, MIN_WIDTHS["shape"]) if gives_way else None,
        )
    for cell in cells:
        table.add_row(*cell.values())
    return table


def _cell(out: Console, row: DiffRow, name: str) -> Text:
    """Quartiles, sources and changes net of the run are left out where they break the line."""
    value = str(getattr(row, name))
    if out.width < (WHOLE if name in NUMBERS - {"band"} else WIDE):
        for opening in (" [", " (") if name in NUMBERS else ():
            value = value.split(opening, maxsplit=1)[0]
    return Text(value, style=TONES[row.tone] if name in ("verdict", "change") else "")
