"""p values from two-sample tests, for those who ask for one: on run medians, else on samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kreport.choices import Method
from kreport.model import Side
from kreport.noise import NEW, OLD
from kreport.verdicts.cells import ABSENT
from kreport.verdicts.ranks import mann_whitney_p
from kreport.verdicts.resample import ratio_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.schema import RunTable, SampleStore
    from kreport.verdicts.cells import Cells

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

FEWEST_RUNS = 4
"""With four runs on each side the U test can reach 0.05; with fewer, samples have to do."""


def p_values(
    cells: Cells, side: Side, method: Method, old: RunTable, new: RunTable
) -> tuple[Floats, Bools]:
    """Test every case: its p value (NaN where there is nothing to test), and whether it is of runs.

    Samples of several runs are thrown together where there are too few runs: such a verdict is
    about these processes alone and stays unconfirmed.
    """
    medians = cells.sides[side].median_ms
    groups = [cells.group == group for group in (OLD, NEW)]
    count = cells.row.shape[0]
    p = np.full(count, np.nan)
    from_runs = np.zeros(count, dtype=bool)
    for case in range(count):
        sets = [medians[case, members] for members in groups]
        sets = [values[np.isfinite(values)] for values in sets]
        from_runs[case] = min(values.size for values in sets) >= FEWEST_RUNS
        if not from_runs[case]:
            rows = [cells.row[case, members] for members in groups]
            sets = [
                _samples(table.samples, found, side)
                for table, found in zip((old, new), rows, strict=True)
            ]
        p[case] = _p(method, *sets)
    return p, from_runs


def _p(method: Method, old: Floats, new: Floats) -> float:
    if method is Method.MANN_WHITNEY:
        return mann_whitney_p(old, new)
    return ratio_p(old, new)


def _samples(store: SampleStore | None, rows: NDArray[np.int64], side: Side) -> Floats:
    """Positive finite samples of a side in these rows of the run table."""
    if store is None:
        return np.empty(0)
    slots = [2 * row + (side is Side.PTO) for row in rows.tolist() if row != ABSENT]
    parts = [store.values[store.start[slot] : store.stop[slot]] for slot in slots]
    values = np.concatenate([*parts, np.empty(0)])
    return np.asarray(values[np.isfinite(values) & (values > 0)])
