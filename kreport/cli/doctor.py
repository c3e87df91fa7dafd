"""``kreport doctor``."""

from __future__ import annotations

from typing import Annotated

import typer

from kreport.cli import options


def doctor(
    inputs: options.Inputs = None,
    matrix: options.Matrix = None,
    out: options.Out = None,
    archive: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder of stamped reports.")
    ] = None,
    prom: Annotated[
        str | None, typer.Option(metavar="FILE", help="Prometheus text file of the build.")
    ] = None,
    max_age_hours: Annotated[
        float | None,
        typer.Option("--max-age-hours", metavar="H", min=0, help="Older data is stale."),
    ] = None,
    output: options.Format = options.ConsoleOrJson.CONSOLE,
    quiet: options.Quiet = False,
) -> int:
    """Say whether inputs, lock, last report and archive are healthy: exit 4 if one is not."""
    from kreport.pipeline.doctor import doctor as run_doctor
    from kreport.settings import load

    flags = {"inputs": inputs or None, "matrix": matrix, "out": out, "archive": archive}
    loaded = load({**flags, "prom": prom})
    return run_doctor(loaded.settings, output.value, max_age_hours, quiet=quiet)
