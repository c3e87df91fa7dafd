"""Cells to numbers, a column at a time: strict, finite, in milliseconds, nothing guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.readers.findings import Findings
from kreport.readers.headers import words
from kreport.units import KNOWN_UNITS, ms_divisor

Floats = npt.NDArray[np.float64]

ABSENT = words("""
    - -- --- — – n/a na #n/a none null nil nan -nan +nan ? .. ... missing unknown tbd
""") | {""}
"""Folded spellings of "no measurement" that need no comment."""

_NOT_FINITE = re.compile(
    r"[+-]?(inf|infinity|∞|1\.?#inf\w*|1\.?#ind\w*|1\.?#[qs]nan\w*|nan\(.*\))|#div/0!|#value!|#num!|#ref!"
)
_WITH_UNIT = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?) ?([^\W\d]{1,20})")
_LONGEST_NUMBER = 400
_COMMA_NUMBER = re.compile(r"[+-]?\d+(?:,\d+)+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column to convert: its cells, the lines they stand on, and what it is called."""

    name: str
    cells: Sequence[str]
    lines: npt.NDArray[np.int64]


def to_numbers(column: NumberColumn, findings: Findings) -> Floats:
    """float64 with NaN for "no measurement".

    Spellings of nothing (blank, ``-``, ``N/A``, ``null``) are NaN in silence, infinities and
    overflows are NaN with a note, anything else that is no number sets its row aside.
    """
    values, odd = convert(column)
    for index in odd:
        _judge(column, int(index), findings)
    return values


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """The unit of every row: what its cells say, and what values are divided by (NaN: unknown)."""

    name: str
    cells: Sequence[str]
    divisors: Floats


def unit_column(name: str, cells: Sequence[str]) -> UnitColumn:
    """Look every unit up, once a spelling."""
    codes, spellings = pd.factorize(np.asarray(cells, dtype=object))
    table = np.array([ms_divisor(unit) or np.nan for unit in spellings], dtype=np.float64)
    return UnitColumn(name, cells, table[codes] if len(table) else np.empty(0))


def to_ms(column: NumberColumn, unit: UnitColumn | float, findings: Findings) -> Floats:
    """Latencies in milliseconds; `unit` is the column's divisor, or the unit of each row.

    A cell that carries its own unit (``18.4 us``) is read by it. A value whose row names no unit,
    or none that is known, sets its row aside. Zero and negative values stay, for the statuses to
    judge: beside a side that did not run they are placeholders (`set_negatives_aside`).
    """
    values, odd = convert(column)
    divisors = unit.divisors if isinstance(unit, UnitColumn) else np.full(len(values), unit)
    given = ~np.isnan(values)
    with np.errstate(over="ignore"):
        values = values / divisors
    if isinstance(unit, UnitColumn):
        _report_units(unit, given & np.isnan(divisors), column, findings)
    for index in odd.tolist():
        own = _WITH_UNIT.fullmatch(column.cells[index].strip())
        divisor = None if own is None else ms_divisor(own[2])
        if own is not None and divisor is not None and np.isfinite(float(own[1])):
            values[index] = float(own[1]) / divisor
        else:
            _judge(column, int(index), findings)
    values[np.isinf(values)] = np.nan
    return values


def set_negatives_aside(
    column: NumberColumn, values: Floats, ran: npt.NDArray[np.bool_], findings: Findings
) -> None:
    """Set aside the rows of sides that ran in less than no time."""
    for index in np.flatnonzero((values < 0) & ran).tolist():
        findings.set_aside(
            "negative-latency",
            "a latency below zero",
            line=int(column.lines[index]),
            column=column.name,
            value=column.cells[index],
        )


def _report_units(
    unit: UnitColumn, where: npt.NDArray[np.bool_], column: NumberColumn, findings: Findings
) -> None:
    for index in np.flatnonzero(where).tolist():
        blank = not unit.cells[index].strip()
        findings.set_aside(
            "no-unit" if blank else "unknown-unit",
            "no unit given for this row" if blank else "not a unit of time",
            line=int(column.lines[index]),
            column=unit.name,
            value=None if blank else unit.cells[index],
            hint=f"known units: {KNOWN_UNITS}",
        )


def convert(column: NumberColumn) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The numbers, and the indexes of cells that are neither a finite number nor absent."""
    cells = column.cells
    series = pd.Series(cells, dtype=object)
    values = pd.to_numeric(series, errors="coerce").to_numpy(dtype=np.float64, copy=True)
    finite = np.isfinite(values)
    odd = [
        index
        for index in np.flatnonzero(~finite).tolist()
        if cells[index].strip().casefold() not in ABSENT
    ]
    values[~finite] = np.nan
    return values, np.array(odd, dtype=np.int64)


def _judge(column: NumberColumn, index: int, findings: Findings) -> None:
    text = column.cells[index].strip()
    line = int(column.lines[index])
    if len(text) > _LONGEST_NUMBER:
        message = f"expected a number, not {len(text)} characters"
        findings.set_aside("not-a-number", message, line=line, column=column.name, value=text)
        return
    if _NOT_FINITE.fullmatch(text.casefold()) or _overflows(text):
        message = "not a finite number: read as no measurement"
        findings.note("not-finite", message, line=line, column=column.name, value=text)
        return
    own = _WITH_UNIT.fullmatch(text)
    if own is not None:
        rule, message, hint = "unknown-unit", "not a unit of time", f"known units: {KNOWN_UNITS}"
    elif _COMMA_NUMBER.fullmatch(text):
        rule, message = "number-with-comma", "a comma inside a number means two things"
        hint = "write 1234.5: a point before the decimals and nothing between thousands"
    else:
        rule, message, hint = "not-a-number", "expected a number", ""
    findings.set_aside(rule, message, line=line, column=column.name, value=text, hint=hint or None)


def _overflows(text: str) -> bool:
    try:
        return bool(np.isinf(float(text))) and "_" not in text
    except ValueError:
        return False
