"""``kreport check``."""

from __future__ import annotations

from typing import Annotated

import typer

from kreport.cli import options


def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE ...",
            help="Run files, kernel-state matrices, folders, quoted globs, or - for stdin.",
        ),
    ],
    strict: options.Strict = None,
    lenient: options.Lenient = None,
    encoding: options.Encoding = None,
    output: Annotated[str, typer.Option("--format", metavar="console|json")] = "console",
    quiet: options.Quiet = False,
) -> int:
    """List every problem of the inputs; nothing is written. Exit 3 where one is serious."""
    from kreport.errors import UsageError
    from kreport.pipeline.check import check as run_check
    from kreport.pipeline.check import say_checked
    from kreport.settings import load

    if output not in ("console", "json"):
        raise UsageError(f"--format {output}: one of console, json")
    loaded = load({"strict": strict, "lenient": lenient, "encoding": encoding})
    checked = run_check(files, loaded.settings)
    say_checked(checked, output, quiet=quiet)
    return checked.exit_code
