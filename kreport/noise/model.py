"""From runs to changes: shift, standard error, p value, band and detectable effect per case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.choices import MIN_EFFECT_PCT
from kreport.noise.multiplicity import shown, smallest_level
from kreport.noise.runs import NEW, OLD, row_count, row_median
from kreport.noise.scale import pooled_variance, scatter_of
from kreport.noise.shift import shift_of
from kreport.noise.student import critical, two_sided_p
from kreport.stats import MEDIAN_COST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.noise.runs import CaseRuns, Floats, SideRuns
    from kreport.noise.scale import Scatter
    from kreport.noise.shift import RunShift

PRIOR_DF = 2
"""Degrees of freedom that the other cases, if there are enough, add to a case's own in Student's t.
Fewer than their weight in the variance: the tails of run-to-run noise are heavier than normal."""
MOST_DF = 12
"""More runs than this make no tail thinner: now and then a run lands elsewhere altogether."""
WITHIN_RUN = 0.93
"""Standard error of a median of n samples is about 0.93 IQR / sqrt(n)."""
POWER_REACH = 1.0
"""Standard errors between the band and an effect that is found in at least 80 % of cases."""


@dataclass(frozen=True, slots=True)
class NoiseLimits:
    """Thresholds of the model. Effects are log units: log(1.08) for 8 %."""

    min_effect: float = float(np.log1p(MIN_EFFECT_PCT / 100))
    report_level: float = 0.05
    """Chance of any false alarm in a report: one clock, one side."""
    case_level: float = 0.0025
    """No single case is tested more loosely than this."""

    @classmethod
    def of(cls, min_effect_pct: float) -> NoiseLimits:
        """The usual levels, with the smallest change that is called one in percent."""
        return cls(min_effect=float(np.log1p(min_effect_pct / 100)))


@dataclass(frozen=True, slots=True)
class SideChanges:
    """What the runs say about one side of each case. Arrays over cases, log units.

    `change` is new over old after what moved whole runs is taken out.
    A case without run-to-run scatter (`df` 0) has NaN error, p, band and detectable effect:
    nothing about runs can be said of it. `is_shown` is Holm's decision over all tested cases.
    """

    change: Floats
    error: Floats
    p_value: Floats
    band: Floats
    detectable: Floats
    is_shown: NDArray[np.bool_]
    n_old: NDArray[np.int64]
    n_new: NDArray[np.int64]
    scatter: Scatter
    within_run: NDArray[np.bool_]
    """The scatter inside runs, with so few samples, is wider than that between them."""
    by_step: NDArray[np.bool_]
    """The step of the clock is wider than both."""
    t_df: Floats
    tests: int


@dataclass(frozen=True, slots=True)
class Changes:
    """Both sides of the cases of one clock, and what moved whole runs."""

    baseline: SideChanges
    pto: SideChanges
    shift: RunShift


def changes_of(runs: CaseRuns, limits: NoiseLimits) -> Changes:
    """Compare the new runs of every case with the old ones. Symmetric: swapped groups, mirrored.

    Assumes that runs within a group are exchangeable; needs one run a group and, for a p value,
    two or more in one of the groups or in the past. Missing values are NaN.
    """
    shift = shift_of(runs, limits.min_effect)
    sides = (runs.baseline, runs.pto)
    levels = tuple(row_median(side.location) for side in sides)
    locations = tuple(
        side.location - shift.at(level) for side, level in zip(sides, levels, strict=True)
    )
    pooled = tuple(pooled_variance(location, runs.group) for location in locations)
    scatters = scatter_of(
        (pooled[0][0], pooled[1][0]), (pooled[0][1], pooled[1][1]), (levels[0], levels[1])
    )
    baseline, pto = (
        _side(runs, side, location, scatter, limits)
        for side, location, scatter in zip(sides, locations, scatters, strict=True)
    )
    return Changes(baseline, pto, shift)


def _side(
    runs: CaseRuns, side: SideRuns, location: Floats, scatter: Scatter, limits: NoiseLimits
) -> SideChanges:
    old, new = runs.of_group(location, OLD), runs.of_group(location, NEW)
    n_old, n_new = row_count(old), row_count(new)
    change = row_median(new) - row_median(old)
    within, step = _floors(side)
    sigma = np.maximum(scatter.sigma, np.maximum(within, step))
    error = sigma * np.sqrt(run_share(n_old) + run_share(n_new))
    t_df = np.minimum(scatter.df + PRIOR_DF * scatter.weight, MOST_DF)
    t_df[scatter.df == 0] = np.nan
    error = np.where(np.isfinite(change), error, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        p_value = two_sided_p(change / error, t_df)
    tests = int(np.isfinite(p_value).sum())
    level = smallest_level(tests, limits.report_level, limits.case_level)
    reach = critical(level, t_df)
    return SideChanges(
        change=change,
        error=error,
        p_value=p_value,
        band=np.maximum(reach * error, limits.min_effect),
        detectable=np.maximum(detectable_effect(reach, error), limits.min_effect),
        is_shown=shown(p_value, limits.report_level, limits.case_level),
        n_old=n_old,
        n_new=n_new,
        scatter=scatter,
        within_run=(within >= step) & (within >= np.nan_to_num(scatter.sigma)) & (within > 0),
        by_step=(step > within) & (step >= np.nan_to_num(scatter.sigma)),
        t_df=t_df,
        tests=tests,
    )


def detectable_effect(reach: Floats, error: Floats | float) -> Floats:
    """Smallest effect found in at least 80 % of cases, in the unit of `error`, its standard error.

    `reach` is the half-width of the band in standard errors. A change has to clear the band by
    `POWER_REACH` more; the smallest change that is called one at all is the caller's to apply.
    """
    return np.asarray((reach + POWER_REACH) * error)


def run_share(n: NDArray[np.int64]) -> Floats:
    """Variance of the median of `n` runs over that of one run; infinite for none."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(n > 2, MEDIAN_COST, 1.0) / n)


def _floors(side: SideRuns) -> tuple[Floats, Floats]:
    """Scatter that the samples inside a run, and the step of the clock, make by themselves."""
    with np.errstate(divide="ignore", invalid="ignore"):
        within = row_median(WITHIN_RUN * side.spread / np.sqrt(side.samples))
    step = row_median(side.step) / np.sqrt(12)
    return np.nan_to_num(within), np.nan_to_num(step)
