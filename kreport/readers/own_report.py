"""What only kreport's own CSV holds: decisions of an earlier report, and apostrophes to undo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kreport.formula import restore
from kreport.model import Notice
from kreport.readers.canonical import Array, Input, Objects, fold_text, text_column
from kreport.readers.headers import Header
from kreport.readers.numbers import NumberColumn, to_numbers

_NOTICES = {notice.value: notice for notice in Notice}


def recognises(header: Header) -> bool:
    """Whether a header is one that kreport writes."""
    return header.has("parameters", "notices")


def without_apostrophes(source: Input) -> Input:
    """Undo the apostrophes that keep a spreadsheet from running text; other files are as given."""
    if not recognises(source.header):
        return source
    columns = tuple(
        [restore(cell) for cell in cells] if any(c.startswith("'") for c in cells) else cells
        for cells in source.table.columns
    )
    return replace(source, table=replace(source.table, columns=columns))


def columns(source: Input, found: Objects) -> dict[str, Array]:
    """Class, blocker, band and notices as the earlier report decided them.

    `found` are the notices that reading this file gave; those of the earlier report join them.
    """
    texts = {
        role: text_column(source.cells(role), source.count, fold_text)
        for role in ("stored_class", "stored_blocker", "noise_source", "notices")
    }
    bounds = {f"{role}_pct": _numbers(source, role) for role in ("ratio_low", "ratio_high")}
    texts["notices"] = np.array(
        [_joined(*pair) for pair in zip(found, texts["notices"], strict=True)], dtype=object
    )
    return {**texts, **bounds}


def _numbers(source: Input, role: str) -> Array:
    cells = source.cells(role)
    if cells is None:
        return np.full(source.count, np.nan)
    return to_numbers(NumberColumn(source.name_of(role), cells, source.lines), source.findings)


def _joined(found: str, stored: str) -> str:
    names = set(found.split(";")) | set(stored.split(";"))
    return ";".join(value for value in _NOTICES if value in names)
