"""``kreport explain``."""

from __future__ import annotations

from typing import Annotated

import typer

from kreport.cli import options


def explain(
    kernel: Annotated[str, typer.Argument(metavar="KERNEL", help="Name of a kernel.")],
    inputs: options.Inputs = None,
    matrix: options.Matrix = None,
    previous: Annotated[
        str | None,
        typer.Option(metavar="CSV|auto", help="Explain the verdicts since this run too."),
    ] = None,
    history: options.History = None,
    timer: options.SummaryTimer = None,
    lang: options.Lang = None,
    encoding: options.Encoding = None,
) -> int:
    """Show which rule decided a kernel's class, and the arithmetic of its ratios and bands."""
    from kreport.pipeline.explain import explain as run_explain
    from kreport.settings import load

    flags = {
        "inputs": inputs or None,
        "matrix": matrix,
        "previous": previous,
        "history": history,
        "timer": timer,
        "lang": lang,
        "encoding": encoding,
    }
    return run_explain(kernel, load(flags).settings)
