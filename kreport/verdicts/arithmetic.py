"""The arithmetic of a verdict, number by number, so that a reader can do it again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.model import Side
from kreport.noise.model import POWER_REACH, run_share
from kreport.noise.multiplicity import smallest_level
from kreport.stats import log_as_pct

if TYPE_CHECKING:
    from kreport.model import CaseKey
    from kreport.noise import NoiseLimits
    from kreport.verdicts.assembly import Clock
    from kreport.verdicts.comparison import Inputs, Question


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How a port's verdict came about from runs. Percent of the old latency, NaN where unknown.

    ``change_pct`` is corrected for what moved whole runs (``shift_pct``). ``error_pct`` is
    ``sigma_pct`` times the root of both groups' shares; ``band_pct`` is ``reach`` errors (Student's
    t at ``level`` with ``t_df`` degrees of freedom), ``detectable_pct`` is ``power_reach`` more.
    ``own_pct`` is what the case's own runs scatter (``df`` degrees of freedom), ``trend_pct`` what
    cases of its latency do.
    """

    change_pct: float
    shift_pct: float
    own_pct: float
    df: int
    trend_pct: float
    sigma_pct: float
    error_pct: float
    level: float
    t_df: float
    reach: float
    band_pct: float
    power_reach: float
    detectable_pct: float
    p_value: float
    tests: int
    n_old: int
    n_new: int


def arithmetic(inputs: Inputs, question: Question, kernel: str) -> dict[CaseKey, Arithmetic]:
    """The arithmetic of every case of a kernel that was compared by its runs."""
    from kreport.verdicts.comparison import decided

    pairing, clocks = decided(inputs, question)
    found = {}
    for clock in clocks:
        for at, case in enumerate(clock.members.tolist()):
            if pairing.keys[case].kernel == kernel:
                found[pairing.keys[case]] = arithmetic_of(clock, at, question.limits)
    return {key: numbers for key, numbers in found.items() if math.isfinite(numbers.p_value)}


def arithmetic_of(clock: Clock, at: int, limits: NoiseLimits) -> Arithmetic:
    """Lay out the numbers behind the port of the case at this place of a decided clock."""
    found, decided = clock.changes.pto, clock.decisions[Side.PTO]
    share = float(run_share(found.n_old[at : at + 1])[0] + run_share(found.n_new[at : at + 1])[0])
    error = float(found.error[at])
    return Arithmetic(
        change_pct=log_as_pct(float(found.change[at])),
        shift_pct=log_as_pct(float(decided.change[at] - decided.corrected[at])),
        own_pct=log_as_pct(float(found.scatter.own[at])),
        df=int(found.scatter.df[at]),
        trend_pct=log_as_pct(float(found.scatter.trend[at])),
        sigma_pct=log_as_pct(error / math.sqrt(share)) if math.isfinite(share) else math.nan,
        error_pct=log_as_pct(error),
        level=smallest_level(found.tests, limits.report_level, limits.case_level),
        t_df=float(found.t_df[at]),
        reach=float(found.band[at]) / error if error > 0 else math.nan,
        band_pct=log_as_pct(float(found.band[at])),
        power_reach=POWER_REACH,
        detectable_pct=log_as_pct(float(found.detectable[at])),
        p_value=float(found.p_value[at]),
        tests=found.tests,
        n_old=int(found.n_old[at]),
        n_new=int(found.n_new[at]),
    )
