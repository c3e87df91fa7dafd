"""Run tables as dense arrays: one cell per case and run, both sides, old, new and past runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kreport.cases.majority import CHECKS, STATUSES
from kreport.model import Side
from kreport.noise import NEW, OLD, PAST, CaseRuns, SideRuns
from kreport.noise.runs import Quantiles, log_location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kreport.archive.history import History
    from kreport.schema import RunTable
    from kreport.verdicts.pairing import Pairing

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ABSENT = -1
NUMBERS = ("median_ms", "q1_ms", "q3_ms", "min_ms", "max_ms", "n", "resolution_ms")


@dataclass(frozen=True, slots=True)
class SideCells:
    """One side: arrays (cases, runs).

    `status` and `check` are positions in `STATUSES` and `CHECKS`, `ABSENT` where the run does not
    have the case. The numbers are NaN unless the side ran and its median is a positive number.
    """

    status: NDArray[np.int8]
    check: NDArray[np.int8]
    numbers: dict[str, Floats]

    @property
    def median_ms(self) -> Floats:
        """Medians of the runs, in milliseconds."""
        return self.numbers["median_ms"]


@dataclass(frozen=True, slots=True)
class Cells:
    """Both sides over all cases and runs. `group` (runs,) is `OLD`, `NEW` or `PAST`.

    `row` (cases, runs) points into the frame of the run's group, `ABSENT` where there is none.
    """

    sides: dict[Side, SideCells]
    group: NDArray[np.int8]
    row: Ints

    def part(self, cases: NDArray[np.bool_]) -> Cells:
        """The same of some cases only."""
        sides = {
            side: SideCells(
                cells.status[cases],
                cells.check[cases],
                {name: values[cases] for name, values in cells.numbers.items()},
            )
            for side, cells in self.sides.items()
        }
        return Cells(sides, self.group, self.row[cases])

    def case_runs(self) -> CaseRuns:
        """What the noise model works on."""
        baseline, pto = (self._side_runs(self.sides[side]) for side in Side)
        return CaseRuns(baseline, pto, self.group)

    def _side_runs(self, cells: SideCells) -> SideRuns:
        names = ("min_ms", "q1_ms", "median_ms", "q3_ms", "n")
        known = Quantiles(*(cells.numbers[name] for name in names))
        median = known.median
        with np.errstate(divide="ignore", invalid="ignore"):
            return SideRuns(
                median=np.log(median),
                location=log_location(known, self.group),
                spread=np.log(known.q3 / known.q1),
                samples=cells.numbers["n"],
                step=cells.numbers["resolution_ms"] / median,
            )


def cells_of(
    old: RunTable, new: RunTable, pairing: Pairing, history: History | None = None
) -> Cells:
    """Lay both tables, and the medians of earlier runs, out as arrays over the paired cases."""
    old_runs, old_count = _numbered_runs(old.frame)
    new_runs, new_count = _numbered_runs(new.frame)
    counts = (old_count, new_count, len(history.runs) if history is not None else 0)
    group = np.repeat(np.array([OLD, NEW, PAST], dtype=np.int8), counts)
    shape = (len(pairing.keys), group.size)
    places = (
        (old.frame, pairing.old, old_runs),
        (new.frame, pairing.new, new_runs + counts[0]),
    )
    row = np.full(shape, ABSENT, dtype=np.int64)
    for frame, case, run in places:
        row[case, run] = np.arange(len(frame))
    sides = {side: _filled(side, places, shape) for side in Side}
    if history is not None:
        _add_history(sides, history, pairing, sum(counts[:2]))
    return Cells(sides, group, row)


def _numbered_runs(frame: pd.DataFrame) -> tuple[Ints, int]:
    """Number the runs of a table in the order of their dates and names, and count them."""
    at, _ = pd.factorize(frame["run_at"].to_numpy(dtype=object), sort=True)
    name, names = pd.factorize(frame["run"].to_numpy(dtype=object), sort=True)
    pairs, codes = np.unique(at * len(names) + name, return_inverse=True)
    return codes.astype(np.int64), len(pairs)


def _filled(
    side: Side,
    places: Sequence[tuple[pd.DataFrame, Ints, Ints]],
    shape: tuple[int, int],
) -> SideCells:
    status = np.full(shape, ABSENT, dtype=np.int8)
    check = np.full(shape, ABSENT, dtype=np.int8)
    numbers = {name: np.full(shape, np.nan) for name in NUMBERS}
    for frame, case, run in places:
        status[case, run] = _coded(frame[f"{side}_status"], STATUSES)
        check[case, run] = _coded(frame[f"{side}_correct"], CHECKS)
        median = frame[f"{side}_median_ms"].to_numpy(dtype=np.float64)
        with np.errstate(invalid="ignore"):
            usable = (status[case, run] == 0) & np.isfinite(median) & (median > 0)
        for name, values in numbers.items():
            column = frame[f"{side}_{name}"].to_numpy(dtype=np.float64)
            values[case, run] = np.where(usable, column, np.nan)
    return SideCells(status, check, numbers)


def _coded(texts: pd.Series[str], words: Sequence[str]) -> NDArray[np.int8]:
    codes, distinct = pd.factorize(texts.to_numpy(dtype=object))
    place = {word: position for position, word in enumerate(words)}
    known = np.array([place.get(text, ABSENT) for text in distinct], dtype=np.int8)
    return known[codes]


def _add_history(
    sides: dict[Side, SideCells], history: History, pairing: Pairing, first_run: int
) -> None:
    """Put the medians of earlier runs into the cells of the cases that have the same identity."""
    place: dict[object, int] = {}
    for number, key in enumerate(history.cases):
        place.setdefault(pairing.relaxation.of(key), number)
    found = [(case, place[key]) for case, key in enumerate(pairing.keys) if key in place]
    if not found:
        return
    cases, theirs = (np.array(side) for side in zip(*found, strict=True))
    runs = np.arange(first_run, first_run + len(history.runs))
    for side, cells in sides.items():
        medians = history.medians[f"{side}_ms"][theirs]
        cells.numbers["median_ms"][np.ix_(cases, runs)] = medians
