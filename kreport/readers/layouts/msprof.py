"""The op_summary of a device profiler: one row a task, its duration in a named unit.

Columns come and go between versions of the tool: only the operator and the duration are needed.
"""

from __future__ import annotations

import numpy as np

from kreport.readers.canonical import Input, LayoutRows, fold_text, whole
from kreport.readers.faults import refuse_without_unit
from kreport.readers.headers import fold_name
from kreport.readers.layouts.side_words import assumed_sides
from kreport.readers.layouts.task_rows import Calls, reduce_calls
from kreport.readers.numbers import NumberColumn, set_negatives_aside, to_ms, to_numbers
from kreport.units import ms_divisor, split_unit

NAME = "msprof"
_DURATION = "task_duration"


def read(source: Input) -> LayoutRows:
    """Reduce the tasks of each operator and input shape to one summary."""
    columns = {split_unit(fold_name(name)).stem: i for i, name in enumerate(source.header.names)}
    if _DURATION not in columns:
        source.findings.refuse(
            "no-latency-column",
            "the column Task Duration(us) is missing",
            line=source.table.header_line,
            value=source.table.delimiter.join(source.header.names),
        )
        return LayoutRows(whole({}, 0))
    names = _cells(source, columns, "op_name")
    for row in np.flatnonzero([not fold_text(name) for name in names]).tolist():
        source.findings.set_aside("no-kernel-name", "no Op Name", line=int(source.lines[row]))
    shapes = _cells(source, columns, "input_shapes")
    calls = Calls(
        {"kernel": names, "shape": shapes, "device": source.cells("device") or [""] * len(names)},
        {"dtype": types} if any(types := _cells(source, columns, "input_data_types")) else {},
        assumed_sides(source, "no column names the side"),
        ["ok"] * len(names),
        _durations(source, columns[_DURATION]),
        _starts(source, columns),
        source.lines,
        source.header.names[columns[_DURATION]],
    )
    return reduce_calls(calls, source)


def _cells(source: Input, columns: dict[str, int], stem: str) -> list[str]:
    index = columns.get(stem)
    return [""] * source.count if index is None else list(source.table.columns[index])


def _durations(source: Input, index: int) -> np.ndarray:
    name = source.header.names[index]
    divisor = ms_divisor(split_unit(fold_name(name)).unit)
    if divisor is None:
        refuse_without_unit(name, source.table.header_line, source.findings)
        return np.full(source.count, np.nan)
    column = NumberColumn(name, source.table.columns[index], source.lines)
    values = to_ms(column, divisor, source.findings)
    set_negatives_aside(column, values, np.ones(len(values), dtype=bool), source.findings)
    return values


def _starts(source: Input, columns: dict[str, int]) -> np.ndarray:
    index = columns.get("task_start_time")
    if index is None:
        return np.full(source.count, np.nan)
    name = source.header.names[index]
    return to_numbers(
        NumberColumn(name, source.table.columns[index], source.lines), source.findings
    )
