"""``kreport calibrate``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kreport.cli import options


class CalibrateFormat(StrEnum):
    """What a calibration can be written as."""

    CONSOLE = "console"
    JSON = "json"


def calibrate(
    archive: Annotated[
        str | None,
        typer.Argument(metavar="[ARCHIVE]", help="Folder, quoted glob or file of several runs."),
    ] = None,
    effect: options.Effect = None,
    timer: options.Timer = None,
    output: Annotated[
        CalibrateFormat, typer.Option("--format", help="Written to standard output.")
    ] = CalibrateFormat.CONSOLE,
    lang: options.Lang = None,
    verbose: options.Verbose = False,
) -> int:
    """Measure false alarms and detectable effects on your own runs, leaving one out at a time."""
    from kreport.pipeline.calibrate import read_calibration, show_calibration
    from kreport.pipeline.past import archive_folder
    from kreport.settings import load

    settings = load({"effect_pct": effect, "timer": timer, "lang": lang}).settings
    clocks = read_calibration(archive or str(archive_folder(settings)), settings)
    return show_calibration(clocks, settings, output, everything=verbose)
