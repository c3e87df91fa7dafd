"""A build as cron runs it, night after night: its past, its monitor, what stays when it cannot."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kreport.errors import InputError, NothingComparable, OutputError
from kreport.pipeline.build import build
from kreport.settings import Settings

ROOT = Path(__file__).parents[1]
HEADER = "family,kernel,variant_label,baseline_status,pto_status,baseline_median_ms,pto_median_ms\n"
MATRIX = '{"generated_at": "20260101T000000Z", "kernels": [{"name": "a", "primary_class": '
MATRIX += '"green + tile-first", "scalar_hot_path": false}]}'


@pytest.fixture
def nights(tmp_path, monkeypatch):
    """Runs the build of one night: its day of the month, what the port took or "" if blocked."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "matrix.json").write_text(MATRIX)

    def night(day: int, pto: float | str) -> dict:
        path = Path(f"run_202601{day:02d}T000000Z.csv")
        status = "ok" if pto else "blocked"
        path.write_text(f"{HEADER}f,a,v,ok,{status},1.0,{pto}\n")
        build(Settings(inputs=(str(path),), matrix="matrix.json", out="out", prom="k.prom"))
        return json.loads(Path("out/regression_latest.json").read_bytes())

    return night


def case_of(record):
    return record["kernels"][0]["cases"][0]


def test_bands_come_from_the_nights_before(nights):
    """From the sixth night on a file of medians alone has a band, and says from how many runs."""
    records = [nights(day, 2 + day % 3 / 100) for day in range(1, 9)]
    sources = [case_of(record)["noise_source"] for record in records]
    assert sources == ["none"] * 5 + ["history n=5", "history n=6", "history n=7"]
    last = case_of(records[-1])
    assert last["ratio_low_pct"] < last["ratio_pct"] < last["ratio_high_pct"]
    assert records[-1]["history"]["runs"] == 7
    assert "7 earlier runs, 2026-01-01" in Path("out/regression_latest.md").read_text()


def test_the_same_night_twice_changes_nothing(nights):
    """The archived report of this very run is no part of its own past."""
    for day in range(1, 8):
        nights(day, 2 + day % 3 / 100)
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in Path("out").glob("**/*.*")}
    nights(7, 2 + 7 % 3 / 100)
    after = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in Path("out").glob("**/*.*")}
    assert before == after


def test_data_without_a_date_has_no_past_and_is_stable(tmp_path, monkeypatch):
    """Nothing says which runs are earlier, so none is taken to be."""
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text(f"{HEADER}f,a,v,ok,ok,1,2\n")
    for _ in range(3):
        build(Settings(inputs=("r.csv",), out="out"))
    assert json.loads(Path("out/regression_latest.json").read_bytes())["history"] is None
    assert len(list(Path("out/archive").glob("*.csv"))) == 1


def test_a_kernel_that_was_fine_until_three_nights_ago_says_so(nights):
    """In the report, with the date of its last good run and the number of bad ones."""
    for day in (1, 2):
        nights(day, 2)
    for day in (3, 4, 5):
        nights(day, "")
    said = Path("out/regression_latest.md").read_text()
    assert "tile-first until 2026-01-02 00:00:00 UTC, PTO-blocked for 3 runs" in said


def test_the_monitor_follows_every_good_build(nights):
    """Also one that changed nothing; never one that failed."""
    nights(1, 2)
    first = Path("k.prom").read_text()
    nights(1, 2)
    second = Path("k.prom").read_text()
    assert first != second
    with pytest.raises(NothingComparable):
        build(Settings(inputs=("absent.csv",), out="out", prom="k.prom"))
    assert Path("k.prom").read_text() == second
    assert re.search(r"^kreport_kernels\{class=\"tile-first\"\} 1\.0$", second, re.M)


def test_an_absent_input_leaves_the_old_report_and_says_its_age(nights, monkeypatch):
    """Exit 4, not 3: nothing is wrong with any file, there is only none."""
    nights(1, 2)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767571200")  # 2026-01-05
    before = Path("out/regression_latest.md").read_bytes()
    with pytest.raises(NothingComparable, match=r"(?s)absent.csv: .*01-01.*, 4 days old, stays"):
        build(Settings(inputs=("absent.csv",), out="out"))
    assert Path("out/regression_latest.md").read_bytes() == before


def test_an_absent_input_without_an_old_report_says_so(tmp_path):
    """The first night may be early."""
    with pytest.raises(NothingComparable, match="no earlier report"):
        build(Settings(inputs=("absent.csv",), out=str(tmp_path / "out")))


def test_a_broken_input_is_refused_as_ever(nights):
    """Only absence is excused."""
    nights(1, 2)
    Path("bad.csv").write_text("<<<<<<< ours\nfamily,kernel\n")
    with pytest.raises(InputError):
        build(Settings(inputs=("bad.csv", "absent.csv"), out="out"))


def test_an_environment_as_empty_as_cron_can_make_it(nights, tmp_path):
    """No HOME, no PATH, no locale, no terminal, closed input: nothing is said and all is done."""
    nights(1, 2)
    Path("run_20260102T000000Z.csv").write_text(f"{HEADER}f,a,v,ok,ok,1.0,2.5\n")
    command = [sys.executable, "-m", "kreport", "build", "run_20260102T000000Z.csv", "-q"]
    done = subprocess.run(
        [*command, "--out", "out"],
        env={"PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (
        json.loads(Path("out/regression_latest.json").read_bytes())["data_stamp"][:8] == "20260102"
    )


def test_a_full_disk_leaves_the_old_report_and_the_archive_whole(tmp_path, monkeypatch):
    """The build says so and exits 3; with room again, the next one needs no help."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        build_night(tmp_path, disk, 1)
        before = content_of(disk)
        filler = disk / "filler"
        room = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        filler.write_bytes(b"x" * (room - 8192))
        with pytest.raises(OutputError, match="No space left"):
            build_night(tmp_path, disk, 2)
        filler.unlink()
        assert content_of(disk) == before
        build_night(tmp_path, disk, 2)
        assert len(list((disk / "archive").glob("*.csv"))) == 2
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def build_night(folder, out, day):
    path = folder / f"run_202601{day:02d}T000000Z.csv"
    rows = "".join(f"f,kernel {i},v,ok,ok,1.0,{day}.5\n" for i in range(100))
    path.write_text(HEADER + rows)
    build(Settings(inputs=(str(path),), out=str(out)))


def content_of(folder):
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
