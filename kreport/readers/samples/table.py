"""A samples file of ordinary size, from its table: every odd cell gets its line."""

from __future__ import annotations

import numpy as np

from kreport.readers.canonical import Input, LayoutRows, fold_text
from kreport.readers.coded import Coded, coded, constant
from kreport.readers.faults import refuse_without_unit
from kreport.readers.layouts.known import latency_of
from kreport.readers.layouts.side_words import side_of_rows
from kreport.readers.numbers import (
    NumberColumn,
    set_negatives_aside,
    to_ms,
    to_numbers,
    unit_column,
)
from kreport.readers.outcomes import words_of
from kreport.readers.samples.reduced import NAME, reduce_samples
from kreport.readers.samples.rows import TEXT_ROLES, SampleRows, story_columns
from kreport.units import ms_divisor

__all__ = ["NAME", "read", "sample_rows"]


def read(source: Input) -> LayoutRows:
    """Return the canonical rows of a samples table, and its samples."""
    reduced = reduce_samples(sample_rows(source), source.run, source.options, source.findings)
    return LayoutRows(reduced.paired.columns, reduced.store())


def sample_rows(source: Input) -> SampleRows:
    """Take the columns of a samples table; rows with a problem are set aside."""
    side = side_of_rows(source)
    kernels = coded(source.cells("kernel") or ())
    unnamed = np.array([not fold_text(name) for name in kernels.spellings])[kernels.codes]
    for row in np.flatnonzero(unnamed).tolist():
        source.findings.set_aside(
            "no-kernel-name", "the row names no kernel", line=int(source.lines[row])
        )
    extra = {*source.header.extra} | ({side.parameter} if side.parameter is not None else set())
    parameters = {
        source.header.names[index]: coded(source.table.columns[index]) for index in sorted(extra)
    }
    rows = SampleRows(
        {role: _column(source, role) for role in (*TEXT_ROLES, "reason")},
        parameters,
        coded(list(side.sides)),
        None if source.cells("status") is None else _column(source, "status"),
        None if source.cells("correct") is None else _column(source, "correct"),
        _latencies(source),
        _indexes(source),
        source.lines,
        story_columns(source.header),
    )
    aside = np.isin(rows.line, np.fromiter(source.findings.rows(), np.int64))
    return rows.without(aside)


def _column(source: Input, role: str) -> Coded:
    cells = source.cells(role)
    return constant("", source.count) if cells is None else coded(cells)


def _latencies(source: Input) -> np.ndarray:
    measure = latency_of(source.header)
    assert measure is not None  # `is_samples` said so
    name = source.header.names[measure.index]
    column = NumberColumn(name, source.table.columns[measure.index], source.lines)
    divisor = ms_divisor(measure.unit) if measure.unit else None
    units = source.cells("unit")
    if divisor is None and units is None:
        line = source.table.header_line
        refuse_without_unit(name, line, source.findings, or_unit_column=True)
        return np.full(source.count, np.nan)
    unit = divisor if divisor is not None else unit_column(source.name_of("unit"), units or ())
    values = to_ms(column, unit, source.findings)
    cells = source.cells("status")
    ran = np.ones(source.count, dtype=bool)
    if cells is not None:
        ran = words_of(coded(cells), source.options).ran(values)
    set_negatives_aside(column, values, ran, source.findings)
    values[(values <= 0) & ~ran] = np.nan  # a placeholder of a side that did not run
    return values


def _indexes(source: Input) -> np.ndarray:
    cells = source.cells("sample_index") or ()
    name = source.name_of("sample_index")
    return to_numbers(NumberColumn(name, cells, source.lines), source.findings)
