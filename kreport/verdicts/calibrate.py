"""Leave-one-run-out on a team's own runs: what the verdicts of `kreport diff` are worth there.

Every run in turn is compared, as if it were new, with all the others. Where the code did not change
whatever is called a change is a false alarm, so the rate is measured and need not be believed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.choices import EFFECT_PCT, MIN_EFFECT_PCT
from kreport.model import Side
from kreport.noise import NEW, OLD, CaseRuns, NoiseLimits, changes_of
from kreport.noise.runs import row_median
from kreport.stats import log_as_pct
from kreport.trend.changepoints import course
from kreport.trend.levels import newest_level
from kreport.verdicts.cells import cells_of
from kreport.verdicts.pairing import pair

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kreport.model import CaseKey
    from kreport.noise import SideChanges
    from kreport.schema import RunTable
    from kreport.verdicts.cells import Cells

    Floats = NDArray[np.float64]

FEWEST_RUNS = 3
"""Runs of a clock below which leaving one out says nothing."""


@dataclass(frozen=True, slots=True)
class CaseCalibration:
    """How noisy one case's port is. Percent: run-to-run scatter and detectable slowdown."""

    key: CaseKey
    runs: int
    scatter_pct: float
    detectable_pct: float
    alarms: int


@dataclass(frozen=True, slots=True)
class ClockCalibration:
    """One clock. Rates are shares of 1, NaN where nothing was tested.

    `tests` counts pairs of case and left-out run, `alarms` those called faster or slower, on the
    port; `reports` and `reports_alarmed` count left-out runs, and those with any alarm.
    `found_rate` is the share of tests in which a slowdown of the printed detectable effect would
    have been found. `left_out` counts medians set aside because the case changed its level since.
    `cases` are noisiest first.
    """

    timer: str
    runs: int
    tests: int
    alarms: int
    reports: int
    reports_alarmed: int
    found_rate: float
    left_out: int
    effect_pct: float
    sees_effect: int
    cases: tuple[CaseCalibration, ...]

    @property
    def alarm_rate(self) -> float:
        """False alarms a test."""
        return self.alarms / self.tests if self.tests else math.nan


def calibrate(
    table: RunTable, *, effect_pct: float = EFFECT_PCT, min_effect_pct: float = MIN_EFFECT_PCT
) -> tuple[ClockCalibration, ...]:
    """Calibrate every clock that has three runs or more, by name.

    A case whose level changed on the way, by `min_effect_pct` or more, counts with the runs of its
    newest level that has five or more: an older level is other code, not noise.
    """
    pairing = pair(table.frame, table.frame.iloc[:0])
    nothing = type(table)(table.frame.iloc[:0], ())
    cells = cells_of(table, nothing, pairing)
    found = []
    for timer in sorted({key.timer for key in pairing.keys}):
        members = np.array([key.timer == timer for key in pairing.keys])
        keys = [key for key in pairing.keys if key.timer == timer]
        part = _present_runs(cells.part(members))
        if part.group.size >= FEWEST_RUNS:
            found.append(_clock(timer, keys, part, effect_pct, min_effect_pct))
    return tuple(found)


def _present_runs(cells: Cells) -> Cells:
    """The same without runs in which nothing was measured on this clock."""
    known = [np.isfinite(side.median_ms).any(axis=0) for side in cells.sides.values()]
    kept = np.asarray(known[0] | known[1])
    sides = {
        side: type(found)(
            found.status[:, kept],
            found.check[:, kept],
            {name: values[:, kept] for name, values in found.numbers.items()},
        )
        for side, found in cells.sides.items()
    }
    return type(cells)(sides, cells.group[kept], cells.row[:, kept])


def _clock(
    timer: str, keys: list[CaseKey], cells: Cells, effect_pct: float, min_effect_pct: float
) -> ClockCalibration:
    left_out = sum(
        _keep_newest_level(found.numbers, min_effect_pct) for found in cells.sides.values()
    )
    rounds = list(_rounds(cells, NoiseLimits.of(min_effect_pct)))
    shown = np.array([changes.is_shown for changes in rounds])
    tested = np.array([np.isfinite(changes.p_value) for changes in rounds])
    detectable = np.array([changes.detectable for changes in rounds])
    hits = np.array([changes.change + changes.detectable > changes.band for changes in rounds])
    sigma = np.array([changes.scatter.sigma for changes in rounds])
    typical, scatter = row_median(detectable.T), row_median(sigma.T)
    runs = np.isfinite(cells.sides[Side.PTO].median_ms).sum(axis=1)
    cases = [
        CaseCalibration(
            key=key,
            runs=int(runs[at]),
            scatter_pct=log_as_pct(float(scatter[at])),
            detectable_pct=log_as_pct(float(typical[at])),
            alarms=int(shown[:, at].sum()),
        )
        for at, key in enumerate(keys)
        if tested[:, at].any()
    ]
    cases.sort(key=lambda case: -case.detectable_pct)
    return ClockCalibration(
        timer=timer,
        runs=cells.group.size,
        tests=int(tested.sum()),
        alarms=int(shown.sum()),
        reports=int(tested.any(axis=1).sum()),
        reports_alarmed=int(shown.any(axis=1).sum()),
        found_rate=float(hits[tested].mean()) if tested.any() else math.nan,
        left_out=left_out,
        effect_pct=effect_pct,
        sees_effect=sum(case.detectable_pct <= effect_pct for case in cases),
        cases=tuple(cases),
    )


def _rounds(cells: Cells, limits: NoiseLimits) -> Iterator[SideChanges]:
    """Compare the ports of each run with those of all the others."""
    runs = cells.case_runs()
    for out in range(runs.group.size):
        group = np.full(runs.group.size, OLD, dtype=np.int8)
        group[out] = NEW
        yield changes_of(CaseRuns(runs.baseline, runs.pto, group), limits).pto


def _keep_newest_level(numbers: dict[str, Floats], min_effect_pct: float) -> int:
    """Blank the runs of older levels in place; return how many medians that takes out."""
    medians = numbers["median_ms"]
    count = 0
    for case, values in enumerate(medians):
        measured = np.flatnonzero(np.isfinite(values))
        found = course(values[measured], min_effect_pct=min_effect_pct)
        level = newest_level(found, measured.size)
        if level is None:
            continue
        dropped = np.setdiff1d(measured, measured[level])
        count += dropped.size
        for table in numbers.values():
            table[case, dropped] = np.nan
    return count
