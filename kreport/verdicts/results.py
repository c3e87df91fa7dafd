"""What a comparison of two sets of runs says, before any of it is text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.model import Correctness, Status, Transition, Verdict, source_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreport.choices import Method
    from kreport.classify import Classification
    from kreport.model import BandSource, CaseKey, Moved, Notice
    from kreport.problems import Problem
    from kreport.schema import Source
    from kreport.verdicts.pairing import Relaxation


@dataclass(frozen=True, slots=True)
class GroupSide:
    """One side of a case over the old or the new runs. Milliseconds, NaN = no measurement.

    `status` is None where no run of the group has the case. `mixed`: it ran in some runs only.
    """

    status: Status | None
    correct: Correctness
    median_ms: float
    q1_ms: float
    q3_ms: float
    runs: int
    samples: int
    """In all runs together; 0 where the input does not say."""
    mixed: bool


@dataclass(frozen=True, slots=True)
class SideDiff:
    """One side of a case: what it was, what it is, what can be said of the difference.

    Percentages are of the old latency, positive = slower, NaN where unknown. `change_pct` is of
    the medians as they stand, `corrected_pct` without what moved whole runs; `band_pct` is how far
    noise alone moves it, `detectable_pct` the smallest slowdown that would have been seen.
    """

    old: GroupSide
    new: GroupSide
    transitions: tuple[Transition, ...]
    verdict: Verdict | None
    confirmed: bool
    change_pct: float
    corrected_pct: float
    band_pct: float
    detectable_pct: float
    p_value: float
    source: BandSource
    source_n: int
    """How many runs or samples `source` counts; 0 where it does not say."""

    @property
    def changed(self) -> bool:
        """Whether it is shown to be faster or slower."""
        return self.verdict in (Verdict.FASTER, Verdict.SLOWER)

    @property
    def source_label(self) -> str:
        """What the band rests on: ``runs n=12``; "" where the side was not compared."""
        return "" if self.verdict is None else source_label(self.source, self.source_n or None)


@dataclass(frozen=True, slots=True)
class Advice:
    """What would let a smaller change be seen. Zero and "" where nothing of the kind helps.

    `more_runs` new runs of the same kind bring the detectable effect down to the one that the
    user cares about; `clock` already sees `clock_pct` for this case in the same files.
    """

    more_runs: int = 0
    clock: str = ""
    clock_pct: float = math.nan


@dataclass(frozen=True, slots=True)
class CaseDiff:
    """One case, old against new. `verdict` is about the port; None where a transition says it all.

    Ratios are Baseline / PTO in percent. `renamed` is the case of the other set of runs that this
    one probably is; None where there is no such hint.
    """

    key: CaseKey
    transitions: tuple[Transition, ...]
    verdict: Verdict | None
    confirmed: bool
    moved: Moved
    baseline: SideDiff
    pto: SideDiff
    old_ratio_pct: float
    new_ratio_pct: float
    advice: Advice
    notices: tuple[Notice, ...]
    old_reason: str = ""
    new_reason: str = ""
    renamed: CaseKey | None = None

    @property
    def is_matched(self) -> bool:
        """Whether both sets of runs have the case."""
        return not {Transition.ADDED, Transition.REMOVED} & set(self.transitions)

    @property
    def is_unconfirmed(self) -> bool:
        """Whether the port is shown to be faster or slower, but not by what another run repeats."""
        return self.pto.changed and not self.confirmed

    @property
    def outcome(self) -> str:
        """``newly blocked``, ``slower``, ``unconfirmed slower``: plain words for programs."""
        if self.transitions:
            return self.transitions[0].value
        if self.verdict is None:
            return ""
        return f"unconfirmed {self.verdict}" if self.is_unconfirmed else self.verdict.value


_UNIT_REACH = 0.3
"""Log units by which a drift may miss a power of a thousand and still be one, drift included."""


@dataclass(frozen=True, slots=True)
class ClockDiff:
    """One clock: what moved whole runs, and the summary over its matched cases.

    `drift_pct` is the drift of the new runs as read off `baselines` baselines, NaN where too few
    tell; `is_drift` says that it is real and was taken out of every verdict, `baselines_alone`
    that the baselines moved together and the ports did not. `pto_geomean` is new / old PTO
    latency over `pairs` of `matched` cases; `ratio_old_pct` and `ratio_new_pct` are geometric means
    over the `ratio_pairs` cases that have a ratio in both.
    """

    timer: str
    old_runs: int
    new_runs: int
    past_runs: int
    drift_pct: float
    is_drift: bool
    baselines_alone: bool
    baselines: int
    matched: int
    pairs: int
    pto_geomean: float
    ratio_pairs: int
    ratio_old_pct: float
    ratio_new_pct: float
    tests: int

    @property
    def unit_factor(self) -> float:
        """The power of a thousand that a drift is; 1 where it is none.

        No machine becomes a thousand times as slow with every kernel alike: the unit is another.
        """
        factor = 1 + self.drift_pct / 100
        if not self.is_drift or not 0 < factor < math.inf:
            return 1.0
        thousands = math.log(factor) / math.log(1000)
        near = round(thousands)
        return 1000.0**near if abs(thousands - near) * math.log(1000) < _UNIT_REACH else 1.0


@dataclass(frozen=True, slots=True)
class ClassChange:
    """A kernel whose class is another one now, with the rules that decided both."""

    family: str
    kernel: str
    old: Classification
    new: Classification


@dataclass(frozen=True, slots=True)
class DiffReport:
    """Everything that is to be said about two sets of runs. `cases` are ordered by key."""

    old_sources: tuple[Source, ...]
    new_sources: tuple[Source, ...]
    history: str
    method: Method
    effect_pct: float
    cases: tuple[CaseDiff, ...]
    clocks: tuple[ClockDiff, ...]
    class_changes: tuple[ClassChange, ...]
    relaxation: Relaxation
    problems: tuple[Problem, ...]
    clocks_old_only: tuple[str, ...] = ()
    clocks_new_only: tuple[str, ...] = ()

    @property
    def matched(self) -> int:
        """How many cases both sets of runs have."""
        return sum(case.is_matched for case in self.cases)

    @property
    def verdicts(self) -> Mapping[Verdict, int]:
        """How many cases have each verdict."""
        found = dict.fromkeys(Verdict, 0)
        for case in self.cases:
            if case.verdict is not None:
                found[case.verdict] += 1
        return found
