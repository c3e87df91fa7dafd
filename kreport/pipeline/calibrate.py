"""``kreport calibrate``: what the verdicts are worth on a team's own runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kreport.errors import ExitCode, NothingComparable
from kreport.readers import ReadOptions, read_runs
from kreport.report.catalogue import Catalogue
from kreport.report.diff.calibrate_view import calibration_json, calibration_lines
from kreport.report.render import strict_json
from kreport.verdicts.calibrate import FEWEST_RUNS, calibrate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.settings import Settings
    from kreport.verdicts.calibrate import ClockCalibration


def read_calibration(archive: str, settings: Settings) -> tuple[ClockCalibration, ...]:
    """Calibrate the runs in a folder, files of a glob, or one file of several runs.

    Raises:
        NothingComparable: no clock was measured in three runs or more.
    """
    table = read_runs([archive], ReadOptions.of(settings))
    clocks = calibrate(
        table, effect_pct=settings.effect_pct, min_effect_pct=settings.min_effect_pct
    )
    if settings.timer:
        clocks = tuple(clock for clock in clocks if clock.timer == settings.timer)
    if not any(clock.tests for clock in clocks):
        raise NothingComparable(
            f"{archive}: no clock with {FEWEST_RUNS} runs of the same cases, so nothing can be left"
            " out"
        )
    return clocks


def show_calibration(
    clocks: Sequence[ClockCalibration], settings: Settings, output: str, *, everything: bool
) -> int:
    """Write a calibration to standard output, as text or as JSON."""
    if output == "json":
        sys.stdout.write(strict_json(calibration_json(clocks)) + "\n")
        return ExitCode.DONE
    lines = calibration_lines(clocks, Catalogue(settings.lang), everything=everything)
    sys.stdout.write("\n".join(lines) + "\n")
    return ExitCode.DONE
