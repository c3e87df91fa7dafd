"""Rows that share a key: repeats of an earlier row collapse, contradictions are set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.readers.faults import NOTHING_TELLS_APART
from kreport.readers.findings import Findings
from kreport.readers.places import line_of

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
_PLACES_NAMED = 3


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


def settle_repeats(
    frame: pd.DataFrame, key: Sequence[str], compared: Sequence[str], findings: Sequence[Findings]
) -> Flags:
    """Return which rows to keep; `findings[i]` gets what is found in source ``i``.

    Rows of one key that are equal in every column compared collapse into the first, with a note.
    Where they differ none is the right one: all are set aside. The frame has columns "kernel" and
    "line", "source" where there are several files, and "side" where a row is of one side.
    """
    found = find_repeats(frame, key, compared)
    kept = np.ones(len(frame), dtype=bool)
    kept[found.dropped] = False
    if kept.all():
        return kept
    rows = _Rows(frame, findings)
    for row, first in found.repeats.items():
        rows.note_repeat(row, first)
    for group in found.conflicts:
        for row in group:
            rows.set_aside(row, group)
    return kept


class _Rows:
    """Where each row of the frame comes from."""

    def __init__(self, frame: pd.DataFrame, findings: Sequence[Findings]) -> None:
        self._findings = findings
        self._sources: list[int] = frame["source"].tolist() if "source" in frame else []
        self._sides: list[str] = frame["side"].tolist() if "side" in frame else []
        self._lines: list[int] = frame["line"].tolist()
        self._kernels: list[str] = frame["kernel"].tolist()

    def note_repeat(self, row: int, first: int) -> None:
        message = f"the same row as {self._place(first)}, used once"
        self._own(row).note(
            "repeated-row", message, line=self._lines[row], value=self._kernels[row]
        )

    def set_aside(self, row: int, group: Sequence[int]) -> None:
        named = [other for other in group[: _PLACES_NAMED + 1] if other != row][:_PLACES_NAMED]
        more = len(group) - 1 - len(named)
        side = f"the {self._sides[row]} side of " if self._sides else ""
        others = ", ".join(map(self._place, named)) + (f" and {more} more" if more else "")
        self._own(row).set_aside(
            "ambiguous-case",
            f"other values for {side}the same case in {others}",
            line=self._lines[row],
            value=self._kernels[row],
            hint=NOTHING_TELLS_APART
            + (", or a sample_index where they are samples" if self._sides else ""),
        )

    def _own(self, row: int) -> Findings:
        return self._findings[self._sources[row] if self._sources else 0]

    def _place(self, row: int) -> str:
        return f"{self._own(row).file}:{line_of(self._lines[row])}"
