"""Trends on a terminal: a line a series, outliers against the band of now in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.padding import Padding
from rich.text import Text

from kreport.report.console import console
from kreport.report.terminal_locale import is_ascii
from kreport.report.trend.trend_view import Style, shortened

if TYPE_CHECKING:
    from rich.console import Console

    from kreport.report.catalogue import Catalogue
    from kreport.report.trend.sparkline import Sparkline
    from kreport.report.trend.trend_view import CaseLines, TrendView

_NAME_WIDTH = 12
_INDENT = _NAME_WIDTH + 3
_NOW_WIDTH = 42
"""What ``0.1061 ms (IQR 0.1046..0.1082, n=36)`` takes beside a line."""


def console_style() -> Style:
    """Lines that fit the terminal, in characters that it has."""
    out = console()
    width = max(16, min(80, out.width - _INDENT - _NOW_WIDTH))
    return Style(width=width, ascii_only=is_ascii())


def show_trend(view: TrendView, text: Catalogue) -> None:
    """Print a trend view to standard output."""
    out = console()
    for line in view.summary:
        _say(out, line, "dim")
    for problem in shortened(view.problems, text):
        _say(out, problem, "yellow")
    for case in view.cases:
        out.print()
        _show_case(out, case)
    if len(view.cases) < view.cases_total:
        out.print()
        _say(out, text("trend.shown", k=len(view.cases), n=view.cases_total), "dim")
    if view.states:
        out.print()
    for sentence in view.states:
        _say(out, sentence, "bold")


def _show_case(out: Console, case: CaseLines) -> None:
    heading = Text(case.name, style="bold")
    rest = "  ".join(part for part in (case.shape, case.clock) if part)
    heading.append(f"  {rest}" if rest else "", style="dim not bold")
    out.print(heading, soft_wrap=True)
    for series in case.series:
        line = Text(f"  {series.name}{' ' * (_NAME_WIDTH - cell_len(series.name))} ")
        line.append_text(_coloured(series.line))
        line.append(f"  {series.now}")
        out.print(line, soft_wrap=True)
        for event in series.events:
            _say(out, event, "bold", indent=_INDENT)
    for sentence in case.blocked:
        _say(out, sentence, "red", indent=2)


def _coloured(line: Sparkline) -> Text:
    """Runs outside the band of the present level stand out; the change marks more so."""
    drawn = Text()
    for character, outside in zip(line.text, line.outside, strict=True):
        style = "bold red" if character == "|" else "yellow" if outside else "cyan"
        drawn.append(character, style=style)
    return drawn


def _say(out: Console, line: str, style: str, indent: int = 0) -> None:
    """A sentence: wrapped under its own beginning on a terminal, one line on a pipe."""
    if out.is_terminal:
        out.print(Padding(Text(line, style=style), (0, 0, 0, indent)))
    else:
        out.print(Text(" " * indent + line, style=style), soft_wrap=True)
