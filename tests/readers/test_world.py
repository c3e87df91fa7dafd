"""Faults of the world: files that cannot be opened, never end, or change; bounds and signals."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kreport.errors import InputError
from kreport.readers import Limits, ReadOptions, content, read_matrix, read_runs
from kreport.readers.samples import long_file

HEADER = "kernel,shape,baseline_us,pto_us,status\n"
SAMPLES = "kernel,side,sample_index,latency_us\n"


def rules(call) -> list[str]:
    with pytest.raises(InputError) as caught:
        call()
    return [problem.rule for problem in caught.value.problems]


def test_what_is_no_file_is_said_by_name(tmp_path) -> None:
    assert rules(lambda: read_runs([str(tmp_path / "gone.csv")])) == ["no-such-file"]
    assert rules(lambda: read_runs([str(tmp_path)])) == ["no-inputs"]
    assert rules(lambda: read_runs([str(tmp_path / "*.csv")])) == ["no-inputs"]
    assert rules(lambda: read_matrix(str(tmp_path))) == ["is-a-folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to root")
def test_an_unreadable_file_is_said_to_be_so(write) -> None:
    path = write(HEADER)
    Path(path).chmod(0)
    assert rules(lambda: read_runs([path])) == ["unreadable"]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file that fails when read")
def test_a_file_that_fails_while_it_is_read(tmp_path) -> None:
    assert rules(lambda: read_runs(["/proc/self/mem"])) == ["unreadable"]


@pytest.mark.parametrize(
    ("limits", "text", "rule"),
    [
        (Limits(max_text_bytes=50), HEADER + "a,s,1,2,ok\n" * 9, "too-large"),
        (Limits(max_cell=20), HEADER + f"a,s,1,2,{'x' * 30}\n", "cell-too-large"),
        (Limits(max_columns=4), HEADER, "too-many-columns"),
        (Limits(max_table_rows=3), HEADER + "a,s,1,2,ok\n" * 9, "too-many-rows"),
    ],
)
def test_beyond_a_bound_the_file_is_refused_with_the_bound(write, limits, text, rule) -> None:
    assert rules(lambda: read_runs([write(text)], ReadOptions(limits=limits))) == [rule]


@pytest.mark.parametrize("fault", ["", "k,pto,x,1\n"])
def test_a_long_file_has_its_own_bounds(write, monkeypatch, fault) -> None:
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    text = SAMPLES + fault + "".join(f"k,pto,{i},1.5\n" for i in range(100))
    for limits, rule in (
        (Limits(max_rows=50), "too-many-rows"),
        (Limits(max_bytes=400), "too-large"),
    ):
        found = rules(lambda limits=limits: read_runs([write(text)], ReadOptions(limits=limits)))
        assert rule in found


def test_a_gzip_bomb_stops_at_the_bound(write) -> None:
    bomb = gzip.compress(b"k,s,1,2,ok\n" * 2_000_000, 9)
    assert len(bomb) < 100_000
    options = ReadOptions(limits=Limits(max_text_bytes=1 << 20, max_bytes=1 << 20))
    assert rules(lambda: read_runs([write(bomb, "run.csv.gz")], options)) == ["too-large"]


def test_a_folder_of_too_many_files_is_refused(tmp_path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.csv").write_text(HEADER)
    options = ReadOptions(limits=Limits(max_files=4))
    assert rules(lambda: read_runs([str(tmp_path)], options)) == ["too-many-files"]


@pytest.mark.parametrize("long", [False, True])
def test_a_file_that_grows_while_it_is_read_is_refused(write, monkeypatch, long) -> None:
    """A benchmark that is still writing: half a run is no run."""
    path = write(SAMPLES + "k,pto,0,1.5\n" + "k,baseline,0,1.5\n")
    real = os.fstat
    calls = []

    def fstat(descriptor: int) -> os.stat_result:
        calls.append(descriptor)
        if len(calls) == 2:
            with Path(path).open("a") as stream:
                stream.write("k,pto,1,1.75\n")
        return real(descriptor)

    monkeypatch.setattr(long_file, "LONG_FILE", 0 if long else 1 << 22)
    monkeypatch.setattr((long_file if long else content).os, "fstat", fstat)
    assert rules(lambda: read_runs([path])) == ["changed-while-read"]


def test_a_name_that_is_no_text_can_still_be_shown(tmp_path) -> None:
    path = os.fsencode(str(tmp_path)) + b"/r\xffn.csv"
    Path(os.fsdecode(path)).write_text(HEADER + "a,s,1,2,ok\n")
    table = read_runs([os.fsdecode(path)])
    assert table.sources[0].name.endswith("r\N{REPLACEMENT CHARACTER}n.csv")
    table.frame["run"][0].encode()


def test_a_pipe_is_read_to_its_end(tmp_path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names here")
    pipe = tmp_path / "run.csv"
    os.mkfifo(pipe)
    writer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"open({str(pipe)!r}, 'w').write({HEADER + 'a,s,1,2,ok'!r} + chr(10))",
        ]
    )
    assert len(read_runs([str(pipe)]).frame) == 1
    assert writer.wait(timeout=20) == 0


@pytest.mark.parametrize("encoding", ["klingon", "hex", "undefined", "a\0b"])
@pytest.mark.parametrize("long", [False, True])
def test_an_encoding_there_is_not_is_said_to_be_none(write, monkeypatch, encoding, long) -> None:
    monkeypatch.setattr(long_file, "LONG_FILE", 0 if long else 1 << 22)
    path = write(SAMPLES + "k,pto,0,1.5\n")
    assert rules(lambda: read_runs([path], ReadOptions(encoding=encoding))) == ["unknown-encoding"]


@pytest.mark.parametrize("long", [False, True])
def test_bytes_of_another_encoding_are_refused_and_read_once_it_is_said(
    write, monkeypatch, long
) -> None:
    monkeypatch.setattr(long_file, "LONG_FILE", 0 if long else 1 << 22)
    path = write((SAMPLES + "k,pto,0,1.5\n" * 3 + "caf\u00e9,pto,0,1.5\n").encode("latin-1"))
    assert rules(lambda: read_runs([path])) == ["encoding"]
    table = read_runs([path], ReadOptions(encoding="latin-1"))
    assert table.frame["kernel"].tolist() == ["k", "caf\u00e9"]


@pytest.mark.parametrize("long", [False, True])
def test_a_cut_gzip_file_is_refused(write, monkeypatch, long) -> None:
    monkeypatch.setattr(long_file, "LONG_FILE", 0 if long else 1 << 22)
    data = gzip.compress((SAMPLES + "".join(f"k,pto,{i},1.{i}\n" for i in range(999))).encode())
    assert rules(lambda: read_runs([write(data[:-9], "run.csv.gz")])) == ["damaged-gzip"]


def process(*arguments: str, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "kreport", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_reading_ends_it_without_a_traceback(signum, code) -> None:
    """The process waits for the rest of its standard input when the signal comes."""
    running = process("check", "-", stdin=subprocess.PIPE)
    assert running.stdin is not None
    running.stdin.write(HEADER)
    running.stdin.flush()
    wait_until_reading(running.pid)
    running.send_signal(signum)
    out, err = running.communicate(timeout=20)
    assert running.returncode == code
    assert "Traceback" not in out + err


def wait_until_reading(pid: int) -> None:
    """Wait until a process has taken what was written to its standard input."""
    deadline = time.monotonic() + 20
    syscall = Path(f"/proc/{pid}/wchan")
    while time.monotonic() < deadline:
        try:
            if "pipe" in syscall.read_text():
                return
        except OSError:
            break
        time.sleep(0.02)
    time.sleep(2)


def test_closed_standard_input_is_said_to_be_closed() -> None:
    done = subprocess.run(
        f'"{sys.executable}" -m kreport check - <&-',
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "standard input is closed" in done.stdout


def test_a_reader_that_goes_away_is_no_error_of_ours(tmp_path) -> None:
    bad = tmp_path / "run.csv"
    bad.write_text(HEADER + "a,s,-1,2,ok\n" * 20_000)
    done = subprocess.run(
        f'"{sys.executable}" -m kreport check run.csv | head -n 1; echo "${{PIPESTATUS[0]}}"',
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    first, code = done.stdout.split("\n")[:2]
    assert first.startswith("run.csv:2: ")
    assert code == "141"
    assert "Traceback" not in done.stderr
