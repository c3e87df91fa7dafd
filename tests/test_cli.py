"""The command line as a process: exit codes, streams, signals, and a report that survives kills."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kreport import __version__

KREPORT = [sys.executable, "-m", "kreport"]
WIDE = "kernel,shape,baseline_us,pto_us,status\ngemm,64,10.0,20.0,OK\n"


def kreport(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [*KREPORT, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    path = tmp_path / "regression_20260401T060000Z.csv"
    path.write_text(WIDE)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "prices.csv").write_text("item,price\napple,3\n")
    return path


def test_version_is_the_packages() -> None:
    done = kreport("--version", cwd=Path.cwd())
    assert (done.stdout, done.returncode) == (f"kreport {__version__}\n", 0)


def test_a_pipe_gets_the_paths_and_nothing_else(wide: Path, tmp_path: Path) -> None:
    done = kreport("build", wide, cwd=tmp_path)
    assert done.returncode == 0
    paths = done.stdout.splitlines()
    assert "bench/reports/regression_latest.md" in paths
    assert all((tmp_path / path).is_file() for path in paths)
    assert kreport("build", wide, "-q", cwd=tmp_path).stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--no-such-option"], 2, "No such option"),
        (["no-such-command"], 2, "No such command"),
        (["build", "--lang", "xx"], 2, "must be one of en, zh"),
        (["build", "absent.csv"], 4, "there is no such file; there is no earlier report in"),
        (["build", "broken"], 3, "no-kernel-column"),
        (["explain", "gem", "regression_20260401T060000Z.csv"], 4, "did you mean gemm?"),
    ],
)
def test_exit_codes(wide: Path, tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    done = kreport(*arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "bench").exists()


def test_a_bug_exits_70_and_says_how_to_see_it(tmp_path: Path) -> None:
    code = (
        "import sys, kreport.settings as s\n"
        "def boom(*a, **k): raise RuntimeError('boom')\n"
        "s.load = boom\n"
        "from kreport.cli.app import run\n"
        "sys.exit(run(['config']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 70
    assert "a bug in kreport" in done.stderr
    assert "boom" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_ends_quietly_and_not_with_the_gates_code(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*KREPORT, "config"], stdout=writer, stderr=subprocess.PIPE, check=False, cwd=tmp_path
    )
    os.close(writer)
    assert done.returncode == 128 + signal.SIGPIPE
    assert done.stderr == b""


@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(wide: Path, tmp_path: Path, streams: str) -> None:
    command = f'"{sys.executable}" -m kreport build {wide.name} -q {streams}'
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert (tmp_path / "bench/reports/regression_latest.md").is_file()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"]
)
def test_signals_end_a_build_without_a_trace(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    process = subprocess.Popen(
        [*KREPORT, "build", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    process.stdin.write(WIDE.encode())
    process.stdin.flush()
    time.sleep(2)  # it is waiting for the end of its input by now
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == code
    assert b"Traceback" not in said
    assert not (tmp_path / "bench").exists()


def state(out: Path) -> set[str]:
    """Which input each file of the report is of; fails where one is not whole."""
    markdown = (out / "regression_latest.md").read_text()
    assert markdown.rstrip().split("\n## ")[-1].startswith("How to read this")
    record = json.loads((out / "regression_latest.json").read_text())
    with (out / "regression_latest.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    pto_ms = {record["kernels"][0]["cases"][0]["pto"]["median_ms"], float(row["pto_median_ms"])}
    assert len(pto_ms) == 1
    return {str(found) for found in pto_ms}


def test_killed_at_any_point_the_old_or_the_new_report_stands(tmp_path: Path) -> None:
    """SIGKILL at random moments; after each, a build that works completes what was promised."""
    rng = random.Random(7)
    out = tmp_path / "bench" / "reports"
    versions = [tmp_path / f"run_{i}.csv" for i in (1, 2)]
    for i, path in enumerate(versions, 1):
        path.write_text(WIDE.replace("20.0", f"{20 + i}.0"))
    assert kreport("build", versions[0], "-q", cwd=tmp_path).returncode == 0
    start = time.perf_counter()
    assert kreport("build", versions[1], "-q", cwd=tmp_path).returncode == 0
    whole_s = time.perf_counter() - start
    for attempt in range(12):
        process = subprocess.Popen(
            [*KREPORT, "build", str(versions[attempt % 2]), "-q"], cwd=tmp_path
        )
        time.sleep(whole_s * rng.uniform(0.6, 1.1))
        process.kill()
        process.wait()
        if not (out / ".kreport-journal.json").exists():
            state(out)
    assert kreport("build", versions[0], "-q", cwd=tmp_path).returncode == 0
    assert state(out) == {"0.021"}
    assert not [path for path in out.iterdir() if path.name.startswith(".kreport")]


@pytest.mark.parametrize("where", [">&-", "> /dev/full"])
def test_a_version_that_nobody_can_read_is_not_a_gate(where: str) -> None:
    """Exit 1 means that a gate tripped, and nothing else."""
    command = f"{sys.executable} -m kreport --version {where}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_an_installation_without_its_libraries_exits_70(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('no typer here')\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path(__file__).parents[1]}"}
    done = subprocess.run(
        [sys.executable, "-m", "kreport", "check", "x.csv"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 70
    assert "this installation is incomplete: no typer here" in done.stderr


def test_a_folder_that_goes_in_circles_is_no_bug_of_ours(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "run.csv").write_text(WIDE)
    done = kreport("build", "run.csv", "--out", "loop/reports", cwd=tmp_path)
    assert done.returncode == 3
    assert "loop" in done.stderr
    assert "bug" not in done.stderr


def test_hidden_files_are_no_runs_and_the_case_of_an_ending_does_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "RUN.CSV").write_text(WIDE)
    (folder / "._RUN.CSV").write_text("kernel,baseline_us,pto_us\nother,1,2\n")
    done = kreport("check", "runs", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0
    assert kreport("build", "runs", cwd=tmp_path).returncode == 0
    assert "other" not in (tmp_path / "bench" / "reports" / "regression_latest.csv").read_text()
