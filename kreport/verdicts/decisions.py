"""The only place where a verdict is decided: one side of all cases of one clock at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kreport.choices import Method
from kreport.model import BandSource, Verdict
from kreport.noise import NEW, OLD, PAST
from kreport.noise.multiplicity import shown
from kreport.noise.runs import row_count, row_median
from kreport.verdicts.intervals import intervals_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.noise import NoiseLimits, RunShift, SideChanges
    from kreport.verdicts.cells import SideCells

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


VERDICTS = (Verdict.WITHIN_NOISE, Verdict.FASTER, Verdict.SLOWER, Verdict.CANNOT_TELL)
WITHIN, FASTER, SLOWER, CANNOT_TELL = range(4)
NO_VERDICT = -1
SOURCES = tuple(BandSource)
FEWEST_EARLIER = 8
"""Earlier runs of a case from which a single new run beside a single old one is judged for sure."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What the verdicts of one side rest on. Log units; `effect` is what the user cares about."""

    cells: SideCells
    group: NDArray[np.int8]
    changes: SideChanges
    shift: RunShift
    comparable: Bools
    limits: NoiseLimits
    effect: float

    @property
    def log_median(self) -> tuple[Floats, Floats]:
        """Log of the median of run medians, old and new."""
        logs = np.log(self.cells.median_ms)
        return row_median(logs[:, self.group == OLD]), row_median(logs[:, self.group == NEW])

    @property
    def shift_between(self) -> Floats:
        """Shift of whole runs between the groups, at each case's latency; 0 where none."""
        at = self.shift.at(row_median(np.log(self.cells.median_ms)))
        return row_median(at[:, self.group == NEW]) - row_median(at[:, self.group == OLD])


@dataclass(frozen=True, slots=True)
class Decisions:
    """Verdicts of one side. Arrays over cases; effects in log units, NaN where unknown.

    `verdict` is a position in `VERDICTS`, `NO_VERDICT` where nothing can be compared. `change` is
    of the medians as they stand, `corrected` without what moved whole runs. `band` is the
    half-width of the noise band, `source` a position in `SOURCES` with `source_n` (0: not known).
    `confirmed` says that the verdict rests on what runs do, not on the samples of one.
    """

    verdict: NDArray[np.int8]
    confirmed: Bools
    change: Floats
    corrected: Floats
    band: Floats
    detectable: Floats
    p_value: Floats
    source: NDArray[np.int8]
    source_n: NDArray[np.int64]

    @property
    def changed(self) -> Bools:
        """Whether the side is shown to be faster or slower."""
        return np.asarray((self.verdict == FASTER) | (self.verdict == SLOWER))


def decide(basis: Basis, method: Method, test: tuple[Floats, Bools] | None = None) -> Decisions:
    """Decide every case of one side by `method`.

    `test` has the p values for those methods that test, and which of them rest on runs.
    """
    if method is Method.IQR:
        decided = _by_intervals(basis, plain=True)
    elif test is not None:
        decided = _by_test(basis, *test)
    else:
        decided = _by_runs(basis)
        if method is Method.AUTO:
            single = np.isnan(basis.changes.p_value)
            decided = _merged(single, _by_intervals(basis, plain=False), decided)
    verdict = np.where(basis.comparable, decided.verdict, NO_VERDICT).astype(np.int8)
    return replace(decided, verdict=verdict)


def _by_runs(basis: Basis) -> Decisions:
    """Run-level evidence: Holm over the report, then the smallest change worth the name."""
    found = basis.changes
    old, new = basis.log_median
    change = new - old
    corrected = change - basis.shift_between
    with np.errstate(invalid="ignore"):
        real = found.is_shown & _is_worth_naming(basis, corrected)
        real &= np.sign(found.change) == np.sign(corrected)
        blind = ~(found.detectable <= basis.effect)
    verdict = np.where(real, _direction(corrected), np.where(blind, CANNOT_TELL, WITHIN))
    source, n = _run_source(basis)
    return Decisions(
        verdict=verdict.astype(np.int8),
        confirmed=_is_confirmed(basis),
        change=change,
        corrected=corrected,
        band=found.band,
        detectable=found.detectable,
        p_value=found.p_value,
        source=source,
        source_n=n,
    )


def _is_confirmed(basis: Basis) -> Bools:
    """Whether runs enough say how far a case scatters.

    A run on each side stands on the earlier ones alone, and few of these are often one session on
    one machine, which is quieter than the next session will be.
    """
    found = basis.changes
    earlier = row_count(basis.cells.median_ms[:, basis.group == PAST])
    several = (found.n_old > 1) | (found.n_new > 1)
    return np.isfinite(found.p_value) & (several | (earlier >= FEWEST_EARLIER))


def _by_intervals(basis: Basis, *, plain: bool) -> Decisions:
    """The rule of disjoint quartiles; `plain` is the rule and nothing else.

    Else a drift of the whole run is taken out first, a change has to be worth the name, and where
    the intervals are wider than the effect that the user cares about, silence is `cannot tell`.
    """
    old, new = basis.log_median
    change = new - old
    shift = np.zeros_like(change) if plain else basis.shift_between
    corrected = change - shift
    intervals = intervals_of(basis.cells, basis.group)
    direction = intervals.direction(shift)
    reach = intervals.reach(old, new, direction)
    apart = np.where(direction > 0, SLOWER, np.where(direction < 0, FASTER, WITHIN))
    if plain:
        known = intervals.known & ~intervals.ranged
        verdict = np.where(known, apart, CANNOT_TELL)
    else:
        known = intervals.known
        with np.errstate(invalid="ignore"):
            real = (direction != 0) & _is_worth_naming(basis, corrected)
            blind = ~(np.maximum(reach, basis.limits.min_effect) <= basis.effect)
        verdict = np.where(real, apart, np.where(blind, CANNOT_TELL, WITHIN))
    unknown = np.full(change.shape, np.nan)
    source, n = _sample_source(basis, known, intervals.ranged)
    return Decisions(
        verdict=verdict.astype(np.int8),
        confirmed=np.zeros(change.shape, dtype=bool),
        change=change,
        corrected=corrected,
        band=np.where(known, reach, np.nan),
        detectable=unknown,
        p_value=unknown,
        source=source,
        source_n=n,
    )


def _by_test(basis: Basis, p_value: Floats, from_runs: Bools) -> Decisions:
    """A two-sample test of the user's choice, with Holm over the report."""
    runs = _by_runs(basis)
    found = shown(
        np.where(basis.comparable, p_value, np.nan),
        basis.limits.report_level,
        basis.limits.report_level,
    )
    real = found & _is_worth_naming(basis, runs.change)
    verdict = np.where(real, _direction(runs.change), WITHIN)
    verdict = np.where(np.isnan(p_value), CANNOT_TELL, verdict)
    source, n = _sample_source(basis, np.isfinite(p_value), np.zeros(p_value.shape, dtype=bool))
    unknown = np.full(p_value.shape, np.nan)
    return replace(
        runs,
        verdict=verdict.astype(np.int8),
        confirmed=from_runs,
        corrected=runs.change,
        p_value=p_value,
        band=np.where(from_runs, runs.band, unknown),
        detectable=np.where(from_runs, runs.detectable, unknown),
        source=np.where(from_runs, runs.source, source).astype(np.int8),
        source_n=np.where(from_runs, runs.source_n, n),
    )


def _is_worth_naming(basis: Basis, change: Floats) -> Bools:
    """Whether a change exceeds the minimum effect and one step of the clock."""
    steps = basis.cells.numbers["resolution_ms"]
    old, new = basis.log_median
    with np.errstate(invalid="ignore"):
        moved_ms = np.abs(np.exp(old + change) - np.exp(old))
        coarse = moved_ms <= np.nan_to_num(row_median(steps)) * (1 + 1e-9)
        return np.asarray((np.abs(change) >= basis.limits.min_effect) & ~coarse & np.isfinite(new))


def _direction(change: Floats) -> NDArray[np.int64]:
    with np.errstate(invalid="ignore"):
        return np.where(change > 0, SLOWER, FASTER)


def _run_source(basis: Basis) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    found = basis.changes
    past = row_count(basis.cells.median_ms[:, basis.group == PAST])
    counted = found.n_old + found.n_new
    known = np.isfinite(found.p_value)
    at_floor = found.band <= basis.limits.min_effect
    source = np.select(
        [~known, at_floor, found.by_step, found.within_run, past > 0],
        [
            SOURCES.index(BandSource.NONE),
            SOURCES.index(BandSource.MINIMUM_EFFECT),
            SOURCES.index(BandSource.RESOLUTION),
            SOURCES.index(BandSource.SAMPLES),
            SOURCES.index(BandSource.HISTORY),
        ],
        SOURCES.index(BandSource.RUNS),
    )
    samples = np.nan_to_num(row_median(basis.cells.numbers["n"])).astype(np.int64)
    of_runs = np.where(past > 0, past + counted, counted)
    n = np.select([~known | found.by_step, found.within_run], [0, samples], of_runs)
    return source.astype(np.int8), n


def _sample_source(
    basis: Basis, known: Bools, ranged: Bools
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """What a verdict from within runs rests on, with the smaller count of samples."""
    samples = [
        row_median(basis.cells.numbers["n"][:, basis.group == group]) for group in (OLD, NEW)
    ]
    n = np.nan_to_num(np.minimum(*samples)).astype(np.int64)
    source = np.select(
        [~known, ranged, n > 0],
        [
            SOURCES.index(BandSource.NONE),
            SOURCES.index(BandSource.MIN_MAX),
            SOURCES.index(BandSource.SAMPLES),
        ],
        SOURCES.index(BandSource.QUARTILES),
    )
    return source.astype(np.int8), np.where(known, n, 0)


def _merged(first: Bools, one: Decisions, other: Decisions) -> Decisions:
    """Take the cases marked in `first` from `one`, the rest from `other`."""
    names = Decisions.__slots__
    return Decisions(
        **{name: np.where(first, getattr(one, name), getattr(other, name)) for name in names}
    )
