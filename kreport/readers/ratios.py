"""A ratio that the file stores, held against the one its medians give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.readers.canonical import Input
from kreport.readers.numbers import Floats, NumberColumn, convert

_TIMES = frozenset("xX×")
_SUFFIXES = _TIMES | {"%"}
_SLACK = 1e-6
"""Relative: sixteen digits written and read back, or medians written with nine."""


@dataclass(frozen=True, slots=True)
class StoredRatio:
    """`pct` as stored (percent; NaN where none), and whether it contradicts the medians."""

    pct: Floats
    disagrees: npt.NDArray[np.bool_]


def stored_ratio(source: Input, baseline_ms: Floats, pto_ms: Floats) -> StoredRatio:
    """Read the stored ratio and note every one that is not the medians' own, honestly rounded.

    A stored value may differ by half of its last decimal, never more, and zero is no rounding of
    a positive ratio.
    """
    count = source.count
    if source.header.ratio is None:
        return StoredRatio(np.full(count, np.nan), np.zeros(count, dtype=bool))
    index, factor = source.header.ratio
    cells = source.table.columns[index]
    name = source.header.names[index]
    stored, pct = _parsed(NumberColumn(name, cells, source.lines), factor, source)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        true = np.where((baseline_ms > 0) & (pto_ms > 0), baseline_ms / pto_ms, np.nan)
    true_stored = true * (100.0 / pct)
    off = np.abs(stored - true_stored) > _SLACK * np.abs(true_stored)
    disagrees = np.zeros(count, dtype=bool)
    for row in np.flatnonzero(off & ~np.isnan(true_stored) & ~np.isnan(stored)).tolist():
        allowed = 0.5 * 10.0 ** -_decimals(_taken_apart(cells[row], 1.0)[0]) * (1 + _SLACK)
        if stored[row] > 0 and abs(stored[row] - true_stored[row]) <= allowed:
            continue
        disagrees[row] = True
        inverse = abs(stored[row] * true[row] * pct[row] / 100.0 - 1) < 0.01
        source.findings.note(
            "stored-ratio",
            f"the stored ratio disagrees with the medians, which give {true_stored[row]:.4g}",
            line=int(source.lines[row]),
            column=name,
            value=cells[row],
            hint="it is PTO over baseline" if inverse else None,
        )
    return StoredRatio(stored * pct, disagrees)


def _parsed(column: NumberColumn, factor: float, source: Input) -> tuple[Floats, Floats]:
    """The numbers, and what makes each percent: ``79.8%`` and ``0.798x`` say so themselves.

    The ratio is recomputed anyway: one that cannot be read is noted, its row is used.
    """
    numbers, pct = column.cells, np.full(len(column.cells), factor)
    if not _SUFFIXES.isdisjoint("".join(column.cells)):
        known = {cell: _taken_apart(cell, factor) for cell in set(column.cells)}
        numbers = [known[cell][0] for cell in column.cells]
        pct = np.array([known[cell][1] for cell in column.cells], dtype=np.float64)
    values, odd = convert(NumberColumn(column.name, numbers, column.lines))
    for row in odd.tolist():
        source.findings.note(
            "unread-ratio",
            "a stored ratio that is no number: recomputed, as all are",
            line=int(column.lines[row]),
            column=column.name,
            value=column.cells[row],
        )
    return values, pct


def _taken_apart(cell: str, factor: float) -> tuple[str, float]:
    text = cell.strip()
    if text.endswith("%"):
        return text[:-1].rstrip(), 1.0
    if text[-1:] in _TIMES and text[:-1]:
        return text[:-1].rstrip(), 100.0
    return text, factor


def _decimals(text: str) -> int:
    mantissa, _, exponent = text.strip().casefold().partition("e")
    digits = len(mantissa.partition(".")[2])
    return digits - int(exponent) if exponent else digits
