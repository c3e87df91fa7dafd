"""A real cron daemon, a writer that adds runs, readers that never rest and a killer: for minutes.

Run with ``--run-slow``; ``KREPORT_CRON_MINUTES`` sets how long (3). Needs root and Debian's cron.
"""

import csv
import hashlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from kreport.archive import store as archive
from kreport.archive.cache import CACHE_NAME, load_history
from kreport.pipeline.build import build
from kreport.pipeline.doctor import doctor
from kreport.settings import Settings

ROOT = Path(__file__).parents[1]
MINUTES = float(os.environ.get("KREPORT_CRON_MINUTES", "3"))
OFFSETS = (0, 0, 1, 6, 11, 16, 16, 21, 26, 31, 36, 36, 41, 46, 51)
"""Seconds after each full minute at which cron's jobs start; some at the same moment."""
HEADER = "family,kernel,variant_label,baseline_median_ms,pto_median_ms,run_at\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cron") is None, reason="needs the cron daemon"),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to start a cron daemon"),
]


class Night:
    """The folder of the job, and what was seen while it ran."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.over = threading.Event()
        self.faults: list[str] = []
        self.seen = Counter()
        self.reports: set[str] = set()
        (home / "runs").mkdir()
        (home / "kreport.toml").write_text(
            'inputs = ["runs"]\nout = "out"\nprevious = "auto"\nprom = "kreport.prom"\n',
            encoding="utf-8",
        )

    @property
    def settings(self) -> Settings:
        return Settings(
            inputs=(str(self.home / "runs"),),
            out=str(self.home / "out"),
            previous="auto",
            prom=str(self.home / "kreport.prom"),
        )

    def add_run(self) -> None:
        """One more run, put there whole by a rename, as a benchmark should."""
        number = self.seen["runs"]
        stamp = f"20260101T{number // 3600:02d}{number // 60 % 60:02d}{number % 60:02d}Z"
        rows = "".join(f"f,kernel {i},v,{1 + random.random()},{2 + i},{stamp}\n" for i in range(20))
        draft = self.home / "draft"
        draft.write_text(HEADER + rows, encoding="utf-8")
        draft.rename(self.home / "runs" / f"run_{stamp}.csv")
        self.seen["runs"] += 1

    def write_runs(self) -> None:
        while not self.over.wait(random.uniform(1, 4)):
            self.add_run()

    def read(self) -> None:
        """Every file, as often as possible; a reader of Prometheus among them."""
        while not self.over.wait(0.02):
            for check in (self.read_json, self.read_csv, self.read_texts, self.read_prom):
                try:
                    check()
                except FileNotFoundError:
                    self.seen["not there yet"] += 1
                except Exception as error:  # whatever a reader trips over is a fault
                    self.faults.append(f"{check.__name__}: {error!r}")

    def read_json(self) -> None:
        record = json.loads((self.home / "out" / "regression_latest.json").read_bytes())
        assert record["overview"]["kernels"] == 20
        self.seen["json"] += 1

    def read_csv(self) -> None:
        content = (self.home / "out" / "regression_latest.csv").read_bytes()
        assert len(list(csv.DictReader(io.StringIO(content.decode())))) == 20
        self.reports.add(hashlib.sha256(content).hexdigest())
        self.seen["csv"] += 1

    def read_texts(self) -> None:
        page = (self.home / "out" / "regression_latest.html").read_text("utf-8")
        assert page.rstrip().endswith("</html>")
        text = (self.home / "out" / "regression_latest.md").read_text("utf-8")
        assert text.startswith("# ")
        assert text.count("| kernel 19 |") >= 2
        self.seen["text"] += 1

    def read_prom(self) -> None:
        parser = pytest.importorskip("prometheus_client.parser")
        text = (self.home / "kreport.prom").read_text("utf-8")
        names = {family.name for family in parser.text_string_to_metric_families(text)}
        assert "kreport_last_success_timestamp_seconds" in names
        assert text.endswith("\n")
        self.seen["prom"] += 1

    def kill(self) -> None:
        """SIGKILL to a build of this folder, at any moment."""
        while not self.over.wait(random.uniform(0.5, 6)):
            victims = self.builds()
            if victims:
                try:
                    os.kill(random.choice(victims), signal.SIGKILL)
                    self.seen["killed"] += 1
                except ProcessLookupError:
                    pass

    def builds(self) -> list[int]:
        """Process ids of the builds at work in this very folder."""
        return [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if self.is_build(entry)]

    def is_build(self, process: Path) -> bool:
        try:
            here = (process / "cwd").readlink() == self.home
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return here and b"kreport" in words and b"build" in words


@pytest.fixture
def crontab(tmp_path):
    """Lines of cron's own folder for this test alone, and a daemon if none is running."""
    lines = [
        f"* * * * * root sleep {offset}; cd {tmp_path} && PYTHONPATH={ROOT} {sys.executable}"
        " -m kreport build -q >>log 2>&1; echo $? >>codes"
        for offset in OFFSETS
    ]
    path = Path(f"/etc/cron.d/kreport-test-{os.getpid()}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o644)
    daemon = subprocess.Popen(["cron", "-f"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield daemon
    path.unlink()
    daemon.terminate()
    daemon.wait()


def test_nothing_is_lost_or_torn_while_cron_runs_and_builds_are_killed(tmp_path, crontab):
    """Reads are whole and valid, exit codes are 0 or the kill, and one build more heals all."""
    night = Night(tmp_path)
    for _ in range(3):
        night.add_run()
    jobs = (night.write_runs, night.read, night.kill)
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    time.sleep(60 * (1 + MINUTES))
    night.over.set()
    for thread in threads:
        thread.join()
    Path(f"/etc/cron.d/kreport-test-{os.getpid()}").write_text("")
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and night.builds():
        time.sleep(0.5)

    codes = Counter((tmp_path / "codes").read_text().split())
    busy = (tmp_path / "log").read_text().count("is being written")
    print(dict(night.seen), "exit codes", dict(codes), "found another at work", busy)
    assert night.faults == []
    assert codes["0"] > 0, (tmp_path / "log").read_text()
    assert set(codes) <= {"0", "137"}
    assert night.seen["killed"] > 5

    build(night.settings)
    assert doctor(night.settings, "console", None, quiet=False) == 0
    record = json.loads((tmp_path / "out" / "regression_latest.json").read_bytes())
    assert len(record["inputs"]) == night.seen["runs"]
    assert record["problems"] == []
    kept = {hashlib.sha256(s.csv.read_bytes()).hexdigest()
            for s in archive.snapshots(tmp_path / "out" / "archive")}  # fmt: skip
    assert night.reports <= kept
    litter = [p.name for p in (tmp_path / "out").rglob(".*") if p.name != CACHE_NAME]
    assert litter == []
    cached = load_history(tmp_path / "out" / "archive")
    (tmp_path / "out" / "archive" / CACHE_NAME).unlink()
    assert cached.runs == load_history(tmp_path / "out" / "archive").runs
