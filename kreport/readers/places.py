"""Where a row is: its line, and which of the rows that begin on that line it is.

In a delimited file every row has a line of its own, and a place is just that line. In JSON many
rows may share one: places keep them apart, so that setting one aside leaves the others alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_LINES = 1 << 32


def places_of(lines: Iterable[int]) -> tuple[int, ...]:
    """Return a distinct place for each row, in order."""
    seen: Counter[int] = Counter()
    places = []
    for line in lines:
        places.append(line + _LINES * seen[line])
        seen[line] += 1
    return tuple(places)


def line_of(place: int) -> int:
    """Return the line of a place."""
    return place % _LINES


def lines_of(places: pd.Series[int]) -> pd.Series[int]:
    """Return the lines of many places."""
    return places % _LINES
