"""Whole processes over a large archive: wall and processor time, and memory.

    python -m bench.trend.speed [--runs 1000] [--cases 1000] [--keep FOLDER]

Writes bench/trend/speed.md. The archive is made by `bench.trend.large_archive`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.trend.large_archive import stamp, write
from kreport.archive.cache import CACHE_NAME

RESULTS = Path(__file__).with_name("speed.md")


def measured(name: str, *arguments: str, cwd: Path) -> str:
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "kreport", *arguments],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    assert status == 0, f"{name}: exit {os.waitstatus_to_exitcode(status)}"
    processor = used.ru_utime + used.ru_stime
    return f"| {name} | {wall:.1f} s | {processor:.1f} s | {used.ru_maxrss // 1024} MB |"


def next_run(home: Path, runs: int) -> Path:
    """A run newer than the archive, with the numbers of its last one."""
    newest = home / "archive" / f"regression_{stamp(runs - 1)}.csv"
    path = home / f"run_{stamp(runs)}.csv"
    path.write_text(newest.read_text("utf-8").replace(stamp(runs - 1), stamp(runs)), "utf-8")
    return path


def rows(home: Path, runs: int) -> list[str]:
    new = next_run(home, runs).name
    build = ("build", new, "--archive", "archive", "--out", "out", "--previous", "auto", "-q")
    table = [measured("trend, nothing cached", "trend", "--archive", "archive", cwd=home)]
    table.append(measured("trend", "trend", "--archive", "archive", cwd=home))
    table.append(
        measured(
            "trend --format json", "trend", "--archive", "archive", "--format", "json", cwd=home
        )
    )
    table.append(measured("build --previous auto", *build, cwd=home))
    table.append(measured("the same again", *build, cwd=home))
    size = (home / "archive" / CACHE_NAME).stat().st_size >> 20
    return [*table, "", f"The cache beside the snapshots takes {size} MB."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--keep", type=Path, help="make the archive here and leave it")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = asked.keep or Path(temporary)
        write(home / "archive", asked.runs, asked.cases)
        lines = [
            f"# An archive of {asked.runs} reports of {asked.cases} rows",
            "",
            f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the start: above",
            "the number of cores, wall time says more about the neighbours than about kreport.",
            "",
            "| command | wall | processor | memory |",
            "|---|---|---|---|",
            *rows(home, asked.runs),
        ]
    print("\n".join(lines))
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
