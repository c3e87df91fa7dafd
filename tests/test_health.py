"""Doctor: every way a night job goes wrong is named, and a healthy one is left in peace."""

import json
import os
from pathlib import Path

import pytest

from kreport import atomic, lock
from kreport.health import standing_report
from kreport.pipeline.build import build
from kreport.pipeline.doctor import doctor
from kreport.settings import Settings

NOW = "1774100000"  # 2026-03-21 13:33:20 UTC
HEADER = "family,kernel,variant_label,baseline_median_ms,pto_median_ms\n"


@pytest.fixture
def night(tmp_path, monkeypatch):
    """Settings of a night job that has run once."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NOW)
    path = tmp_path / "r_20260321T024111Z.csv"
    path.write_text(HEADER + "f,a,v,1,2\nf,b,v,1,3\n")
    settings = Settings(inputs=(str(path),), out=str(tmp_path / "out"))
    build(settings)
    return settings


@pytest.fixture
def ask(night, capsys):
    """Exit code and findings (subject -> health) of a call of doctor."""

    def call(settings=night, max_age_hours=None):
        code = doctor(settings, "json", max_age_hours, quiet=False)
        record = json.loads(capsys.readouterr().out)
        assert record["healthy"] is (code == 0)
        worst = {}
        for found in record["findings"]:
            kept = worst.setdefault(found["subject"], found)
            if found["health"] in ("stale", "broken"):
                worst[found["subject"]] = found if kept["health"] in ("ok", "note") else kept
        return code, worst

    return call


def faults(found):
    return {subject for subject, f in found.items() if f["health"] in ("stale", "broken")}


def test_a_healthy_night_job(ask):
    """Nothing stale, nothing broken, and the age of the data in words."""
    code, found = ask()
    assert code == 0
    assert faults(found) == set()
    assert found["data"]["message"] == "11 hours old"
    assert found["archive"]["message"].startswith("1 snapshots, the newest of 2026-03-21")


def test_nothing_there_at_all(ask, tmp_path):
    """Before the first build: the report is what is missing."""
    settings = Settings(inputs=(str(tmp_path / "none.csv"),), out=str(tmp_path / "nowhere"))
    code, found = ask(settings)
    assert code == 4
    assert faults(found) == {"inputs", "report"}
    assert not (tmp_path / "nowhere").exists()


def test_changed_inputs_make_the_report_stale(ask, night):
    """One more row since the last build."""
    path = Path(night.inputs[0])
    path.write_text(path.read_text() + "f,c,v,1,4\n")
    code, found = ask()
    assert (code, faults(found)) == (4, {"report"})
    assert "inputs have changed" in found["report"]["message"]
    build(night)
    assert ask()[0] == 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("regression_latest.json", b'{"format": "kreport-rep'),
        ("regression_latest.json", b"[]"),
        ("regression_latest.csv", b"family,kernel\n"),
        ("regression_latest.md", b""),
    ],
)
def test_a_report_that_is_not_whole(ask, night, name, content):
    """Cut, foreign, of other numbers or empty."""
    (_path(night) / name).write_bytes(content)
    code, found = ask()
    assert (code, "report" in faults(found)) == (4, True)


def test_old_data_is_stale_only_when_asked(ask):
    """The limit is the user's."""
    assert ask(max_age_hours=12)[0] == 0
    code, found = ask(max_age_hours=10)
    assert (code, faults(found)) == (4, {"data"})


def test_a_clock_behind_the_data_is_said(ask, monkeypatch):
    """Either the machine's clock jumped or the data's did."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    code, found = ask()
    assert (code, faults(found)) == (4, {"data"})
    assert "after the clock" in found["data"]["message"]


def test_a_torn_snapshot_and_a_missing_one(ask, night):
    """What a full disk or a hand did to the archive."""
    (csv,) = (_path(night) / "archive").glob("*.csv")
    os.truncate(csv, 50)
    code, found = ask()
    assert (code, faults(found)) == (4, {"archive"})
    csv.unlink()
    assert ask()[1]["archive"]["health"] == "note"


def test_a_build_at_work_is_no_fault(ask, night):
    """A monitor may ask at any moment."""
    with lock.hold(_path(night)):
        code, found = ask()
    assert (code, found["lock"]["health"]) == (0, "note")


def test_a_killed_build_is_a_fault_until_the_next_one(ask, night):
    """A journal means that files of two reports may lie side by side."""
    (_path(night) / atomic.JOURNAL_NAME).write_text('{"steps": []}')
    code, found = ask()
    assert (code, faults(found)) == (4, {"lock"})
    build(night)
    assert ask()[0] == 0


def test_prometheus_file(ask, night, tmp_path):
    """Configured, absent and half written."""
    settings = Settings(inputs=night.inputs, out=night.out, prom=str(tmp_path / "k.prom"))
    assert faults(ask(settings)[1]) == {"prom"}
    (tmp_path / "k.prom").write_text("kreport_last_success_timestamp_seconds 5.0\n")
    assert ask(settings)[0] == 0


def test_text_output_and_quiet(night, capsys):
    """One line a finding; with -q only what needs care, so that cron mails nothing."""
    assert doctor(night, "console", None, quiet=True) == 0
    assert capsys.readouterr().out == ""
    assert doctor(night, "console", 1.0, quiet=True) == 4
    assert capsys.readouterr().out == "stale   data     11 hours old, more than 1 hours\n"


def test_what_stays_when_a_build_cannot_be_made(night, tmp_path):
    """The message of a failed build names the old report and its age."""
    said = standing_report(_path(night), "20260324T024111Z")
    assert said.startswith("the report of 2026-03-21 02:41:11 UTC, 3 days old, stays in ")
    assert standing_report(tmp_path / "x", "").startswith("there is no earlier report")


def _path(settings):
    return Path(settings.out)
