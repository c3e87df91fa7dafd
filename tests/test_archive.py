"""The archive: what is kept, under which name, and that no writer loses anything."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kreport.archive import store as archive
from kreport.archive.cache import CACHE_NAME, load_history
from kreport.errors import OutputError

STAMP = "20260321T024111Z"
HEADER = b"family,kernel,timer,device\n"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def put(folder, body=b"a", stamp=STAMP, keep=0):
    return archive.store(folder, HEADER + body, b"{}", stamp, keep)


def test_a_report_is_two_plain_files_under_the_stamp_of_its_data(tmp_path):
    """CSV and JSON, byte for byte, and nothing else."""
    assert put(tmp_path / "archive")
    assert names(tmp_path / "archive") == [f"regression_{STAMP}.csv", f"regression_{STAMP}.json"]
    (snapshot,) = archive.snapshots(tmp_path / "archive")
    assert snapshot.csv.read_bytes() == HEADER + b"a"
    assert snapshot.json.read_bytes() == b"{}"


def test_the_same_content_is_not_stored_twice(tmp_path):
    """Whatever stamp it comes with, and however often."""
    assert put(tmp_path)
    assert not put(tmp_path, stamp="20300101T000000Z")
    assert len(names(tmp_path)) == 2


def test_one_stamp_with_different_content_gets_distinct_names_in_order(tmp_path):
    """The tenth of one second sorts after the ninth."""
    bodies = [f"body {i}".encode() for i in range(11)]
    assert all(put(tmp_path, body) for body in bodies)
    assert archive.snapshots(tmp_path)[1].csv.name == f"regression_{STAMP}-2.csv"
    assert [s.csv.read_bytes()[len(HEADER) :] for s in archive.snapshots(tmp_path)] == bodies


def test_undated_data_goes_by_the_clock_and_a_clock_set_back_reorders_nothing(
    tmp_path, monkeypatch
):
    """Snapshots stay in the order in which they were stored."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "2000000000")
    put(tmp_path, b"1", stamp="")
    (first,) = archive.snapshots(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    put(tmp_path, b"2", stamp="")
    assert first.stamp == "20330518T033320Z"
    assert [s.csv.read_bytes()[len(HEADER) :] for s in archive.snapshots(tmp_path)] == [b"1", b"2"]


def test_retention_keeps_the_newest_and_what_was_just_stored(tmp_path):
    """Late data, older than everything kept, stays until something newer is stored."""
    for day in (1, 2, 3, 4):
        put(tmp_path, str(day).encode(), f"2026010{day}T000000Z", keep=2)
    assert [s.stamp[:8] for s in archive.snapshots(tmp_path)] == ["20260103", "20260104"]
    put(tmp_path, b"late", "20250101T000000Z", keep=2)
    assert archive.snapshots(tmp_path)[0].stamp == "20250101T000000Z"
    put(tmp_path, b"5", "20260105T000000Z", keep=2)
    assert [s.stamp[:8] for s in archive.snapshots(tmp_path)] == ["20260104", "20260105"]
    assert len(names(tmp_path)) == 4
    assert all(s.json.exists() for s in archive.snapshots(tmp_path))


def test_a_long_cell_is_read_and_the_limit_of_the_process_stays(tmp_path):
    """Reasons hold whole compiler logs; what else reads CSV in this process keeps its own bound."""
    put(tmp_path, b'f,k,host,"' + b"x" * 200_000 + b'"\n')
    usual = csv.field_size_limit()
    assert archive.previous(tmp_path, {("host", "x" * 200_000)}, "") is not None
    assert csv.field_size_limit() == usual


def test_other_files_in_the_folder_are_nobodys_business(tmp_path):
    """Notes, foreign CSVs and temporaries are no snapshots and are never removed."""
    others = ["notes.txt", "regression_latest.csv", "regression_20260321T024111Z.csv.bak"]
    for name in others:
        (tmp_path / name).write_text("x")
    put(tmp_path, keep=1)
    put(tmp_path, b"b", "20260322T000000Z", keep=1)
    assert [s.stamp for s in archive.snapshots(tmp_path)] == ["20260322T000000Z"]
    assert set(others) <= set(names(tmp_path))


def test_a_pipe_of_the_name_of_a_snapshot_is_none(tmp_path):
    """Opening it would wait for a writer that never comes, with the lock held."""
    assert put(tmp_path)
    os.mkfifo(tmp_path / "regression_20300101T000000Z.csv")
    (snapshot,) = archive.snapshots(tmp_path)
    assert snapshot.stamp == STAMP
    assert put(tmp_path, b"another")


def test_no_archive_is_an_empty_archive(tmp_path):
    """Before the first build there is nothing, and that is no error."""
    assert archive.snapshots(tmp_path / "none") == ()
    assert archive.previous(tmp_path / "none", {("host", "npu")}, "") is None


def test_previous_is_the_newest_older_report_on_the_same_clock_and_device(tmp_path):
    """Other clocks, other devices and newer data are passed over."""
    put(tmp_path, b"f,k,host,npu\n", "20260101T000000Z")
    put(tmp_path, b"f,k,event,npu\nf,k2,host,npu\n", "20260102T000000Z")
    put(tmp_path, b"f,k,event,npu\n", "20260103T000000Z")
    put(tmp_path, b"f,k,host,gpu\n", "20260104T000000Z")
    put(tmp_path, b"\xff\xfe not a csv", "20260105T000000Z")

    def stamp(before, *clocks):
        found = archive.previous(tmp_path, set(clocks), before)
        return found and found.stamp[:8]

    assert stamp("20260106T000000Z", ("host", "npu")) == "20260102"
    assert stamp("20260102T000000Z", ("host", "npu")) == "20260101"
    assert stamp("20260101T000000Z", ("host", "npu")) is None
    assert stamp("", ("host", "gpu"), ("event", "npu")) == "20260104"
    assert stamp("", ("host", "")) is None


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path):
    """The report of that night is still written; the archive says why it is not."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file/archive"):
        put(tmp_path / "file" / "archive")


def archived_by(folder, processes, runs):
    program = Path(__file__).with_name("archive_writer.py")
    share = runs // processes
    environment = os.environ | {"PYTHONPATH": str(program.parents[1])}
    writers = [
        subprocess.Popen(
            [sys.executable, str(program), str(folder), str(i * share), str(share)],
            env=environment,
        )
        for i in range(processes)
    ]
    assert [writer.wait() for writer in writers] == [0] * processes
    bodies = {s.csv.read_bytes() for s in archive.snapshots(folder)}
    assert len(bodies) == len(archive.snapshots(folder)) == runs
    assert len(names(folder)) == 2 * runs + 1
    cached = load_history(folder)
    assert sorted(cached.medians["pto_ms"][0]) == [number + 1 for number in range(runs)]
    (folder / CACHE_NAME).unlink()
    anew = load_history(folder)
    assert (anew.runs, anew.cases) == (cached.runs, cached.cases)


def test_writers_at_once_lose_nothing(tmp_path):
    """Three processes, shared stamps: all runs are there, the cache agrees, no litter."""
    archived_by(tmp_path, 3, 60)


@pytest.mark.slow
def test_eight_writers_archive_a_thousand_runs(tmp_path):
    """Two hosts' worth of writers at once."""
    archived_by(tmp_path, 8, 1000)
