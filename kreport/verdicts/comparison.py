"""Compares two sets of runs: pairs cases, decides clock by clock, and puts the report together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kreport.choices import EFFECT_PCT, MIN_EFFECT_PCT, Method
from kreport.model import Side
from kreport.noise import NEW, OLD, NoiseLimits, changes_of
from kreport.verdicts.advice import more_runs, quieter_clock
from kreport.verdicts.assembly import Clock, case_diffs
from kreport.verdicts.cells import cells_of
from kreport.verdicts.classes import class_changes
from kreport.verdicts.clocks import clock_diff
from kreport.verdicts.decisions import Basis, decide
from kreport.verdicts.pairing import pair
from kreport.verdicts.results import DiffReport
from kreport.verdicts.states import state_of
from kreport.verdicts.two_sample import p_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.archive.history import History
    from kreport.classify import TierBounds
    from kreport.model import StateMatrix
    from kreport.schema import RunTable
    from kreport.settings import Settings
    from kreport.verdicts.cells import Cells
    from kreport.verdicts.pairing import Pairing


@dataclass(frozen=True, slots=True)
class Question:
    """How to compare: the method, and the effects in percent."""

    method: Method = Method.AUTO
    effect_pct: float = EFFECT_PCT
    min_effect_pct: float = MIN_EFFECT_PCT

    @classmethod
    def of(cls, settings: Settings) -> Question:
        """What the settings of a command ask."""
        return cls(Method(settings.method), settings.effect_pct, settings.min_effect_pct)

    @property
    def limits(self) -> NoiseLimits:
        """The thresholds of the noise model."""
        return NoiseLimits.of(self.min_effect_pct)

    @property
    def effect(self) -> float:
        """The effect that the user cares about, in log units."""
        return float(np.log1p(self.effect_pct / 100))


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is compared. `history` teaches how far medians scatter; `matrix` classes kernels."""

    old: RunTable
    new: RunTable
    history: History | None = None
    history_name: str = ""
    matrix: StateMatrix | None = None
    bounds: TierBounds | None = None


def compare_runs(inputs: Inputs, question: Question) -> DiffReport:
    """Compare the old runs with the new ones.

    Every clock is compared within itself, and all clocks always are: what an output leaves out
    never changes a verdict.
    """
    pairing, clocks = decided(inputs, question)
    detectable = np.full(len(pairing.keys), np.nan)
    for clock in clocks:
        detectable[clock.members] = clock.decisions[Side.PTO].detectable
    quieter = quieter_clock(pairing.keys, detectable)
    cases = case_diffs(clocks, pairing, quieter, detectable, (inputs.old, inputs.new))
    old_only, new_only = _lone_clocks(pairing)
    return DiffReport(
        old_sources=inputs.old.sources,
        new_sources=inputs.new.sources,
        history=inputs.history_name if inputs.history is not None else "",
        method=question.method,
        effect_pct=question.effect_pct,
        cases=cases,
        clocks=tuple(clock_diff(clock) for clock in clocks),
        class_changes=class_changes(inputs.old, inputs.new, inputs.matrix, inputs.bounds),
        relaxation=pairing.relaxation,
        problems=(*inputs.old.problems, *inputs.new.problems),
        clocks_old_only=old_only,
        clocks_new_only=new_only,
    )


def decided(inputs: Inputs, question: Question) -> tuple[Pairing, list[Clock]]:
    """Pair the cases, and decide every clock, as arrays."""
    pairing = pair(inputs.old.frame, inputs.new.frame)
    cells = cells_of(inputs.old, inputs.new, pairing, inputs.history)
    timers = np.array([key.timer for key in pairing.keys], dtype=object)
    return pairing, [
        _clock(str(timer), timers == timer, cells, inputs, question)
        for timer in sorted(set(timers.tolist()))
    ]


def _clock(
    timer: str, members: NDArray[np.bool_], cells: Cells, inputs: Inputs, question: Question
) -> Clock:
    """Decide both sides of all cases of one clock."""
    part = cells.part(members)
    changes = changes_of(part.case_runs(), question.limits)
    states = {
        (side, group): state_of(part.sides[side], part.group == group, is_yardstick=group == OLD)
        for side in Side
        for group in (OLD, NEW)
    }
    decisions = {}
    for side, found in ((Side.BASELINE, changes.baseline), (Side.PTO, changes.pto)):
        basis = Basis(
            cells=part.sides[side],
            group=part.group,
            changes=found,
            shift=changes.shift,
            comparable=states[side, OLD].comparable & states[side, NEW].comparable,
            limits=question.limits,
            effect=question.effect,
        )
        test = None
        if question.method.tests_samples:
            test = p_values(part, side, question.method, inputs.old, inputs.new)
        decisions[side] = decide(basis, question.method, test)
    return Clock(
        timer=timer,
        members=np.flatnonzero(members),
        cells=part,
        states=states,
        decisions=decisions,
        changes=changes,
        more_runs=more_runs(changes.pto, question.limits, question.effect),
    )


def _lone_clocks(pairing: Pairing) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Clocks that only the old, and only the new runs were measured on."""
    timers = np.array([key.timer for key in pairing.keys], dtype=object)
    old, new = (set(timers[pairing.present(rows)].tolist()) for rows in (pairing.old, pairing.new))
    return tuple(sorted(old - new)), tuple(sorted(new - old))
