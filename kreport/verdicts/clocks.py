"""One clock in numbers: what moved whole runs, and geometric means over matched pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kreport.model import Side
from kreport.noise import NEW, OLD, PAST
from kreport.noise.runs import row_median
from kreport.stats import log_as_pct
from kreport.verdicts.cells import ABSENT
from kreport.verdicts.results import ClockDiff

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.verdicts.assembly import Clock

    Floats = NDArray[np.float64]


def clock_diff(clock: Clock) -> ClockDiff:
    """Summarise a clock. Only cases that run, correctly, in both sets of runs are in a mean."""
    cells = clock.cells
    present = [(cells.row[:, cells.group == group] != ABSENT) for group in (OLD, NEW)]
    pto = _logs(clock, Side.PTO)
    baseline = _logs(clock, Side.BASELINE)
    change = pto[1] - pto[0]
    ratios = [ours - theirs for ours, theirs in zip(baseline, pto, strict=True)]
    both = np.isfinite(ratios[0]) & np.isfinite(ratios[1])
    shift = clock.changes.shift
    return ClockDiff(
        timer=clock.timer,
        old_runs=int(present[0].any(axis=0).sum()),
        new_runs=int(present[1].any(axis=0).sum()),
        past_runs=_past_runs(clock),
        drift_pct=log_as_pct(shift.old_to_new),
        is_drift=shift.is_drift,
        baselines_alone=shift.baselines_alone,
        baselines=shift.baselines,
        matched=int((present[0].any(axis=1) & present[1].any(axis=1)).sum()),
        pairs=int(np.isfinite(change).sum()),
        pto_geomean=_geomean(change),
        ratio_pairs=int(both.sum()),
        ratio_old_pct=_geomean(ratios[0][both]) * 100,
        ratio_new_pct=_geomean(ratios[1][both]) * 100,
        tests=clock.changes.pto.tests,
    )


def _past_runs(clock: Clock) -> int:
    members = clock.cells.group == PAST
    known = [np.isfinite(side.median_ms[:, members]) for side in clock.cells.sides.values()]
    return int((known[0] | known[1]).any(axis=0).sum())


def _logs(clock: Clock, side: Side) -> tuple[Floats, Floats]:
    """Log of the median of run medians, old and new; NaN unless comparable in both."""
    comparable = clock.states[side, OLD].comparable & clock.states[side, NEW].comparable
    logs = np.log(clock.cells.sides[side].median_ms)
    old, new = (row_median(logs[:, clock.cells.group == group]) for group in (OLD, NEW))
    return np.where(comparable, old, np.nan), np.where(comparable, new, np.nan)


def _geomean(logs: Floats) -> float:
    """Geometric mean of numbers given as logs; NaN where there are none."""
    known = np.sort(logs[np.isfinite(logs)])
    return float(np.exp(known.sum() / known.size)) if known.size else float("nan")
