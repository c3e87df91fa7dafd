"""Text columns with every spelling once, and a small number a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Coded:
    """`spellings[codes[i]]` is the text of row ``i``."""

    codes: npt.NDArray[np.integer]
    spellings: tuple[str, ...]

    def fold(self, function: Callable[[str], str]) -> Coded:
        """Return the column with every spelling through `function`, equal results made one."""
        folded = [function(text) for text in self.spellings]
        if len(set(folded)) == len(folded):
            return Coded(self.codes, tuple(folded))
        codes, spellings = pd.factorize(np.asarray(folded, dtype=object))
        return Coded(_narrow(codes, len(spellings))[self.codes], tuple(spellings))

    def uses(self) -> list[int]:
        """Tell how many rows have each spelling."""
        if len(self.spellings) == 1:
            return [len(self.codes)]
        counted: list[int] = np.bincount(self.codes, minlength=len(self.spellings)).tolist()
        return counted

    def at(self, rows: Ints) -> Objects:
        """Return the texts of some rows."""
        table = np.array([*self.spellings, ""], dtype=object)
        return np.asarray(table[self.codes[rows]], dtype=object)

    def all(self) -> Objects:
        """Return the text of every row."""
        return self.at(np.arange(len(self.codes)))


def coded(cells: Sequence[str]) -> Coded:
    """Take a column of cells apart into spellings and codes."""
    codes, spellings = pd.factorize(np.asarray(cells, dtype=object))
    return Coded(codes, tuple(spellings))


def constant(text: str, count: int) -> Coded:
    """Return a column that says the same in every row."""
    return Coded(np.zeros(count, dtype=np.int8), (text,))


def joined(parts: Sequence[Coded]) -> Coded:
    """Put columns of several pieces of a file one after the other."""
    known: dict[str, int] = {}
    tables = [[known.setdefault(text, len(known)) for text in part.spellings] for part in parts]
    if len(known) == 1:
        return constant(next(iter(known)), sum(len(part.codes) for part in parts))
    codes = [
        _narrow(np.array(table or [0]), len(known))[part.codes]
        for table, part in zip(tables, parts, strict=True)
    ]
    return Coded(np.concatenate(codes), tuple(known))


def groups_of(columns: Sequence[Coded]) -> tuple[Ints, Ints]:
    """Number the distinct combinations of the columns in order of appearance.

    Returns the group of every row, and the first row of every group.
    """
    count = len(columns[0].codes)
    told = [column for column in columns if len(column.spellings) > 1]
    # Samples of a side mostly stand together: the work is then one of stretches, not of rows.
    begins = np.zeros(count, dtype=bool)
    begins[:1] = True
    for column in told:
        begins[1:] |= column.codes[1:] != column.codes[:-1]
    starts = np.flatnonzero(begins)
    combined = np.zeros(len(starts), dtype=np.int64)
    for column in told:
        combined = combined * len(column.spellings) + column.codes[starts]
        combined, _ = pd.factorize(combined)
    groups = pd.factorize(combined)[0].astype(np.int64)
    first = np.flatnonzero(np.diff(np.maximum.accumulate(groups), prepend=-1) > 0)
    return np.repeat(groups, np.diff(starts, append=count)), starts[first]


def combined(columns: Sequence[Coded], tell: Callable[..., str]) -> Coded:
    """Return a column made of several: `tell` is called once a combination, with its texts."""
    groups, first = groups_of(columns)
    texts = zip(*(column.at(first) for column in columns), strict=True)
    told = tuple(tell(*combination) for combination in texts)
    return Coded(_narrow(groups, len(told)), told).fold(str)


def _narrow(codes: Ints, count: int) -> npt.NDArray[np.integer]:
    """Return codes below `count` in the smallest integers that hold them."""
    return codes.astype(np.min_scalar_type(count), copy=False)
