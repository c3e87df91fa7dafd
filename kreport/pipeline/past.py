"""The runs before the one reported: where a command finds them, and which of them count."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kreport.archive.store import FOLDER, snapshots, store

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.readers import ReadOptions
    from kreport.settings import Settings

RUNS_LOOKED_AT = 200
"""More runs narrow no band that matters, older ones tell of machines that are gone; `kreport trend`
shows them all."""


def archive_folder(settings: Settings) -> Path:
    """Return the folder that keeps the reports of every run."""
    return Path(settings.archive) if settings.archive else Path(settings.out) / FOLDER


def past_runs(settings: Settings, stamp: str, options: ReadOptions) -> History | None:
    """Runs of the archive and of ``--history`` that are older than `stamp`; None where none are.

    Of each case only its newest `RUNS_LOOKED_AT` runs. Data that nothing dates has no past: with
    every build it would learn from itself. Nor has the shipped example, which stands in where the
    settings name no inputs.
    """
    folders = [archive_folder(settings)] if snapshots(archive_folder(settings)) else []
    if settings.history:
        folders.append(Path(settings.history))
    if not settings.inputs or not stamp or not folders:
        return None
    from kreport.archive.cache import load_history
    from kreport.archive.history import joined

    past = joined([load_history(folder, options) for folder in folders]).before(stamp)
    return past.newest(RUNS_LOOKED_AT) if past.runs else None


def keep(csv_text: str, json_text: str, stamp: str, settings: Settings) -> None:
    """Put a report into the archive, and what `past_runs` will ask about it into its cache.

    Reading it now leaves nothing to do for the next build of the same inputs: it touches no file.
    """
    folder = archive_folder(settings)
    if store(folder, csv_text.encode(), json_text.encode(), stamp, settings.archive_keep):
        from kreport.archive.cache import load_history

        load_history(folder)
