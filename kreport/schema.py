"""The canonical run table: what every reader produces and everything else reads.

One row is one case in one run. Latencies are milliseconds, NaN where there is no measurement;
texts are "" where absent, never NaN. Readers fill every column; nobody downstream guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kreport.model import Side
from kreport.problems import Problem

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

IDENTITY = (
    "family",
    "kernel",
    "variant_label",
    "shape",
    "parameters",
    "ordinal",
    "timer",
    "device",
)
"""Columns that together name a case, in the order of `kreport.model.CaseKey`. All text."""

SIDE_TEXT = ("status", "correct", "reason", "device")
"""Per side: a `Status` value, a `Correctness` value, the reason whole, the device as written."""

SIDE_NUMBERS = (
    "n",
    "median_ms",
    "mean_ms",
    "q1_ms",
    "q3_ms",
    "min_ms",
    "max_ms",
    "resolution_ms",
    "outliers",
)
"""Per side, float64. `n` and `outliers` count samples; `resolution_ms` is the step of the clock as
the samples show it (NaN where only a summary was read)."""

TEXT = (
    *IDENTITY,
    "run",
    "run_at",
    "variant_index",
    "limitations",
    "report_path",
    "spec",
    "notices",
    "noise_source",
    "stored_class",
    "stored_blocker",
    *(f"{side}_{name}" for side in Side for name in SIDE_TEXT),
)
"""`limitations` is a canonical JSON list; `notices` joins `Notice` values
with ";". `noise_source` (a `Band.label`), `stored_class` and `stored_blocker` are what an
earlier report of kreport's own decided: they let its CSV stand in for the files behind it."""

NUMBERS = (
    "stored_ratio_pct",
    "ratio_low_pct",
    "ratio_high_pct",
    *(f"{side}_{name}" for side in Side for name in SIDE_NUMBERS),
)

PROVENANCE = ("source", "line")
"""Integers: index into `RunTable.sources`, and the 1-based line of the (first) row read."""

COLUMNS = (*TEXT, *NUMBERS, *PROVENANCE)


@dataclass(frozen=True, slots=True)
class Source:
    """One input file as it was read."""

    name: str
    """Path as the user gave it, or ``<stdin>``."""
    sha256: str
    layout: str
    """Which reader took it: ``regression``, ``samples``, ``sides``, ..."""
    rows: int
    """Data rows in the file, those set aside included."""
    set_aside: int
    stamp: str
    """``20260321T024111Z`` from the content or the file name; "" where neither says."""
    complete: bool = True
    """False where the file ends in the middle of a row."""


@dataclass(frozen=True, slots=True)
class SampleStore:
    """Raw samples kept for methods that need them: `values[start[i]:stop[i]]` milliseconds.

    Row `i` of the run table has its baseline samples at ``2 * i`` and its PTO samples at
    ``2 * i + 1``; an empty slice where that side has none.
    """

    values: np.ndarray
    start: np.ndarray
    stop: np.ndarray


@dataclass(frozen=True, slots=True)
class RunTable:
    """Everything read from a set of inputs, and everything found wrong with them."""

    frame: pd.DataFrame
    """Columns `COLUMNS`, a fresh 0..n-1 index, rows in the order they were read."""
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...] = ()
    samples: SampleStore | None = field(default=None, repr=False)

    @property
    def set_aside(self) -> int:
        """How many input rows are in no number."""
        return sum(source.set_aside for source in self.sources)
