"""``kreport diff``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kreport.choices import Gate, Method
from kreport.cli import options


class DiffFormat(StrEnum):
    """What a diff can be written as."""

    CONSOLE = "console"
    MD = "md"
    JSON = "json"
    CSV = "csv"
    GITHUB = "github"
    JUNIT = "junit"


RUNS = "File, folder or quoted glob; several files are several runs."


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=RUNS)],
    new: Annotated[str, typer.Argument(metavar="NEW", help=RUNS)],
    history: options.History = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="|".join(Method), help="How to tell a change."),
    ] = None,
    effect: options.Effect = None,
    timer: options.Timer = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="GATES",
            help=f"Exit 1 on any of {','.join(Gate)}.",
        ),
    ] = None,
    output: Annotated[
        DiffFormat, typer.Option("--format", help="Written to standard output.")
    ] = DiffFormat.CONSOLE,
    max_chars: Annotated[
        int | None,
        typer.Option(metavar="N", help="Longest comment that --format github writes (65000)."),
    ] = None,
    matrix: options.Matrix = None,
    templates: options.Templates = None,
    lang: options.Lang = None,
    strict: options.Strict = None,
    lenient: options.Lenient = None,
    encoding: options.Encoding = None,
    verbose: options.Verbose = False,
) -> int:
    """Compare old runs with new ones: transitions, faster, slower, and what cannot be told."""
    from kreport.pipeline.diff import diff as show
    from kreport.pipeline.diff import read_diff
    from kreport.settings import load

    gates = [part.strip() for part in fail_on.split(",") if part.strip()] if fail_on else None
    loaded = load(
        {
            "history": history,
            "method": method,
            "effect_pct": effect,
            "timer": timer,
            "fail_on": gates,
            "max_chars": max_chars,
            "matrix": matrix,
            "templates": templates,
            "lang": lang,
            "strict": strict,
            "lenient": lenient,
            "encoding": encoding,
        }
    )
    report = read_diff(old, new, loaded.settings)
    return show(report, loaded.settings, output, everything=verbose)
