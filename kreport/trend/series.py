"""What every case did over its runs: levels, changes and who moved, creeps, blocked runs.

A change of one side is a fact about that side's clock readings. Whether it is the port, the vendor
library or the machine shows in what moved with it: the other side of the case, or most baselines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from kreport.archive.history import WORDS, History
from kreport.choices import MIN_EFFECT_PCT
from kreport.model import CaseKey, Moved, Side, Status
from kreport.trend.changepoints import ChangePoint, Course, courses, stretches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MACHINE_SHARE = 0.5
"""Share of the baselines that move together which makes it the machine, not the cases."""
MACHINE_CASES = 4


class Metric(StrEnum):
    """The three series of a case."""

    RATIO = "ratio_pct"
    BASELINE = "baseline_ms"
    PTO = "pto_ms"


@dataclass(frozen=True, slots=True)
class Level:
    """Where a series stands now: median and quartiles of its last stretch, `n` runs since `since`.

    `since` is a position in `History.runs`.
    """

    median: float
    q1: float
    q3: float
    n: int
    since: int


@dataclass(frozen=True, slots=True)
class Series:
    """One metric of one case. `runs` are the positions in `History.runs` that have a value."""

    metric: Metric
    runs: tuple[int, ...]
    values: Floats
    course: Course
    moved: tuple[Moved, ...]
    """What moved at each change point; `Moved.NONE` where only one side was measured."""
    level: Level | None
    """None where there is no value at all."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Runs in which a side could not run; positions in `History.runs`."""

    first: int
    last: int
    runs: int
    of_runs: int
    """Runs that say of this side whether it ran."""
    is_now: bool
    """Whether the newest run that knows the case is one of them."""


@dataclass(frozen=True, slots=True)
class CaseTrend:
    """Everything a history says about one case."""

    key: CaseKey
    series: Mapping[Metric, Series]
    blocked: Mapping[Side, Blocked]

    @property
    def newest_change(self) -> int:
        """Position of the newest change of any series; -1 where nothing ever changed."""
        found = [
            series.runs[point.index]
            for series in self.series.values()
            for point in series.course.change_points
        ]
        return max(found, default=-1)


@dataclass(frozen=True, slots=True)
class Trend:
    """The trends of some cases of a history."""

    history: History
    cases: tuple[CaseTrend, ...]


def trend_of(
    history: History, kernel: str = "", *, min_effect_pct: float = MIN_EFFECT_PCT
) -> Trend:
    """The trend of every case of `kernel`, or of all cases where it is "".

    Changes below `min_effect_pct` are left out. The machine is judged by all baselines of the
    history, also when only one kernel is asked for.
    """
    tables = {
        Metric.RATIO: history.ratio_pct,
        Metric.BASELINE: history.medians["baseline_ms"],
        Metric.PTO: history.medians["pto_ms"],
    }
    wanted = [i for i, key in enumerate(history.cases) if kernel in ("", key.kernel)]
    every = range(len(history.cases))
    raw = {
        metric: _raw_series(table, every if metric is Metric.BASELINE else wanted, min_effect_pct)
        for metric, table in tables.items()
    }
    machine = _machine_moves(raw[Metric.BASELINE].values(), len(history.runs))
    return Trend(history, tuple(_case_trend(history, i, raw, machine) for i in wanted))


@dataclass(frozen=True, slots=True)
class _Raw:
    """A series before anybody asked who moved."""

    runs: NDArray[np.intp]
    values: Floats
    course: Course

    def ranges(self) -> list[tuple[int, int, bool]]:
        """Per change point: earliest and latest run of the new level, and whether it is slower."""
        return [(*_range(self.runs, p), p.after > p.before) for p in self.course.change_points]


def _range(runs: NDArray[np.intp], point: ChangePoint) -> tuple[int, int]:
    """The runs between which the change lies: from the one after the last sure old one."""
    first = int(runs[point.earliest - 1]) + 1 if point.earliest > 0 else 0
    return first, int(runs[point.latest])


def _raw_series(table: Floats, cases: Sequence[int], min_effect_pct: float) -> dict[int, _Raw]:
    rows = table[list(cases)]
    found = courses(rows, min_effect_pct=min_effect_pct)
    runs = [np.flatnonzero(np.isfinite(row)) for row in rows]
    return {
        case: _Raw(known, row[known], own)
        for case, row, known, own in zip(cases, rows, runs, found, strict=True)
    }


def _machine_moves(baselines: Iterable[_Raw], runs: int) -> Floats:
    """Per run, the net share of baselines that may have moved there: +1 if all got slower."""
    moved, known = np.zeros(runs), np.zeros(runs)
    for raw in baselines:
        if raw.runs.size:
            known[raw.runs[0] : raw.runs[-1] + 1] += 1
        for first, last, slower in raw.ranges():
            moved[first : last + 1] += 1 if slower else -1
    known[known < MACHINE_CASES] = np.inf
    return moved / known


def _case_trend(
    history: History, case: int, raw: Mapping[Metric, Mapping[int, _Raw]], machine: Floats
) -> CaseTrend:
    own = {metric: raw[metric][case] for metric in Metric}
    series = {metric: _series(metric, own, machine) for metric in Metric}
    blocked = {side: found for side in Side if (found := _blocked(history, case, side))}
    return CaseTrend(history.cases[case], series, blocked)


def _series(metric: Metric, raw: Mapping[Metric, _Raw], machine: Floats) -> Series:
    own = raw[metric]
    return Series(
        metric,
        tuple(own.runs.tolist()),
        own.values,
        own.course,
        tuple(_moved(metric, found, raw, machine) for found in own.ranges()),
        _level(own),
    )


def _moved(
    metric: Metric, at: tuple[int, int, bool], raw: Mapping[Metric, _Raw], machine: Floats
) -> Moved:
    """What moved with a change that lies between two runs."""
    first, last, slower = at
    share = machine[first : last + 1]
    if share.size and metric is not Metric.RATIO:
        largest = share.max() if slower else -share.min()
        if largest >= MACHINE_SHARE:
            return Moved.RUN
    baseline = metric is Metric.BASELINE or _has_change_in(raw[Metric.BASELINE], first, last)
    pto = metric is Metric.PTO or _has_change_in(raw[Metric.PTO], first, last)
    if baseline and pto:
        return Moved.BOTH
    return Moved.BASELINE if baseline else Moved.PTO if pto else Moved.NONE


def _has_change_in(raw: _Raw, first: int, last: int) -> bool:
    return any(low <= last and first <= high for low, high, _ in raw.ranges())


def _level(raw: _Raw) -> Level | None:
    if not raw.values.size:
        return None
    part = list(stretches(raw.course, raw.values.size))[-1]
    q1, median, q3 = (float(q) for q in np.quantile(raw.values[part], (0.25, 0.5, 0.75)))
    return Level(median, q1, q3, int(raw.values[part].size), int(raw.runs[part.start]))


def _blocked(history: History, case: int, side: Side) -> Blocked | None:
    codes = history.codes[f"{side}_status"][case]
    known = WORDS[f"{side}_status"]
    at = np.flatnonzero(codes == known.index(Status.BLOCKED))
    if not at.size:
        return None
    told = np.flatnonzero(np.isin(codes, [known.index(s) for s in (Status.OK, Status.BLOCKED)]))
    return Blocked(int(at[0]), int(at[-1]), int(at.size), int(told.size), bool(at[-1] == told[-1]))


def newest_first(cases: Sequence[CaseTrend]) -> tuple[CaseTrend, ...]:
    """Cases with the newest change first; those that never changed last, in their own order."""
    return tuple(sorted(cases, key=lambda case: -case.newest_change))
