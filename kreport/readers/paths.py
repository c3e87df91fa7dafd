"""From what the user names to the files to read: files, folders, quoted globs, ``-``."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from kreport.errors import InputError
from kreport.problems import Problem
from kreport.readers.content import STDIN
from kreport.readers.options import Limits
from kreport.readers.refusals import refusal

_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_TREES = (".json", ".json.gz")
_RECORD = ".meta.json"
_MAGIC = frozenset("*?[")


def expand(paths: Sequence[str], limits: Limits) -> list[str]:
    """The files in a stable order, each once.

    A folder stands for the CSV files in it, or for its JSON files where it has no CSV; hidden ones
    are somebody's halves and leftovers. Raises
    InputError, with one problem for each, for names that stand for no file at all.
    """
    files: list[str] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            files.extend(_expand_one(path, limits))
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(f"{len(problems)} of {len(paths)} inputs are not there", tuple(problems))
    # What ``kreport bench`` keeps beside the samples of a run is no input; alone it is refused.
    inputs = [name for name in files if not name.endswith(_RECORD)]
    return list(dict.fromkeys(inputs or files))


def _expand_one(path: str, limits: Limits) -> list[str]:
    if path == STDIN or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        found = _in_folder(Path(path))
        if not found:
            raise refusal(path, "no-inputs", "no CSV or JSON file in this folder")
    elif _MAGIC & set(path):
        found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - the pattern may be absolute
        found = [name for name in found if Path(name).is_file()]
        if not found:
            raise refusal(path, "no-inputs", "no file matches this pattern")
    else:
        return [path]  # opening it says why not
    if len(found) > limits.max_files:
        raise refusal(
            path, "too-many-files", f"{len(found):,} files, more than {limits.max_files:,}"
        )
    return found


def _in_folder(folder: Path) -> list[str]:
    shown = (entry for entry in folder.iterdir() if not entry.name.startswith("."))
    names = sorted(entry for entry in shown if entry.is_file())
    for endings in (_TABLES, _TREES):
        found = [str(entry) for entry in names if entry.name.casefold().endswith(endings)]
        if found:
            return found
    return []
