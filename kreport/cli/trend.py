"""``kreport trend``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kreport.cli import options


class TrendFormat(StrEnum):
    """What a trend can be written as."""

    CONSOLE = "console"
    MD = "md"
    JSON = "json"


def trend(
    kernel: Annotated[
        str, typer.Argument(metavar="[KERNEL]", help="Name of a kernel; all of them without.")
    ] = "",
    archive: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder of runs (the archive beside the report)."),
    ] = None,
    output: Annotated[
        TrendFormat, typer.Option("--format", help="Written to standard output.")
    ] = TrendFormat.CONSOLE,
    templates: options.Templates = None,
    lang: options.Lang = None,
    verbose: options.Verbose = False,
) -> int:
    """Show what every case did over time: levels, changes and who moved, creeps, blocked runs."""
    from kreport.pipeline.trend import trend as run_trend
    from kreport.settings import load

    loaded = load({"archive": archive, "templates": templates, "lang": lang})
    return run_trend(kernel, loaded.settings, output.value, everything=verbose)
