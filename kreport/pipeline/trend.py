"""``kreport trend``: what every case did over the runs of an archive."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING

from kreport.archive.cache import load_history
from kreport.errors import ExitCode, NothingComparable
from kreport.pipeline.past import archive_folder
from kreport.readers import ReadOptions
from kreport.report.catalogue import Catalogue
from kreport.report.render import render
from kreport.report.trend.trend_json import trend_json
from kreport.report.trend.trend_view import Style, trend_view
from kreport.trend.series import Trend, trend_of

if TYPE_CHECKING:
    from kreport.settings import Settings

CASES_SHOWN = 20


def trend(kernel: str, settings: Settings, output: str, *, everything: bool) -> int:
    """Write the trend of one kernel, or of all where `kernel` is "", to standard output.

    `output` is ``console``, ``md`` or ``json``. Without a kernel, the first two show only cases in
    which something happened, the newest first.

    Raises:
        NothingComparable: no archive, no run in it, or no kernel of that name.
    """
    found = read_trend(kernel, settings)
    text = Catalogue(settings.lang)
    limit = None if everything or kernel else CASES_SHOWN
    only_events = not kernel
    if output == "json":
        for piece in trend_json(found):
            sys.stdout.write(piece)
    elif output == "md":
        view = trend_view(found, text, Style(), only_events=only_events, limit=limit)
        sys.stdout.write(render("trend.md", text, settings.templates, view=view))
    else:
        from kreport.report.trend.trend_console import console_style, show_trend

        style = console_style()
        view = trend_view(found, text, style, only_events=only_events, limit=limit)
        show_trend(view, text)
    return ExitCode.DONE


def read_trend(kernel: str, settings: Settings) -> Trend:
    """The trend of one kernel or of all, from the archive that the settings name."""
    folder = archive_folder(settings)
    if not folder.is_dir() or not any(folder.iterdir()):
        raise NothingComparable(f"{folder}: no archive here yet; `kreport build` makes one")
    history = load_history(folder, ReadOptions.of(settings))
    if not history.runs:
        raise NothingComparable(f"{folder}: no run can be used")
    names = {key.kernel for key in history.cases}
    if kernel and kernel not in names:
        close = difflib.get_close_matches(kernel, sorted(names), n=3)
        hint = f"; did you mean {', '.join(close)}?" if close else ""
        raise NothingComparable(f"{kernel}: no run of {folder} has a kernel of that name{hint}")
    return trend_of(history, kernel, min_effect_pct=settings.min_effect_pct)
