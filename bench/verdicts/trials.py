"""Trials: draw old and new runs of the same code, slow some ports down, count what is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from bench.verdicts.material import Material
from bench.verdicts.rules import RULES
from kreport.model import CaseKey, Verdict
from kreport.verdicts import Inputs, Question, compare_runs

KREPORT = "kreport"
UNCONFIRMED = "kreport, unconfirmed counted"
EFFECTS_PCT = (8, 16)
SIGNS = {Verdict.SLOWER: 1, Verdict.FASTER: -1}


@dataclass(slots=True)
class Score:
    """What one rule did on one clock: changes called on same code, slowdowns found."""

    tests: int = 0
    alarms: int = 0
    slowed: dict[int, int] = field(default_factory=lambda: dict.fromkeys(EFFECTS_PCT, 0))
    found: dict[int, int] = field(default_factory=lambda: dict.fromkeys(EFFECTS_PCT, 0))
    at_printed: list[bool] = field(default_factory=list)

    @property
    def alarm_pct(self) -> float:
        return 100 * self.alarms / max(self.tests, 1)

    def found_pct(self, effect: int) -> float:
        return 100 * self.found[effect] / max(self.slowed[effect], 1)


Scores = dict[tuple[str, str], Score]
"""By rule and clock."""


def draws(
    material: Material, old: int, count: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Old runs, and one new run that is not among them."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        order = generator.permutation(len(material.runs))
        yield np.sort(order[:old]), order[old : old + 1]


def run_trials(material: Material, old: int, count: int, seed: int = 7) -> Scores:
    """Score every rule. A random half of the ports is slowed in each trial; the rest is left."""
    scores: Scores = {}
    generator = np.random.default_rng(seed)
    for old_runs, new_runs in draws(material, old, count, seed):
        slowed = {key for key in material.keys if generator.random() < 0.5}
        for rule, signs in _signs(material, old_runs, new_runs, {}).items():
            _count(scores, rule, signs)
        for effect in EFFECTS_PCT:
            factors = dict.fromkeys(slowed, 1 + effect / 100)
            for rule, signs in _signs(material, old_runs, new_runs, factors).items():
                for key in slowed & signs.keys():
                    score = scores.setdefault((rule, key.timer), Score())
                    score.slowed[effect] += 1
                    score.found[effect] += signs[key] > 0
        _at_printed(material, old_runs, new_runs, slowed, scores)
    return scores


def _count(scores: Scores, rule: str, signs: dict[CaseKey, int]) -> None:
    for key, sign in signs.items():
        score = scores.setdefault((rule, key.timer), Score())
        score.tests += 1
        score.alarms += sign != 0


def _signs(
    material: Material, old: np.ndarray, new: np.ndarray, factors: dict[CaseKey, float]
) -> dict[str, dict[CaseKey, int]]:
    """What each rule says of every case, +1 slower, -1 faster."""
    found: dict[str, dict[CaseKey, int]] = {name: {} for name in RULES}
    for key in material.keys:
        sides = [
            [material.samples[key, run] for run in runs.tolist() if (key, run) in material.samples]
            for runs in (old, new)
        ]
        if sides[0] and sides[1]:
            slowed = [samples * factors.get(key, 1.0) for samples in sides[1]]
            for name, rule in RULES.items():
                found[name][key] = rule(sides[0], slowed)
    found[KREPORT], found[UNCONFIRMED] = {}, {}
    for case in _compared(material, old, new, factors).cases:
        if case.verdict is not None:
            sign = SIGNS.get(case.verdict, 0)
            found[UNCONFIRMED][case.key] = sign
            found[KREPORT][case.key] = sign * case.confirmed
    return found


def _compared(material: Material, old: np.ndarray, new: np.ndarray, factors: dict[CaseKey, float]):
    return compare_runs(Inputs(material.part(old), material.part(new, factors)), Question())


def _at_printed(
    material: Material, old: np.ndarray, new: np.ndarray, slowed: set[CaseKey], scores: Scores
) -> None:
    """Slow each case of the chosen half by exactly what kreport says that it would see."""
    printed = {
        case.key: 1 + case.pto.detectable_pct / 100
        for case in _compared(material, old, new, {}).cases
        if case.key in slowed and np.isfinite(case.pto.detectable_pct)
    }
    if not printed:
        return
    for case in _compared(material, old, new, printed).cases:
        if case.key in printed:
            score = scores.setdefault((KREPORT, case.key.timer), Score())
            score.at_printed.append(case.verdict is Verdict.SLOWER)
