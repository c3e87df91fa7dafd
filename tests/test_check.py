"""``kreport check`` and ``kreport summarize`` as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def kreport(*arguments: str, cwd: Path, data: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kreport", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        input=data,
        check=False,
    )


HEADER = "kernel,shape,baseline_us,pto_us,status\n"


@pytest.mark.parametrize(
    ("body", "code"), [("a,s,1,2,ok\n", 0), ("a,s,1,0,ok\n", 0), ("a,s,-1,2,ok\n", 3), ("a,s\n", 3)]
)
def test_the_exit_code_says_whether_anything_cannot_be_trusted(tmp_path, body, code) -> None:
    (tmp_path / "run.csv").write_text(HEADER + body)
    assert kreport("check", "run.csv", cwd=tmp_path).returncode == code


def test_check_says_what_build_says(tmp_path) -> None:
    """The same faults, word for word, whichever command meets them."""
    (tmp_path / "run.csv").write_text(HEADER + "a,s,1,2,ok\n<<<<<<< mine\n")
    checked = kreport("check", "run.csv", cwd=tmp_path)
    built = kreport("build", "run.csv", cwd=tmp_path)
    assert checked.returncode == built.returncode == 3
    assert checked.stdout
    assert checked.stdout in built.stderr
    assert not (tmp_path / "bench").exists()


def test_an_earlier_run_of_which_no_row_can_be_used_is_no_bug(tmp_path) -> None:
    rows = "".join(f"k{i},s,{10 + i},{20 + i},ok\n" for i in range(6))
    (tmp_path / "new.csv").write_text(HEADER + rows)
    (tmp_path / "old.csv").write_text(HEADER + rows.replace(",1", ",-1"))
    done = kreport("build", "new.csv", "--previous", "old.csv", cwd=tmp_path)
    assert done.returncode == 0
    assert "bug" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is full")
def test_a_full_standard_output_is_said_to_be_full(tmp_path) -> None:
    (tmp_path / "run.csv").write_text(HEADER + "a,s,1,x,ok\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kreport", "check", "run.csv"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            check=False,
        )
    assert done.returncode == 3
    assert "standard output cannot be written: no space left on device" in done.stderr
    assert "bug" not in done.stderr


def test_a_device_is_never_replaced_by_a_file(tmp_path) -> None:
    """A pipe stands in for the device: replacing ``/dev/stdout`` would break the machine."""
    (tmp_path / "run.csv").write_text(HEADER + "a,s,1,2,ok\n")
    os.mkfifo(tmp_path / "pipe")
    done = kreport("summarize", "run.csv", "--out", "pipe", cwd=tmp_path)
    assert done.returncode == 3
    assert "must not be replaced" in done.stderr
    assert (tmp_path / "pipe").is_fifo()


def test_check_lists_problems_as_json(tmp_path) -> None:
    (tmp_path / "run.csv").write_text(HEADER + "a,s,1,xyz,ok\n")
    done = kreport("check", "run.csv", "--format", "json", cwd=tmp_path)
    (problem,) = json.loads(done.stdout)["problems"]
    assert (problem["line"], problem["column"], problem["value"]) == (2, "pto_us", "xyz")


def test_check_tells_a_matrix_from_a_run(tmp_path) -> None:
    (tmp_path / "m.md").write_text("| Kernel | Class |\n|---|---|\n| a | x |\n| b | x | y |\n")
    done = kreport("check", "m.md", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("m.md:4: set aside: row-width")


SAMPLES = (
    "run,kernel,side,sample_index,latency_us,status,reason\n"
    + "".join(
        f"r1,{kernel},{side},{i},{value + i},ok,\n"
        for kernel in ("=cmd", "b")
        for side, value in (("baseline", 10), ("pto", 20))
        for i in range(6)
    )
    + "r1,c,pto,,,blocked,gone\n"
)


def test_the_report_on_a_summary_is_the_report_on_its_samples(tmp_path) -> None:
    (tmp_path / "samples.csv").write_text(SAMPLES)
    done = kreport("summarize", "samples.csv", "-o", "summary.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "summary.csv\n")
    texts = []
    for name in ("samples", "summary"):
        assert kreport("build", f"{name}.csv", "--out", name, cwd=tmp_path).returncode == 0
        texts.append((tmp_path / name / "regression_latest.csv").read_text())
    assert texts[0] == texts[1]


def test_summarize_writes_to_standard_output_and_reads_standard_input(tmp_path) -> None:
    done = kreport("summarize", "-", cwd=tmp_path, data=SAMPLES)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 4
