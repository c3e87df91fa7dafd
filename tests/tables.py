"""Run tables for tests: say what matters, the rest is filled in."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from kreport.schema import COLUMNS, NUMBERS, TEXT, RunTable, Source


def row(kernel: str = "gemm", **values: Any) -> dict[str, Any]:
    """One row of the run table: both sides ran, are correct and took 1 ms and 2 ms."""
    filled: dict[str, Any] = dict.fromkeys(TEXT, "") | dict.fromkeys(NUMBERS, math.nan)
    filled |= {
        "kernel": kernel,
        "family": "gmm",
        "shape": '{"x":[8,8]}',
        "baseline_status": "ok",
        "pto_status": "ok",
        "baseline_correct": "pass",
        "pto_correct": "pass",
        "baseline_median_ms": 1.0,
        "pto_median_ms": 2.0,
        "source": 0,
        "line": 2,
    }
    return filled | values


def table(*rows: dict[str, Any], stamp: str = "20260401T060000Z") -> RunTable:
    """A run table of these rows, read from one file."""
    source = Source("runs.csv", "0" * 64, "regression", len(rows), 0, stamp)
    return RunTable(pd.DataFrame(list(rows), columns=list(COLUMNS)), (source,))
