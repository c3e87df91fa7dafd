"""``kreport summarize``."""

from __future__ import annotations

from typing import Annotated

import typer

from kreport.cli import options


def summarize(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE ...", help="Sample files, folders, quoted globs, or - for stdin."
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Write here instead of stdout.")
    ] = "",
    strict: options.Strict = None,
    lenient: options.Lenient = None,
    encoding: options.Encoding = None,
) -> int:
    """Reduce samples to one row a case with quartiles; the report on both is the same."""
    from kreport.pipeline.summarize import summarize as run_summarize
    from kreport.settings import load

    loaded = load({"strict": strict, "lenient": lenient, "encoding": encoding})
    return run_summarize(files, loaded.settings, out)
