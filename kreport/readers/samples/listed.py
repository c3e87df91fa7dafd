"""Samples written as a list in one cell, beside or instead of a summary of them."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from kreport.model import Notice
from kreport.readers.canonical import Input
from kreport.readers.faults import refuse_without_unit
from kreport.readers.numbers import Floats
from kreport.readers.samples.reduction import group_samples, shape_notices, summaries
from kreport.units import ms_divisor

Flags = npt.NDArray[np.bool_]
_AGREES = 1e-3
"""A stated median may be rounded: to three digits it must be the samples' own."""


def read_listed_samples(
    source: Input, columns: dict[str, Floats], usable: Flags
) -> dict[Notice, Flags]:
    """Put summaries of listed samples into `columns`, over the ones stated; return the notices.

    The samples are the evidence, a stated median or mean only what somebody made of them: where
    the two disagree the samples count, with a note. Lists that are no numbers are noted.
    """
    measure = next(
        (m for m in source.header.measures if m.statistic == "samples" and m.side is None), None
    )
    if measure is None:
        return {}
    name = source.header.names[measure.index]
    divisor = ms_divisor(measure.unit)
    if divisor is None:
        refuse_without_unit(name, source.table.header_line, source.findings)
        return {}
    lists = [_numbers(cell) for cell in source.table.columns[measure.index]]
    for row, (cell, values) in enumerate(
        zip(source.table.columns[measure.index], lists, strict=True)
    ):
        if values is None and cell.strip():
            message = "not a list of finite numbers: the stated summary is used alone"
            line = int(source.lines[row])
            source.findings.note("bad-samples", message, line=line, column=name, value=cell)
    kept = [
        np.empty(0) if values is None or not usable[row] else values / divisor
        for row, values in enumerate(lists)
    ]
    return _reduce(source, columns, kept, name)


def _reduce(
    source: Input, columns: dict[str, Floats], lists: list[Floats], name: str
) -> dict[Notice, Flags]:
    count = len(lists)
    groups = np.repeat(np.arange(count), [len(values) for values in lists])
    samples = group_samples(np.concatenate([*lists, np.empty(0)]), groups, count)
    numbers = summaries(samples)
    given = samples.n > 0
    stated = columns.get("median_ms", np.full(count, np.nan))
    off = given & (np.abs(stated - numbers["median_ms"]) > _AGREES * numbers["median_ms"])
    for row in np.flatnonzero(off).tolist():
        source.findings.note(
            "stated-median",
            f"the stated median {stated[row]:g} ms is not the samples' own: the samples count",
            line=int(source.lines[row]),
            column=name,
            value=f"{numbers['median_ms'][row]:g} ms",
        )
    for key, values in numbers.items():
        columns[key] = np.where(given, values, columns.get(key, np.full(count, np.nan)))
    first = np.array([values[0] if len(values) else np.nan for values in lists], dtype=np.float64)
    return shape_notices(samples, numbers, first)


def _numbers(cell: str) -> Floats | None:
    """Positive finite numbers of a JSON list; None where the cell is none."""
    try:
        given = json.loads(cell)
        values = np.array(given, dtype=np.float64)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
    good = isinstance(given, list) and values.ndim == 1 and len(values) > 0
    return values if good and bool((np.isfinite(values) & (values >= 0)).all()) else None
