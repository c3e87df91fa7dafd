"""A build as cron runs it, night after night: its past, its monitor, what stays when it cannot."""

import json
import re
from pathlib import Path

import pytest

from kreport.errors import InputError, NothingComparable
from kreport.pipeline.build import build
from kreport.settings import Settings

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
