"""``kreport bench`` as a process: files, exit codes, interruption, what it says about the data."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kreport.readers import read_runs

HERE = Path(__file__).parent
HOSTILE = HERE / "hostile_suite.py"
CPU_SUITE = HERE.parents[1] / "bench" / "suites" / "cpu_numpy.py"


def bench(
    *arguments: str | Path, cwd: Path, hostile: str = "", expect: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "kreport", "bench", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment(hostile),
        timeout=120,
        check=False,
    )
    assert done.returncode == expect, done.stderr
    return done


def environment(hostile: str = "") -> dict[str, str]:
    root = str(HERE.parents[1])
    return {**os.environ, "HOSTILE": hostile, "PYTHONPATH": root, "NO_COLOR": "1"}


def rows_of(path: Path) -> list[dict[str, str]]:
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    return list(csv.DictReader(io.StringIO(text.decode())))


def metas(folder: Path) -> list[dict]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.meta.json"))]


def test_runs_taken_one_at_a_time_add_up_in_their_folder(tmp_path: Path) -> None:
    """Old and new in turns: only the first run of a folder is a single run; quiet prints none."""
    one = (HOSTILE, "--runs", "1", "--out", "runs", "--quiet")
    first, second = bench(*one, cwd=tmp_path), bench(*one, cwd=tmp_path)
    assert "a single run" in first.stderr
    assert "a single run" not in second.stderr
    assert first.stdout == second.stdout == ""
    assert len(list((tmp_path / "runs").glob("run_*.csv"))) == 2


def test_each_run_is_a_file_of_samples_with_a_record_beside_it(tmp_path: Path) -> None:
    bench(HOSTILE, "--runs", "2", "--out", "runs", cwd=tmp_path, hostile="no_port,wrong")
    files = sorted((tmp_path / "runs").glob("*.csv"))
    assert len(files) == 2
    rows = rows_of(files[0])
    assert list(rows[0]) == [
        "run",
        "family",
        "kernel",
        "variant_label",
        "shape_summary_json",
        "side",
        "timer",
        "status",
        "sample_index",
        "latency_ms",
        "reason",
        "correct",
        "device",
        "run_at",
    ]
    good = [row for row in rows if (row["kernel"], row["side"]) == ("first", "pto")]
    assert [row["sample_index"] for row in good] == [str(index) for index in range(12)]
    assert {row["correct"] for row in good} == {"pass"}
    assert all(
        float(row["latency_ms"]) >= 0 and row["device"] and row["run_at"] for row in rows[:9]
    )
    (blocked,) = [row for row in rows if row["status"] == "blocked"]
    assert (blocked["kernel"], blocked["latency_ms"], blocked["reason"]) == (
        "no_port",
        "",
        "not ported yet",
    )
    wrong = [row for row in rows if (row["kernel"], row["side"]) == ("wrong", "pto")]
    assert {row["correct"] for row in wrong} == {"fail"}
    assert wrong[0]["reason"].startswith("output check failed")
    assert {row["run"] for path in files for row in rows_of(path)} == {
        path.name.removeprefix("run_").removesuffix(".csv") for path in files
    }


def test_any_error_text_can_be_kept_and_read_back(tmp_path: Path) -> None:
    """Lone surrogates, control characters, quotes and line ends of any kind."""
    bench(HOSTILE, "--runs", "1", "--out", "runs", cwd=tmp_path, hostile="curse")
    (path,) = (tmp_path / "runs").glob("*.csv")
    (blocked,) = [row for row in rows_of(path) if row["status"] == "blocked"]
    expected = 'ValueError: lone \\udcff, NUL \ufffd, bell \ufffd,\nquote " and comma'
    assert blocked["reason"].startswith(expected)
    table = read_runs([str(tmp_path / "runs" / "*")])
    assert table.problems == ()
    assert set(table.frame["kernel"]) == {"first", "curse", "last"}


def test_the_record_says_clock_machine_seed_order_and_versions(tmp_path: Path) -> None:
    bench(HOSTILE, "--runs", "1", "--out", "runs", "--seed", "11", cwd=tmp_path)
    (meta,) = metas(tmp_path / "runs")
    (clock,) = meta["clocks"]
    assert (clock["timer"], clock["flushed_bytes"]) == ("host", 0)
    assert clock["resolution_ms"] > 0
    assert meta["seed"] == 11
    assert meta["effort"] == {"warmup": 1, "repeats": 12, "target_ms": None}
    assert {"kreport", "python", "system", "processor", "libraries"} <= set(meta["environment"])
    assert sorted(meta["order"]) == ["first x1", "last x1"]
    assert meta["process_deaths"] == []


def test_the_same_seed_gives_the_same_orders_and_every_run_its_own(tmp_path: Path) -> None:
    for folder, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        hostile = "wrong,nonsense,no_port,broken_check"
        bench(
            HOSTILE, "--runs", "2", "--out", folder, "--seed", seed, cwd=tmp_path, hostile=hostile
        )
    orders = {name: [meta["order"] for meta in metas(tmp_path / name)] for name in "abc"}
    assert orders["a"] == orders["b"]
    assert orders["a"][0] != orders["a"][1]
    assert orders["c"][0] == orders["a"][1]  # the next seed is that of the next run


def test_a_side_that_keeps_killing_its_process_is_not_tried_for_ever(tmp_path: Path) -> None:
    """Twice is enough: a hang would cost its time-out in every run."""
    bench(HOSTILE, "--runs", "3", "--out", "runs", cwd=tmp_path, hostile="segfault")
    assert [len(meta["process_deaths"]) for meta in metas(tmp_path / "runs")] == [1, 1, 0]
    last = rows_of(sorted((tmp_path / "runs").glob("*.csv"))[-1])
    (blocked,) = [row for row in last if row["status"] == "blocked"]
    assert blocked["reason"].startswith("not tried again after 2 runs: killed by SIGSEGV")


def test_a_second_set_never_overwrites_the_first(tmp_path: Path) -> None:
    """Not even with a fixed clock, where both want the same name."""
    for _ in range(2):
        subprocess.run(
            [
                sys.executable,
                "-m",
                "kreport",
                "bench",
                HOSTILE,
                "--runs",
                "1",
                "--out",
                "runs",
                "-q",
            ],
            check=True,
            capture_output=True,
            cwd=tmp_path,
            env={**environment(), "SOURCE_DATE_EPOCH": "1774060871"},
        )
    names = sorted(path.name for path in (tmp_path / "runs").glob("*.csv"))
    assert names == ["run_20260321T024111Z-01.csv", "run_20260321T024112Z-01.csv"]


def test_compressed_runs_hold_the_same_columns(tmp_path: Path) -> None:
    bench(HOSTILE, "--runs", "1", "--out", "runs", "--gz", cwd=tmp_path)
    (path,) = (tmp_path / "runs").glob("*.csv.gz")
    assert len(rows_of(path)) == 2 * 2 * 12


def test_effort_from_the_command_line_wins_over_the_suite(tmp_path: Path) -> None:
    bench(HOSTILE, "--runs", "1", "--repeats", "3", "--warmup", "0", "--out", "r", cwd=tmp_path)
    (path,) = (tmp_path / "r").glob("*.csv")
    assert len(rows_of(path)) == 2 * 2 * 3


def test_json_holds_results_and_advice_and_nothing_else_is_on_stdout(tmp_path: Path) -> None:
    done = bench(
        HOSTILE, "--runs", "1", "--out", "r", "--format", "json", cwd=tmp_path, hostile="no_port"
    )
    told = json.loads(done.stdout)
    assert told["version"] == 1
    by_kernel = {result["kernel"]: result for result in told["results"]}
    assert by_kernel["no_port"]["pto_median_ms"] is None
    assert by_kernel["no_port"]["notes"] == "pto blocked: not ported yet"
    assert {advice["trouble"] for advice in told["advice"]} >= {"a single run", "too few samples"}


def test_the_table_names_what_is_blocked_and_what_is_wrong(tmp_path: Path) -> None:
    done = bench(HOSTILE, "--runs", "1", "--out", "r", cwd=tmp_path, hostile="wrong,leave")
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "pto wrong: output check failed" in lines["wrong"]
    assert "pto blocked: left with exit code 7 during its first call" in lines["leave"]
    assert "n/a" in lines["wrong"]
    assert "kreport: 1 runs in r" in done.stderr


def test_a_matrix_tells_structure_and_class(tmp_path: Path) -> None:
    bench(CPU_SUITE, "--runs", "1", "--repeats", "5", "--matrix", "m.json", cwd=tmp_path)
    matrix = json.loads((tmp_path / "m.json").read_text("utf-8"))
    entries = {entry["name"]: entry for entry in matrix["kernels"]}
    assert entries["softmax"]["primary_class"] == "green + tile-first"
    assert entries["prefix_sum"]["primary_class"] == "green but scalar-heavy"
    assert entries["prefix_sum"]["scalar_matches"] == [
        "cpu_numpy.py:load_scalarx1",
        "cpu_numpy.py:store_scalarx1",
    ]
    assert entries["rms_norm_quick"]["primary_class"] == "blocked by PTO correctness gap"
    assert entries["top_rows"]["pto_status"] == "blocked"
    assert entries["top_rows"]["primary_class"] == ""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["absent.py"], 3, "absent.py: no such suite file"),
        (
            ["broken.py"],
            3,
            "the suite did not load: ZeroDivisionError: division by zero (broken.py:2)",
        ),
        (["empty.py"], 3, "expected one kreport.Suite, found 0"),
        (["no_case.py"], 3, "the suite has no case"),
        (["crash.py"], 3, "the suite did not load: the process left with exit code 9"),
        (["twice.py"], 2, "k x1: this case is there already"),
        ([HOSTILE, "--runs", "0"], 2, "--runs: must be 1 or more, not 0"),
        ([HOSTILE, "--repeats", "0"], 2, "repeats: must be 1 or more, not 0"),
        ([HOSTILE, "--timer", "event"], 2, "needs a suite with a device"),
        ([HOSTILE, "--timer", "sundial"], 2, "choose among host, event"),
        ([HOSTILE, "--timeout", "0"], 2, "--timeout: must be more than 0"),
        ([HOSTILE, "--memory", "-1"], 2, "--memory: must be 0"),
        ([HOSTILE, "--format", "xml"], 2, "'xml' is not one of 'console', 'json'"),
    ],
    ids=lambda value: str(value[-1]) if isinstance(value, list) else "",
)
def test_what_cannot_be_measured_is_refused(
    tmp_path: Path, arguments: list[str | Path], code: int, words: str
) -> None:
    """With the reason, the right exit code, and nothing written."""
    suites = {
        "broken.py": "import os\n1 / 0\n",
        "empty.py": "",
        "no_case.py": "from kreport import Suite\nsuite = Suite('s')\n",
        "crash.py": "import os\nos._exit(9)\n",
        "twice.py": (
            "from kreport import Suite\nsuite = Suite('s')\n"
            "for _ in range(2):\n"
            "    suite.case('f', 'k', {'x': 1}, inputs=list, baseline=len, pto=len)\n"
        ),
    }
    for name, text in suites.items():
        (tmp_path / name).write_text(text, "utf-8")
    done = bench(*arguments, cwd=tmp_path, expect=code)
    assert words in done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.glob("runs/*"))


def test_a_terminal_sees_a_bar_with_the_time_left_and_a_pipe_does_not(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kreport", "bench", HOSTILE, "--runs", "2", "--out", "r"]
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**environment(), "TERM": "xterm", "COLUMNS": "80"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that the other end is closed
        while chunk := os.read(ours, 4096):
            shown += chunk
    assert started.wait(timeout=60) == 0
    assert b"run 2 of 2" in shown
    assert b"0:00:" in shown or b"-:--:--" in shown
    assert "run 1 of 2" not in bench(HOSTILE, "--runs", "2", "--out", "r", cwd=tmp_path).stderr


@pytest.mark.skipif(sys.platform != "linux", reason="needs the parent-death signal of Linux")
def test_a_killed_bench_takes_its_measuring_process_along(tmp_path: Path) -> None:
    """Not even SIGKILL leaves a hanging kernel behind."""
    started = subprocess.Popen(
        [sys.executable, "-m", "kreport", "bench", HOSTILE, "--runs", "1", "--out", "r", "-q"],
        cwd=tmp_path,
        env=environment("hang"),
    )
    worker = child_of(started.pid)
    started.kill()
    started.wait(timeout=30)
    deadline = time.monotonic() + 30
    while is_alive(worker):
        assert time.monotonic() < deadline, "the measuring process lives on"
        time.sleep(0.02)


def child_of(pid: int) -> int:
    """The measuring process of a bench, once it has tied itself to it and loaded the suite."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for child in map(int, children.read_text("ascii").split()):
            loaded = Path(f"/proc/{child}/oom_score_adj").read_text("ascii").strip() == "1000"
            if loaded:
                return child
        time.sleep(0.02)
    raise AssertionError("no measuring process")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_bench_keeps_the_runs_that_are_whole(
    tmp_path: Path, how: signal.Signals
) -> None:
    """And leaves no measuring process behind."""
    started = subprocess.Popen(
        [sys.executable, "-m", "kreport", "bench", HOSTILE, "--runs", "500", "--out", "runs"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while len(list(tmp_path.glob("runs/*.csv"))) < 2:
        assert time.monotonic() < deadline, "no run was written"
        time.sleep(0.02)
    started.send_signal(how)
    _out, said = started.communicate(timeout=30)
    kept = sorted(tmp_path.glob("runs/*.csv"))
    assert started.returncode == 128 + how
    assert f"kept {len(kept)} of 500 runs in runs" in said
    assert all(len(rows_of(path)) == 2 * 2 * 12 for path in kept)
    assert not list(tmp_path.glob("runs/*tmp*"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "taken"], "taken: cannot be made a folder"),
        (["--matrix", "nowhere/m.json"], "nowhere/m.json: its folder does not exist"),
    ],
)
def test_what_cannot_be_kept_is_not_measured(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "taken").write_text("a file", "utf-8")
    done = bench(HOSTILE, *arguments, cwd=tmp_path, expect=3)
    assert words in done.stderr
    assert not list(tmp_path.glob("runs/*"))
