"""From measuring to deciding: bench, build, diff and calibrate hand on to each other."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACED = Path(__file__).with_name("paced_suite.py")


def kreport(*arguments: str, cwd: Path, expect: int = 0, pace_ms: float = 2) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "kreport", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PACE_MS": str(pace_ms), "NO_COLOR": "1"},
        timeout=240,
        check=False,
    )
    assert done.returncode == expect, done.stderr
    return done.stdout


def readme_story() -> list[list[str]]:
    """The commands of the README's section on measuring, in their order."""
    section = (ROOT / "README.md").read_text("utf-8").partition("\n## Measuring\n")[2]
    block = section.partition("\n## ")[0]
    return [shlex.split(line)[2:] for line in re.findall(r"^    \$ kreport .*$", block, re.M)]


def test_the_story_in_the_readme_runs_as_written(tmp_path: Path) -> None:
    """Every command of it, with fewer runs and samples; the report then says what the suite is."""
    (tmp_path / "bench").symlink_to(ROOT / "bench")
    commands = readme_story()
    assert [command[0] for command in commands] == ["bench", "build", "bench", "diff", "calibrate"]
    printed = {}
    for command in commands:
        quick = [*command, "--repeats", "12"] if command[0] == "bench" else command
        quick = ["3" if word == "10" else word for word in quick]
        printed[command[0]] = kreport(*quick, cwd=tmp_path)
    report = json.loads((tmp_path / "report" / "regression_latest.json").read_text("utf-8"))
    classes = {kernel["name"]: kernel["class"] for kernel in report["kernels"]}
    assert classes["softmax"] == "tile-first"
    assert classes["prefix_sum"] == "scalar-heavy"
    assert classes["rms_norm_quick"] == classes["top_rows"] == "PTO-blocked"
    assert "3 runs in 3 files" in printed["diff"]
    assert "Same code: " in printed["calibrate"]


def rows_of(printed: str) -> dict[str, dict[str, str]]:
    return {row["kernel"]: row for row in csv.DictReader(io.StringIO(printed))}


def test_a_port_that_became_slower_is_found_and_trips_the_gate(tmp_path: Path) -> None:
    """Four times as long is far outside what any machine does to a nap, however busy it is."""
    for name, pace_ms in (("old", 2), ("new", 8)):
        kreport(
            "bench", str(PACED), "--runs", "3", "--out", name, "-q", cwd=tmp_path, pace_ms=pace_ms
        )
    arguments = ("diff", "old", "new", "--format", "csv", "--fail-on", "slower")
    found = rows_of(kreport(*arguments, cwd=tmp_path, expect=1))["nap_1"]
    assert (found["verdict"], found["confirmed"], found["moved"]) == ("slower", "true", "pto")
    assert (found["n_old"], found["n_new"]) == ("3", "3")
    assert float(found["pto_change_pct"]) > 100
