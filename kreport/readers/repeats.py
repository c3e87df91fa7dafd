"""Rows that share a key: exact repeats of an earlier row, and rows that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Repeats:
    """Positions in a frame.

    `repeats` maps a row to the earlier row it repeats in every value compared; `conflicts` are
    the rows, two or more, of each key whose values differ.
    """

    repeats: dict[int, int]
    conflicts: tuple[tuple[int, ...], ...]

    @property
    def dropped(self) -> Ints:
        """Positions of all rows that cannot stay."""
        conflicting = (row for rows in self.conflicts for row in rows)
        return np.fromiter((*self.repeats, *conflicting), np.int64)


def find_repeats(frame: pd.DataFrame, key: Sequence[str], compared: Sequence[str]) -> Repeats:
    """Find rows of the same key; missing values are equal to each other."""
    shared = np.flatnonzero(frame.duplicated(subset=list(key), keep=False))
    if not len(shared):
        return Repeats({}, ())
    part = frame.iloc[shared]
    groups = part.groupby(list(key), sort=False).ngroup().to_numpy()
    alike = part.groupby([*key, *compared], sort=False, dropna=False).ngroup().to_numpy()
    kinds = pd.Series(alike).groupby(groups).nunique().to_numpy()
    first: dict[int, int] = {}
    repeats: dict[int, int] = {}
    conflicts: dict[int, list[int]] = {}
    for row, group in zip(shared.tolist(), groups.tolist(), strict=True):
        if kinds[group] > 1:
            conflicts.setdefault(group, []).append(row)
        elif group in first:
            repeats[row] = first[group]
        else:
            first[group] = row
    return Repeats(repeats, tuple(tuple(rows) for rows in conflicts.values()))
