"""What is known about one case: both sides, the ratio and its noise band."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.model import Band, Correctness, Notice, Status

if TYPE_CHECKING:
    from kreport.model import CaseKey


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side of a case over all its runs.

    Latencies are milliseconds, NaN where the side has none. `n` counts the samples of a typical
    run, None where the input does not say. `q1_ms` and `q3_ms` are the quartiles that the noise
    band rests on: within a run, or of the run medians where those spread wider.
    """

    status: Status
    correct: Correctness
    reason: str
    device: str
    n: int | None
    median_ms: float
    q1_ms: float
    q3_ms: float
    min_ms: float
    max_ms: float
    runs_ok: int
    step_ms: float = math.nan
    """Step of the clock; NaN where nothing shows it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a number was read."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One input shape of one kernel on one clock and device: both sides and what follows.

    `ratio_pct` is Baseline / PTO in percent, NaN where a side has no valid latency; `band` is in
    percent too, None where nothing supports one.
    """

    key: CaseKey
    baseline: SideResult
    pto: SideResult
    ratio_pct: float
    band: Band | None
    notices: tuple[Notice, ...]
    limitations: tuple[str, ...]
    variant_index: str
    report_path: str
    spec: str
    runs: int
    run: str
    run_at: str
    stored_class: str
    stored_blocker: str
    origins: tuple[Origin, ...]

    @property
    def runs_on_both_sides(self) -> bool:
        """Whether both sides ran, whatever came out."""
        return self.baseline.status is Status.OK and self.pto.status is Status.OK

    @property
    def correctness(self) -> str:
        """``pass``, ``blocked/fail``, or ``unknown`` where both sides ran and nobody checked."""
        checks = (self.baseline.correct, self.pto.correct)
        if not self.runs_on_both_sides or Correctness.FAIL in checks:
            return "blocked/fail"
        return "unknown" if Correctness.UNKNOWN in checks else "pass"
