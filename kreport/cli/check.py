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
    output: options.Format = options.ConsoleOrJson.CONSOLE,
    quiet: options.Quiet = False,
) -> int:
    """List every problem of the inputs; nothing is written. Exit 3 where one is serious."""
    from kreport.pipeline.check import check as run_check
    from kreport.pipeline.check import say_checked
    from kreport.settings import load

    loaded = load({"strict": strict, "lenient": lenient, "encoding": encoding})
    checked = run_check(files, loaded.settings)
    say_checked(checked, output.value, quiet=quiet)
    return checked.exit_code
