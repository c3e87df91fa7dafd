"""Rows that name the same case in the same run: repeats collapse, contradictions are set aside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.readers.findings import Findings
from kreport.readers.places import line_of
from kreport.readers.repeats import find_repeats
from kreport.schema import COLUMNS, IDENTITY

Flags = npt.NDArray[np.bool_]
KEY = (*IDENTITY, "run")
_NOT_COMPARED = frozenset({*KEY, "source", "line", "variant_index", "report_path", "spec"})
_COMPARED = tuple(name for name in COLUMNS if name not in _NOT_COMPARED)
_PLACES_NAMED = 3


def settle_duplicates(frame: pd.DataFrame, findings: Sequence[Findings]) -> Flags:
    """Return which rows to keep; `findings[i]` gets what is found in source ``i``.

    Rows equal in every value collapse into the first, with a note. Rows of one case and run with
    different values are ambiguous: none is used, all are set aside.
    """
    found = find_repeats(frame, KEY, _COMPARED)
    kept = np.ones(len(frame), dtype=bool)
    kept[found.dropped] = False
    if kept.all():
        return kept
    rows = _Rows(frame, findings)
    for row, first in found.repeats.items():
        message = f"the same row as {rows.place(first)}, used once"
        rows.findings(row).note(
            "repeated-row", message, line=rows.lines[row], value=rows.kernels[row]
        )
    for group in found.conflicts:
        for row in group:
            rows.set_aside(row, group)
    return kept


class _Rows:
    """Where each row of the frame comes from."""

    def __init__(self, frame: pd.DataFrame, findings: Sequence[Findings]) -> None:
        self._findings = findings
        self._sources: list[int] = frame["source"].tolist()
        self.lines: list[int] = frame["line"].tolist()
        self.kernels: list[str] = frame["kernel"].tolist()

    def findings(self, row: int) -> Findings:
        return self._findings[self._sources[row]]

    def place(self, row: int) -> str:
        return f"{self.findings(row).file}:{line_of(self.lines[row])}"

    def set_aside(self, row: int, group: Sequence[int]) -> None:
        named = [other for other in group[: _PLACES_NAMED + 1] if other != row][:_PLACES_NAMED]
        more = len(group) - 1 - len(named)
        others = ", ".join(self.place(other) for other in named)
        self.findings(row).set_aside(
            "ambiguous-case",
            f"other values for the same case in {others}" + (f" and {more} more" if more else ""),
            line=self.lines[row],
            value=self.kernels[row],
            hint="nothing tells the rows apart: give a shape, a variant_label or a run",
        )
