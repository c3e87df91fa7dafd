"""What would make the smallest change that can be seen smaller."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kreport.noise.model import MOST_DF, detectable_effect, run_share
from kreport.noise.multiplicity import smallest_level
from kreport.noise.student import critical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.model import CaseKey
    from kreport.noise import NoiseLimits, SideChanges

    Floats = NDArray[np.float64]

MOST_RUNS = 50
"""More runs than this are no advice."""


def more_runs(found: SideChanges, limits: NoiseLimits, effect: float) -> NDArray[np.int64]:
    """How many more new runs would bring the detectable effect down to `effect` (log units).

    0 where it is there already, where `MOST_RUNS` would not do, or where nothing is known of the
    scatter. The scatter itself is taken as it is known now.
    """
    needed = np.zeros(found.change.shape, dtype=np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        sigma = found.error / np.sqrt(run_share(found.n_old) + run_share(found.n_new))
        open_cases = found.detectable > effect
    level = smallest_level(found.tests, limits.report_level, limits.case_level)
    for extra in range(1, MOST_RUNS + 1):
        if not open_cases.any():
            break
        error = sigma * np.sqrt(run_share(found.n_old) + run_share(found.n_new + extra))
        df = np.minimum(found.t_df + extra, MOST_DF)
        detectable = detectable_effect(critical(level, df), error)
        with np.errstate(invalid="ignore"):
            reached = open_cases & (detectable <= effect)
        needed[reached] = extra
        open_cases &= ~reached
    return needed


def quieter_clock(keys: tuple[CaseKey, ...], detectable: Floats) -> list[int]:
    """For each case the number of the same case on the clock that sees the most; -1 if its own."""
    if len({key.timer for key in keys}) < 2:
        return [-1] * len(keys)
    best: dict[CaseKey, int] = {}
    for number, key in enumerate(keys):
        if not np.isfinite(detectable[number]):
            continue
        bare = replace(key, timer="")
        if bare not in best or detectable[number] < detectable[best[bare]]:
            best[bare] = number
    chosen = (best.get(replace(key, timer=""), -1) for key in keys)
    return [-1 if other == number else other for number, other in enumerate(chosen)]
