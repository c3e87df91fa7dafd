"""Whether the samples of a side are what they seem: each index once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kreport.readers.findings import Findings

if TYPE_CHECKING:
    from kreport.readers.samples import SampleRows

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
    counted = np.flatnonzero(~np.isnan(rows.sample_index) & ~np.isnan(rows.latency_ms))
    group, index = groups[counted], rows.sample_index[counted]
    forward = (np.diff(group) > 0) | ((np.diff(group) == 0) & (np.diff(index) > 0))
    if forward.all():
        return dropped
    order = np.lexsort((rows.latency_ms[counted], index, group))
    later, earlier = counted[order[1:]], counted[order[:-1]]
    same = (groups[later] == groups[earlier]) & (
        rows.sample_index[later] == rows.sample_index[earlier]
    )
    if not same.any():
        return dropped
    differ = same & (rows.latency_ms[later] != rows.latency_ms[earlier])
    ambiguous = np.unique(groups[later[differ]])
    repeats = later[same & ~np.isin(groups[later], ambiguous)]
    dropped[repeats] = True
    for group_id in np.unique(groups[repeats]).tolist():
        count = int((groups[repeats] == group_id).sum())
        findings.note(
            "repeated-sample",
            f"{count} samples of this side are in the file twice, used once",
            line=int(rows.line[first[group_id]]),
            value=_name(rows, first[group_id]),
        )
    for group_id in ambiguous.tolist():
        members = np.flatnonzero(groups == group_id)
        dropped[members] = True
        findings.set_aside(
            "ambiguous-samples",
            f"a sample_index comes twice with different latencies: none of {len(members)} samples"
            " of this side can be used",
            line=int(rows.line[first[group_id]]),
            value=_name(rows, first[group_id]),
            hint="nothing tells the rows apart: give a run, a shape or a variant_label",
            also=rows.line[members].tolist(),
        )
    return dropped


def _name(rows: SampleRows, row: int) -> str:
    where = np.array([row])
    return f"{rows.texts['kernel'].at(where)[0]} {rows.side.at(where)[0]}"
