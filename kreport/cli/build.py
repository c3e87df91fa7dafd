"""``kreport build``."""

from __future__ import annotations

from typing import Annotated

import typer

from kreport.cli import options


def build(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CSV ...]", help="Files, folders, quoted globs, or - for stdin."),
    ] = None,
    matrix: options.Matrix = None,
    out: options.Out = None,
    previous: Annotated[
        str | None,
        typer.Option(metavar="CSV|auto", help="Say what changed since this run."),
    ] = None,
    history: options.History = None,
    archive: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder of stamped reports (OUT/archive).")
    ] = None,
    prom: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a Prometheus text file when all is well."),
    ] = None,
    timer: options.SummaryTimer = None,
    templates: options.Templates = None,
    lang: options.Lang = None,
    strict: options.Strict = None,
    lenient: options.Lenient = None,
    encoding: options.Encoding = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> int:
    """Write the report after a benchmark run: regression_latest.md, .html and more."""
    from kreport.pipeline.build import build as run_build
    from kreport.pipeline.build import say_built
    from kreport.settings import load

    loaded = load(
        {
            "inputs": inputs or None,
            "matrix": matrix,
            "out": out,
            "previous": previous,
            "history": history,
            "archive": archive,
            "prom": prom,
            "timer": timer,
            "templates": templates,
            "lang": lang,
            "strict": strict,
            "lenient": lenient,
            "encoding": encoding,
        }
    )
    built = run_build(loaded.settings)
    say_built(built, loaded.settings, quiet=quiet, everything=verbose)
    return 0
