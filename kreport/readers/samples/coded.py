"""Text columns of long files: every spelling once, and a small number a row."""

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
        return Coded(codes[self.codes], tuple(spellings))

    def at(self, rows: Ints) -> Objects:
        """Return the texts of some rows."""
        table = np.array([*self.spellings, ""], dtype=object)
        return np.asarray(table[self.codes[rows]], dtype=object)


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
    smallest = np.min_scalar_type(len(known))
    codes = [
        np.array(table or [0], dtype=smallest)[part.codes]
        for table, part in zip(tables, parts, strict=True)
    ]
    return Coded(np.concatenate(codes), tuple(known))


def groups_of(columns: Sequence[Coded]) -> tuple[Ints, Ints]:
    """Number the distinct combinations of the columns in order of appearance.

    Returns the group of every row, and the first row of every group.
    """
    count = len(columns[0].codes)
    combined = np.zeros(count, dtype=np.int64)
    for column in columns:
        if len(column.spellings) < 2:
            continue
        combined = combined * len(column.spellings) + column.codes
        combined, _ = pd.factorize(combined)
    groups = pd.factorize(combined)[0].astype(np.int64)
    first = np.flatnonzero(np.diff(np.maximum.accumulate(groups), prepend=-1) > 0)
    return groups, first


def combined(columns: Sequence[Coded], tell: Callable[..., str]) -> Coded:
    """Return a column made of several: `tell` is called once a combination, with its texts."""
    groups, first = groups_of(columns)
    texts = zip(*(column.at(first) for column in columns), strict=True)
    return Coded(groups, tuple(tell(*combination) for combination in texts)).fold(str)
