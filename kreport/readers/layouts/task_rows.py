"""Files of one row a measured call: rows of the same case are its samples, in file order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.readers.canonical import Input, LayoutRows
from kreport.readers.coded import Coded, coded, constant
from kreport.readers.outcomes import StoryColumns
from kreport.readers.samples.reduced import reduce_samples
from kreport.readers.samples.rows import TEXT_ROLES, SampleRows

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Calls:
    """Measured calls: texts by role, status words, latency (ms, NaN for none) and first line."""

    texts: Mapping[str, Sequence[str]]
    parameters: Mapping[str, Sequence[str]]
    side: npt.NDArray[np.object_]
    status: Sequence[str]
    latency_ms: Floats
    order: Floats
    """What sorts the calls of a case in time; NaN keeps the order of the file."""
    line: npt.NDArray[np.int64]
    latency_column: str
    """What the file calls the latencies."""


def reduce_calls(calls: Calls, source: Input) -> LayoutRows:
    """Reduce calls to one summary a side, as samples are; rows set aside are left out."""
    count = len(calls.line)

    def column(cells: Sequence[str] | None) -> Coded:
        return constant("", count) if cells is None else coded(cells)

    rows = SampleRows(
        {role: column(calls.texts.get(role)) for role in (*TEXT_ROLES, "reason")},
        {name: coded(cells) for name, cells in calls.parameters.items()},
        coded(calls.side.tolist()),
        coded(calls.status),
        None,
        calls.latency_ms,
        np.full(count, np.nan),
        calls.line,
        StoryColumns("", calls.latency_column),
    )
    if not np.isnan(calls.order).all():
        rows = rows.ordered(np.argsort(calls.order, kind="stable"))
    aside = np.isin(rows.line, np.fromiter(source.findings.rows(), np.int64))
    reduced = reduce_samples(rows.without(aside), source.run, source.options, source.findings)
    return LayoutRows(reduced.paired.columns, reduced.store())
