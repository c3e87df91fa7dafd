"""The terminal: one Rich console set up the same way for every command.

Text from files is never markup here, and colours are the 16 that every terminal has. Data goes to
standard output, talk to standard error.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.run.summary_view import SummaryLine


def console() -> Console:
    """Return a console that follows ``NO_COLOR`` (an empty one too) and never guesses markup."""
    return Console(
        markup=False,
        emoji=False,
        highlight=False,
        no_color=True if "NO_COLOR" in os.environ else None,
        legacy_windows=False,
    )


def print_summary(out: Console, lines: Sequence[SummaryLine]) -> None:
    """Print labelled lines, a label once, warnings so that they stand out."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    previous = ""
    for line in lines:
        label = "" if line.label == previous else line.label
        table.add_row(Text(label), Text(line.text, style="bold red" if line.is_warning else ""))
        previous = line.label
    out.print(table)
    out.print()


def print_indented(lines: str) -> None:
    """Print lines to a terminal; one that is too long goes on under its own beginning."""
    out = console()
    for line in lines.split("\n"):
        said = line.lstrip(" ")
        indent = (0, 0, 0, len(line) - len(said))
        out.print(Padding(Text(said), indent, expand=False) if said else "")
