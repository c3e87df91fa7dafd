"""Writes an archive of many reports of many cases, with known steps in some of them.

    python -m bench.trend.large_archive FOLDER [--runs 1000] [--cases 1000]

One case in ten gets 8 % slower at three quarters of the runs, one in ten is blocked for a while.
"""

import argparse
import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from kreport.report.run.csv_view import OWN_COLUMNS
from kreport.report.run.layout_one import KNOWN_COLUMNS

COLUMNS = KNOWN_COLUMNS + OWN_COLUMNS


def rows_of_run(at: int, runs: int, cases: int, levels: np.ndarray) -> list[list[str]]:
    random = np.random.default_rng(at)
    baseline = levels[0] * np.exp(random.normal(0, 0.02, cases))
    pto = levels[1] * np.exp(random.normal(0, 0.02, cases))
    late = at >= runs * 3 // 4
    pto[::10] *= 1.08 if late else 1.0
    blocked = set(range(5, cases, 10)) if runs // 4 <= at < runs // 3 else set()
    run_at = stamp(at)
    return [row(i, baseline[i], pto[i], i in blocked, run_at) for i in range(cases)]


def row(i: int, baseline: float, pto: float, blocked: bool, run_at: str) -> list[str]:
    kernel = i // 5
    cells = {
        "family": f"family{kernel % 7}",
        "kernel": f"kernel_{kernel:04d}",
        "variant_index": str(i % 5 + 1),
        "shape_summary_json": json.dumps({"x": [64 << (i % 5), 128]}, separators=(",", ":")),
        "baseline_status": "ok",
        "pto_status": "blocked" if blocked else "ok",
        "baseline_correct": "True",
        "pto_correct": "" if blocked else "True",
        "baseline_median_ms": repr(float(baseline)),
        "pto_median_ms": "" if blocked else repr(float(pto)),
        "baseline_over_pto_pct": "" if blocked else repr(float(baseline / pto * 100)),
        "baseline_limitations_json": "[]",
        "pto_reason": "lowering failed: no pattern for this tile\nsee the log" if blocked else "",
        "report_path": f"bench/generated/kernel_{kernel:04d}/report.json",
        "spec": f"bench/specs/kernel_{kernel:04d}.yaml",
        "noise_source": "none",
        "kernel_class": "tile-first",
        "correctness": "blocked/fail" if blocked else "pass",
        "run": run_at,
        "run_at": run_at,
        "timer": "host",
        "runs": "1",
    }
    return [cells.get(name, "") for name in COLUMNS]


def stamp(at: int) -> str:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=6 * at)
    return moment.strftime("%Y%m%dT%H%M%SZ")


def write(folder: Path, runs: int, cases: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    levels = np.random.default_rng(0).uniform(0.05, 2.0, (2, cases))
    for at in range(runs):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows_of_run(at, runs, cases, levels))
        path = folder / f"regression_{stamp(at)}.csv"
        path.write_text(text.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--cases", type=int, default=1000)
    asked = parser.parse_args()
    write(asked.folder, asked.runs, asked.cases)
