"""Alarms against power: what other levels of the noise model would give on the same draws."""

from __future__ import annotations

import numpy as np

from bench.verdicts.material import Material
from bench.verdicts.trials import draws
from kreport.noise import NoiseLimits, changes_of
from kreport.verdicts.cells import cells_of
from kreport.verdicts.pairing import pair

LEVELS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001, 0.0003, 0.0001)


def curve(
    material: Material, clock: str, old: int, count: int, effect_pct: float = 8.0, seed: int = 7
) -> list[tuple[float, float, float]]:
    """For each level of a single test: the level, alarms and slowdowns found, in percent."""
    found = []
    changes = []
    for old_runs, new_runs in draws(material, old, count, seed):
        tables = material.part(old_runs), material.part(new_runs)
        pairing = pair(tables[0].frame, tables[1].frame)
        members = np.array([key.timer == clock for key in pairing.keys])
        runs = cells_of(*tables, pairing).part(members).case_runs()
        changes.append(
            [
                changes_of(runs, NoiseLimits(report_level=1e9, case_level=level)).pto
                for level in LEVELS
            ]
        )
    for place, level in enumerate(LEVELS):
        tested = [one[place] for one in changes]
        known = [np.isfinite(side.p_value) for side in tested]
        alarms = [side.is_shown[k] for side, k in zip(tested, known, strict=True)]
        hits = [
            (side.change + np.log1p(effect_pct / 100) > side.band)[k]
            for side, k in zip(tested, known, strict=True)
        ]
        found.append(
            (
                level,
                100 * float(np.concatenate(alarms).mean()),
                100 * float(np.concatenate(hits).mean()),
            )
        )
    return found
