"""Sets of runs made up for comparisons."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kreport.schema import RunTable
from kreport.verdicts import CaseDiff, DiffReport, Inputs, Question, compare_runs
from tests.tables import row, table

QUARTER = 0.02
"""Half the IQR of a made-up run, relative to its median."""


def measured(
    kernel: str, run: str, baseline_ms: float, pto_ms: float, **values: Any
) -> dict[str, Any]:
    """One case of one run, quartiles evenly about its medians."""
    spread = {
        f"{side}_{name}": median * factor
        for side, median in (("baseline", baseline_ms), ("pto", pto_ms))
        for name, factor in (
            ("median_ms", 1.0),
            ("q1_ms", 1 - QUARTER),
            ("q3_ms", 1 + QUARTER),
        )
    }
    counts = {"baseline_n": 100.0, "pto_n": 100.0}
    return row(kernel, run=run, **(counts | spread | values))


def runs(
    names: list[str],
    count: int,
    seed: int,
    *,
    sigma: float = 0.01,
    pto: dict[str, float] | None = None,
    whole: float = 1.0,
    label: str = "r",
) -> RunTable:
    """`count` runs of kernels of 10 to 200 us with this scatter.

    `pto` multiplies ports by name, `whole` every latency of every run.
    """
    rng = np.random.default_rng(seed)
    levels = np.geomspace(0.01, 0.2, max(len(names), 2))
    rows = []
    for run in range(count):
        for name, level in zip(names, levels, strict=False):
            noise = np.exp(rng.normal(0, sigma, 2))
            factor = (pto or {}).get(name, 1.0)
            rows.append(
                measured(
                    name,
                    f"{label}{run:03d}",
                    level * noise[0] * whole,
                    2 * level * noise[1] * factor * whole,
                )
            )
    return table(*rows)


def compared(old: RunTable, new: RunTable, **question: Any) -> DiffReport:
    return compare_runs(Inputs(old, new), Question(**question))


def by_kernel(report: DiffReport) -> dict[str, CaseDiff]:
    return {case.key.kernel: case for case in report.cases}


def single(kernel: str = "gemm", **values: Any) -> RunTable:
    """A table of one case in one run."""
    return table(row(kernel, run="r", **values))


NAN = math.nan
