"""Rows that name the same case in the same run: repeats collapse, contradictions are set aside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.readers.findings import Findings
from kreport.schema import COLUMNS, IDENTITY

Flags = npt.NDArray[np.bool_]
KEY = (*IDENTITY, "run")
_NOT_COMPARED = frozenset({*KEY, "source", "line", "variant_index", "report_path", "spec"})
_COMPARED = tuple(name for name in COLUMNS if name not in _NOT_COMPARED)


def settle_duplicates(frame: pd.DataFrame, findings: Sequence[Findings]) -> Flags:
    """Return which rows to keep; `findings[i]` gets what is found in source ``i``.

    Rows equal in every value collapse into the first, with a note. Rows of one case and run with
    different values are ambiguous: none is used, all are set aside.
    """
    repeated = frame.duplicated(subset=list(KEY), keep=False)
    if not repeated.any():
        return np.ones(len(frame), dtype=bool)
    dropped: list[int] = []
    for _, group in frame[repeated].groupby(list(KEY), sort=False):
        if len(group.drop_duplicates(subset=list(_COMPARED))) == 1:
            _note_repeats(group, findings)
            dropped.extend(group.index[1:])
        else:
            _set_aside(group, findings)
            dropped.extend(group.index)
    return np.asarray(~frame.index.isin(dropped))


def _place(group: pd.DataFrame, position: int, findings: Sequence[Findings]) -> str:
    source = int(group["source"].iloc[position])
    return f"{findings[source].file}:{int(group['line'].iloc[position])}"


def _note_repeats(group: pd.DataFrame, findings: Sequence[Findings]) -> None:
    first = _place(group, 0, findings)
    for source, line, kernel in (
        group[["source", "line", "kernel"]].iloc[1:].itertuples(index=False)
    ):
        findings[int(source)].note(
            "repeated-row", f"the same row as {first}, used once", line=int(line), value=kernel
        )


def _set_aside(group: pd.DataFrame, findings: Sequence[Findings]) -> None:
    places = [_place(group, position, findings) for position in range(min(len(group), 4))]
    for position, (source, line, kernel) in enumerate(
        group[["source", "line", "kernel"]].itertuples(index=False)
    ):
        others = [place for other, place in enumerate(places) if other != position]
        findings[int(source)].set_aside(
            "ambiguous-case",
            f"other values for the same case in {', '.join(others[:3])}"
            + (f" and {len(group) - 4} more" if len(group) > 4 else ""),
            line=int(line),
            value=kernel,
            hint="nothing tells the rows apart: give a shape, a variant_label or a run",
        )
