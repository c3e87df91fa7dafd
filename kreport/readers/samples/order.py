"""Whether the samples of a side are what they seem: each index once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kreport.readers.faults import NOTHING_TELLS_APART
from kreport.readers.findings import Findings

if TYPE_CHECKING:
    from kreport.readers.samples.rows import SampleRows

Ints = npt.NDArray[np.int64]


def settle_order(
    rows: SampleRows, groups: Ints, first: Ints, findings: Findings
) -> npt.NDArray[np.bool_]:
    """Return the rows to drop: repeats of a sample, and all samples of an ambiguous side.

    A sample index that comes twice with one value is a repeat (a file pasted twice), noted once a
    side. With different values nothing says which is right, or the rows lack what tells two cases
    apart: all samples of that side are set aside.
    """
    dropped = np.zeros(len(groups), dtype=bool)
    told = ~(np.isnan(rows.sample_index) | np.isnan(rows.latency_ms))
    group, index = groups, rows.sample_index
    if not told.all():  # copies of a million rows are megabytes
        group, index = group[told], index[told]
    if _forward(group, index):
        return dropped
    counted = np.flatnonzero(told)
    order = np.lexsort((rows.latency_ms[counted], index, group))
    later, earlier = counted[order[1:]], counted[order[:-1]]
    same = (groups[later] == groups[earlier]) & (
        rows.sample_index[later] == rows.sample_index[earlier]
    )
    if not same.any():
        return dropped
    differ = same & (rows.latency_ms[later] != rows.latency_ms[earlier])
    ambiguous = np.zeros(len(first), dtype=bool)
    ambiguous[groups[later[differ]]] = True
    repeats = later[same & ~ambiguous[groups[later]]]
    dropped[repeats] = True
    times = np.bincount(groups[repeats], minlength=len(first))
    for side in np.flatnonzero(times).tolist():
        findings.note(
            "repeated-sample",
            f"{times[side]} samples of this side are in the file twice, used once",
            line=int(rows.line[first[side]]),
            value=_name(rows, int(first[side])),
        )
    _set_aside(rows, groups, first, ambiguous, findings)
    return dropped | ambiguous[groups]


def _forward(groups: Ints, index: npt.NDArray[np.float64]) -> bool:
    """Whether groups stand one after the other, and the index rises in each."""
    later, earlier = groups[1:], groups[:-1]
    return bool(((later > earlier) | ((later == earlier) & (index[1:] > index[:-1]))).all())


def _set_aside(
    rows: SampleRows,
    groups: Ints,
    first: Ints,
    ambiguous: npt.NDArray[np.bool_],
    findings: Findings,
) -> None:
    members = np.flatnonzero(ambiguous[groups])
    if not len(members):
        return
    members = members[np.argsort(groups[members], kind="stable")]
    named, starts = np.unique(groups[members], return_index=True)
    for group, own in zip(named.tolist(), np.split(members, starts[1:]), strict=True):
        findings.set_aside(
            "ambiguous-samples",
            f"a sample_index comes twice with different latencies: none of {len(own)} samples"
            " of this side can be used",
            line=int(rows.line[first[group]]),
            value=_name(rows, first[group]),
            hint=NOTHING_TELLS_APART,
            also=rows.line[own].tolist(),
        )


def _name(rows: SampleRows, row: int) -> str:
    where = np.array([row])
    return f"{rows.texts['kernel'].at(where)[0]} {rows.side.at(where)[0]}"
