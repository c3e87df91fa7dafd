"""Runs of the same code as material for trials: tables for kreport, samples for everybody else."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from kreport.model import CaseKey
from kreport.readers import read_runs
from kreport.schema import IDENTITY, RunTable

ROUND_COLUMNS = (
    *("family", "kernel", "variant_index", "shape_summary_json"),
    *("baseline_status", "pto_status", "baseline_median_ms", "pto_median_ms"),
)
PORT_LATENCIES = [f"pto_{name}_ms" for name in ("median", "mean", "q1", "q3", "min", "max")]


@dataclass(frozen=True, slots=True)
class Material:
    """Same-code runs. `rows` gives the rows of each run; `samples` the port's, by case and run."""

    table: RunTable
    runs: tuple[str, ...]
    rows: tuple[np.ndarray, ...]
    keys: tuple[CaseKey, ...]
    samples: dict[tuple[CaseKey, int], np.ndarray]

    @property
    def clocks(self) -> tuple[str, ...]:
        return tuple(sorted({key.timer for key in self.keys}))

    def part(self, runs: np.ndarray, factors: dict[CaseKey, float] | None = None) -> RunTable:
        """The table of some runs, the ports of some cases slowed by a factor."""
        frame = self.table.frame.iloc[np.concatenate([self.rows[run] for run in runs])]
        frame = frame.reset_index(drop=True)
        if factors:
            keys = _keys(frame)
            by = np.array([factors.get(key, 1.0) for key in keys])
            for name in PORT_LATENCIES:
                frame[name] = frame[name] * by
        return RunTable(frame, self.table.sources)


def load(runs: str) -> Material:
    """Read a folder or glob of sample files."""
    table = read_runs([runs], keep_samples=True)
    frame = table.frame
    names = frame["run"].astype(str) + "|" + frame["run_at"].astype(str)
    codes, distinct = pd.factorize(names, sort=True)
    keys = _keys(frame)
    samples = {}
    for row, (key, run) in enumerate(zip(keys, codes.tolist(), strict=True)):
        if table.samples is not None:
            start, stop = (
                int(edge[2 * row + 1]) for edge in (table.samples.start, table.samples.stop)
            )
            if stop > start:
                samples[key, run] = table.samples.values[start:stop]
    known = sorted({key for key, _ in samples}, key=lambda key: (key.kernel, key.shape, key.timer))
    rows = tuple(np.flatnonzero(codes == run) for run in range(len(distinct)))
    return Material(table, tuple(distinct), rows, tuple(known), samples)


def _keys(frame: pd.DataFrame) -> list[CaseKey]:
    return [CaseKey(*cells) for cells in zip(*(frame[name] for name in IDENTITY), strict=True)]


def write_rounds(report: Path, folder: Path) -> list[Path]:
    """Turn a ``*_rounds.json``, rounds of the same code, into one regression CSV a round."""
    kernels = json.loads(report.read_text("utf-8"))["kernels"]
    by_round: dict[int, list[list[str]]] = {}
    for kernel in kernels:
        for one in kernel["rounds"]:
            by_round.setdefault(one["round"], []).extend(_round_rows(kernel, one))
    paths = []
    for number, rows in sorted(by_round.items()):
        path = folder / f"{report.stem}_{number}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(ROUND_COLUMNS)
            writer.writerows(rows)
        paths.append(path)
    return paths


def _round_rows(kernel: dict, one: dict) -> Iterator[list[str]]:
    for index, variant in enumerate(one.get("variant_rows") or [one]):
        medians = [variant.get(f"{side}_median_ms") for side in ("baseline", "pto")]
        yield [
            kernel.get("family", ""),
            kernel["name"],
            str(index),
            json.dumps(variant.get("shape_summary") or {}),
            *(one[f"{side}_status"] for side in ("baseline", "pto")),
            *("" if median is None else repr(median) for median in medians),
        ]
