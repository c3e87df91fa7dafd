"""A report on a terminal: the summary, then a table of its kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kreport.kernels import worst_first
from kreport.model import KernelClass
from kreport.report.console import console, print_summary
from kreport.report.run.kernel_cells import kernel_row
from kreport.report.terminal_locale import is_ascii

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.kernels import KernelResult
    from kreport.report.catalogue import Catalogue
    from kreport.report.run.summary_view import SummaryLine
    from kreport.run_report import RunReport

CLASS_STYLES = {
    "tile-first": "green",
    "scalar-heavy": "yellow",
    "baseline-blocked": "cyan",
    "PTO-blocked": "red",
    "unclassified": "magenta",
}
TIER_STYLES = {"parity": "green", "close": "green", "middle": "yellow", "slow": "red"}
KERNELS_SHOWN = 12
BAR_CELLS = 10


def show_report(
    report: RunReport, lines: Sequence[SummaryLine], text: Catalogue, *, everything: bool
) -> None:
    """Print the summary, then the kernels: ports that do not run, then the worst of the others."""
    out = console()
    print_summary(out, lines)
    ranked = sorted(report.kernels, key=worst_first)
    ranked.sort(key=lambda kernel: kernel.kernel_class is not KernelClass.PTO_BLOCKED)
    shown = ranked if everything else ranked[:KERNELS_SHOWN]
    out.print(_kernel_table(shown, report.clock, text, ascii_only=is_ascii()))
    if len(shown) < len(ranked):
        out.print(Text(text("console.shown", k=len(shown), n=len(ranked)), style="dim"))


def bar(ratio_pct: float, *, ascii_only: bool = False) -> str:
    """Draw a ratio as a bar of ten cells, full at 100 % and above; "" where there is no ratio."""
    if math.isnan(ratio_pct):
        return ""
    eighths = round(min(max(ratio_pct, 0.0), 100.0) / 100 * BAR_CELLS * 8)
    whole, rest = divmod(eighths, 8)
    if ascii_only:
        return "#" * round(eighths / 8)
    return "█" * whole + ("" if rest == 0 else " ▏▎▍▌▋▊▉"[rest])


def _kernel_table(
    kernels: Sequence[KernelResult], clock: str, text: Catalogue, *, ascii_only: bool
) -> Table:
    wide = console().width >= 120
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(text("word.kernel"), overflow="fold", min_width=16)
    table.add_column(text("word.class"), no_wrap=True)
    table.add_column(text("word.ratio"), justify="right", no_wrap=True)
    if wide:
        table.add_column("", no_wrap=True, width=BAR_CELLS)
        table.add_column(text("word.band"), no_wrap=True)
        table.add_column(text("word.pto_ms"), justify="right", no_wrap=True)
    table.add_column(text("word.tier"), no_wrap=True)
    for kernel in kernels:
        row = kernel_row(kernel, text, clock)
        middle = (
            [
                Text(bar(kernel.geomean_pct, ascii_only=ascii_only)),
                Text(row.band),
                Text(row.pto_ms),
            ]
            if wide
            else []
        )
        table.add_row(
            Text(row.name),
            Text(row.kernel_class, style=CLASS_STYLES[row.class_key]),
            Text(row.ratio),
            *middle,
            Text(row.tier or row.blocker, style=TIER_STYLES.get(kernel.tier or "", "red")),
        )
    return table
