"""Which side a row is about: the words of a side column, or the side a whole file stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.model import Side
from kreport.readers.canonical import Input
from kreport.readers.headers import fold_name, words
from kreport.readers.options import ReadOptions

_WORDS = {
    **dict.fromkeys(
        words("baseline base reference ref vendor torch pytorch torch_npu eager aclnn cann"),
        Side.BASELINE,
    ),
    **dict.fromkeys(words("pto port ported candidate ptodsl pto_dsl"), Side.PTO),
}


@dataclass(frozen=True, slots=True)
class SideColumn:
    """The side of each row ("" where the row does not say), and whether a column was used up.

    `parameter` is a column that looked like one of sides but holds other things: it tells cases
    apart instead.
    """

    sides: npt.NDArray[np.object_]
    parameter: int | None


def side_of_rows(source: Input) -> SideColumn:
    """Read the side column. Without one, every row is of `ReadOptions.side`, with a note.

    A column called ``side`` holds nothing but sides: rows with another word are set aside. One
    called ``provider`` or ``backend`` may hold other things, then it is a parameter.
    """
    cells = source.cells("side")
    if cells is None:
        return SideColumn(assumed_sides(source, "no column names the side"), None)
    codes, spellings = pd.factorize(np.asarray(cells, dtype=object))
    known = [side_of(text, source.options) for text in spellings]
    name = source.name_of("side")
    if fold_name(name) != "side" and not any(known):
        index = source.header.roles["side"]
        return SideColumn(assumed_sides(source, f"{name} names neither side"), index)
    table = np.array([side.value if side else "" for side in known] or [""], dtype=object)
    sides = table[codes]
    for row in np.flatnonzero(sides == "").tolist():
        source.findings.set_aside(
            "unknown-side",
            "neither baseline nor pto",
            line=int(source.lines[row]),
            column=name,
            value=cells[row],
        )
    return SideColumn(sides, None)


def side_of(text: str, options: ReadOptions) -> Side | None:
    """Return the side a cell stands for, the user's own words first; None for any other word."""
    word = fold_name(text)
    return options.side_words.get(word) or _WORDS.get(word)


def assumed_sides(source: Input, why: str) -> npt.NDArray[np.object_]:
    """Return `ReadOptions.side` for every row, with a note that says so and why."""
    side = source.options.side
    source.findings.note(
        "side-assumed",
        f"{why}: all rows are taken as the {side} side",
        line=source.table.header_line,
    )
    return np.full(source.count, side.value, dtype=object)
