"""What moved a whole run: the machine, not a kernel.

Two things do so in practice. The *drift* is a factor on every latency (clock rate, thermal state).
The *overhead* is a constant on every call (launch, timer), large for short kernels and nothing for
long ones. Both are read off the baselines alone, whose code nobody ports: a shift of all ports
and of no baseline is never explained away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.noise.runs import NEW, OLD, PAST, row_median
from kreport.noise.student import critical
from kreport.stats import MAD_TO_SIGMA, MEDIAN_COST

if TYPE_CHECKING:
    from kreport.noise.runs import CaseRuns, Floats

FEWEST_FOR_DRIFT = 3
FEWEST_FOR_OVERHEAD = 8
"""Baselines of a run that are needed to read a shift off them."""
FEWEST_RUNS = 3
"""Runs of both groups that are needed before noise-sized shifts are corrected as well."""
DRIFT_LEVEL = 0.003
"""Chance of a drift banner on same code."""
REPEAT_FLOOR = 0.003
"""No baseline is believed to repeat better than this (log units) when it is weighed."""
ROUNDS = 25


@dataclass(frozen=True, slots=True)
class RunShift:
    """Shift of whole runs in log units; `drift` and `overhead` are (runs,), zero = untouched.

    `overhead` is what the constant costs the fastest baseline, whose log latency is `fastest`.
    `old_to_new` is the drift between the groups as measured, NaN where too few baselines tell.
    `is_drift` says that it is beyond its own noise and that the ports moved along; where only
    the baselines moved together, `baselines_alone` is set and nothing is corrected.
    """

    drift: Floats
    overhead: Floats
    fastest: float
    old_to_new: float
    baselines: int
    is_drift: bool = False
    baselines_alone: bool = False

    def at(self, log_latency: Floats) -> Floats:
        """Shift of each case (rows) in each run (columns) for cases of this log latency."""
        share = np.exp(np.minimum(self.fastest - np.nan_to_num(log_latency), 0.0))
        return self.drift + self.overhead * share[:, None]


def shift_of(runs: CaseRuns, minimum: float) -> RunShift:
    """Estimate the shift of every run; `minimum` is the smallest log drift worth a banner.

    With three runs or more and eight baselines or more, drift and overhead of every run are fitted
    (Huber's M-estimator of log shift = drift + overhead / latency, each baseline weighed by how
    well it repeats) and always removed: they are noise that can be known. With less, only a
    drift that is plain beyond its own noise is.
    """
    location = runs.baseline.location
    compared = runs.group != PAST
    usable = np.isfinite(location[:, compared]).all(axis=1)
    count = int(usable.sum())
    nothing = np.zeros(runs.group.size)
    two_sided = {OLD, NEW} <= set(runs.group.tolist())  # all rows of one may be set aside
    if count < FEWEST_FOR_DRIFT or not two_sided:
        return RunShift(nothing, nothing, 0.0, np.nan, count)
    location = location[usable]
    from_centre = location - row_median(location)[:, None]
    level = row_median(location)
    fastest = float(level.min())
    fits = count >= FEWEST_FOR_OVERHEAD and int(compared.sum()) >= FEWEST_RUNS
    if fits:
        drift, overhead = _fit(from_centre, np.exp(fastest - level))
    else:
        drift, overhead = _column_median(from_centre), nothing
    fitted = RunShift(drift, overhead, fastest, np.nan, count)
    return _judged(runs, fitted, from_centre, minimum, keep_noise=fits)


def _judged(
    runs: CaseRuns, fitted: RunShift, from_centre: Floats, minimum: float, *, keep_noise: bool
) -> RunShift:
    """Decide whether the drift between the groups is real, and whether the ports show it too."""
    between = _between(fitted.drift[None, :], runs)[0]
    beyond = abs(between) > max(minimum, _drift_noise(runs, fitted, from_centre))
    followed = _ports_followed(runs, fitted, between)
    nothing = np.zeros(runs.group.size)
    applied = (beyond and followed) or (keep_noise and not beyond)
    return RunShift(
        drift=fitted.drift if applied else nothing,
        overhead=fitted.overhead if applied else nothing,
        fastest=fitted.fastest,
        old_to_new=float(between),
        baselines=fitted.baselines,
        is_drift=bool(beyond and followed),
        baselines_alone=bool(beyond and not followed),
    )


def _drift_noise(runs: CaseRuns, fitted: RunShift, from_centre: Floats) -> float:
    """How far the drift between the groups strays on same code."""
    old, new = fitted.drift[runs.group == OLD], fitted.drift[runs.group == NEW]
    df = old.size + new.size - 2
    between_runs = (old.var() * old.size + new.var() * new.size) / max(df, 1)
    moved = _between(from_centre, runs)
    spread = MAD_TO_SIGMA * float(np.median(np.abs(moved - np.median(moved))))
    among_baselines = MEDIAN_COST * spread**2 / fitted.baselines
    variance = between_runs * (1 / old.size + 1 / new.size) + among_baselines
    reach = critical(DRIFT_LEVEL, np.array([float(df + 2) if df else 30.0]))[0]
    return float(reach * np.sqrt(variance))


def _ports_followed(runs: CaseRuns, fitted: RunShift, between: float) -> bool:
    """Whether the ports as a whole moved with the baselines rather than stayed where they were."""
    bare = RunShift(0 * fitted.drift, fitted.overhead, fitted.fastest, np.nan, 0)
    location = runs.pto.location - bare.at(row_median(runs.pto.location))
    moved = _between(location, runs)
    moved = moved[np.isfinite(moved)]
    if moved.size < FEWEST_FOR_DRIFT:
        return True
    return bool(abs(np.median(moved) - between) < abs(np.median(moved)))


def _between(values: Floats, runs: CaseRuns) -> Floats:
    return row_median(values[:, runs.group == NEW]) - row_median(values[:, runs.group == OLD])


def _column_median(values: Floats) -> Floats:
    return np.nan_to_num(row_median(values.T))


def _fit(from_centre: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Fit drift and overhead of every run at once, by iteratively reweighted least squares.

    `from_centre` (baselines, runs) may hold NaN in past runs; a run with too few baselines is
    left untouched. A weak pull towards no overhead keeps the two apart where all latencies are
    alike.
    """
    known = np.isfinite(from_centre)
    shifts = np.where(known, from_centre, 0.0)
    scatter = np.maximum(MAD_TO_SIGMA * row_median(np.abs(from_centre)), REPEAT_FLOOR)[:, None]
    precision = known / scatter**2
    pull = 0.1 * precision.mean(axis=0) * known.sum(axis=0) / from_centre.shape[0]
    x = share[:, None]
    drift, overhead = _column_median(from_centre), np.zeros(from_centre.shape[1])
    for _ in range(ROUNDS):
        residual = np.abs(shifts - drift - overhead * x) / scatter
        weight = precision / np.maximum(residual, 1.0)
        w, wx, wxx = weight.sum(0), (weight * x).sum(0), (weight * x * x).sum(0) + pull
        wy, wxy = (weight * shifts).sum(0), (weight * x * shifts).sum(0)
        determinant = w * wxx - wx * wx
        solvable = determinant > 1e-12 * np.maximum(w * wxx, 1e-300)
        safe = np.where(solvable, determinant, 1.0)
        overhead = np.where(solvable, (w * wxy - wx * wy) / safe, 0.0)
        drift = np.where(w > 0, (wy - overhead * wx) / np.where(w > 0, w, 1.0), 0.0)
    enough = known.sum(axis=0) >= FEWEST_FOR_OVERHEAD
    return np.where(enough, drift, 0.0), np.where(enough, overhead, 0.0)
