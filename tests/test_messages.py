"""Every kind of faulty and every kind of odd but sound input, with the exact words kreport says.

A fixture is a folder of ``fixtures/invalid`` (named by its fault) or ``fixtures/valid`` (named by
what is odd about it); its golden file holds what ``kreport check`` prints
there, and for runs the rows that were read.
``UPDATE_GOLDEN=1`` writes the golden files anew: read the difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kreport.errors import InputError
from kreport.pipeline.check import check, say_checked
from kreport.readers import is_matrix, read_runs
from kreport.settings import Settings

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
GOLDEN = Path(__file__).parent / "golden" / "check"
NOT_A_KIND = {"example"}


def kinds() -> list[Path]:
    folders = sorted(path for path in FIXTURES.glob("*/*") if path.is_dir())
    return [folder for folder in folders if folder.name not in NOT_A_KIND]


def rows_read(folder: Path) -> str:
    """Each row on a line, escaped: the case, both sides, and its notices."""
    names = sorted(path.name for path in folder.iterdir() if not is_matrix(str(path)))
    try:
        rows = read_runs(names).frame.to_dict("records") if names else []
    except InputError:
        return ""
    lines = []
    for row in rows:
        sides = [
            "{} {}/{} {:.6g}".format(
                side, *(row[f"{side}_{name}"] for name in ("status", "correct", "median_ms"))
            )
            for side in ("baseline", "pto")
        ]
        case = [row[name] for name in ("kernel", "shape", "parameters", "device", "run_at")]
        parts = [*case, *sides, row["notices"]]
        lines.append(" | ".join(part.encode("unicode_escape").decode() for part in parts))
    return "".join(f"{line.rstrip(' |')}\n" for line in lines)


@pytest.mark.parametrize(
    "folder", kinds(), ids=lambda folder: f"{folder.parent.name}-{folder.name}"
)
def test_every_kind_of_input_is_met_with_the_same_words(folder, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    checked = check(sorted(path.name for path in folder.iterdir()), Settings())
    say_checked(checked, "console", quiet=False)
    shown = capsys.readouterr()
    text = f"{shown.out}{shown.err}exit {int(checked.exit_code)}\n{rows_read(folder)}"
    golden = GOLDEN / folder.parent.name / f"{folder.name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "folder", kinds(), ids=lambda folder: f"{folder.parent.name}-{folder.name}"
)
def test_invalid_means_exit_3_and_valid_means_exit_0(folder, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    checked = check(sorted(path.name for path in folder.iterdir()), Settings())
    assert int(checked.exit_code) == (3 if folder.parent.name == "invalid" else 0)


def test_every_golden_file_belongs_to_a_fixture() -> None:
    known = {f"{folder.parent.name}/{folder.name}" for folder in kinds()}
    kept = {f"{path.parent.name}/{path.stem}" for path in GOLDEN.glob("*/*.txt")}
    assert kept == known
