"""A series on one line of text: a bar a run, marks where the level changes, a band that is now."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

UNICODE = "▁▂▃▄▅▆▇█"
ASCII = "_.-~=+*#"
CHANGE_MARK = "|"
_NARROWEST = 0.02
"""Height of the line in logs: noise of a percent must not look like mountains."""


@dataclass(frozen=True, slots=True)
class Sparkline:
    """Characters of the line; `outside[i]` where character `i` lies outside the band of now."""

    text: str
    outside: tuple[bool, ...]


def sparkline(
    values: Floats,
    changes: Collection[int],
    band: tuple[float, float] | None,
    *,
    width: int = 40,
    ascii_only: bool = False,
) -> Sparkline:
    """Draw positive `values`, oldest first, in at most `width` columns.

    `changes` are positions in `values` where a new level begins: each gets a mark before it. Where
    there are more values than columns, a column is the median of its share, never across a change.
    """
    starts = sorted({0, *changes})
    columns = max(1, width - len(starts) + 1)
    shares = _shares([*starts, values.size], columns)
    points = [float(np.median(values[a:b])) for a, b in shares]
    heights = _heights(np.log(np.array(points))) if points else []
    bars = ASCII if ascii_only else UNICODE
    text, outside = "", []
    for (start, _), point, height in zip(shares, points, heights, strict=True):
        if start in changes:
            text += CHANGE_MARK
            outside.append(False)
        text += bars[height]
        outside.append(band is not None and not band[0] <= point <= band[1])
    return Sparkline(text, tuple(outside))


def _shares(edges: list[int], columns: int) -> list[tuple[int, int]]:
    """Cut each stretch into columns in proportion to its length, at least one each."""
    total = edges[-1]
    shares: list[tuple[int, int]] = []
    for start, stop in pairwise(edges):
        length = stop - start
        if length == 0:
            continue
        parts = length if total <= columns else max(1, math.floor(columns * length / total))
        cuts = [start + length * part // parts for part in range(parts + 1)]
        shares += list(pairwise(cuts))
    return shares


def _heights(logs: Floats) -> list[int]:
    """Levels 0..7 between the lowest and the highest, or around the middle of a quiet series."""
    low, high = float(logs.min()), float(logs.max())
    if high - low < _NARROWEST:
        middle = (low + high) / 2
        low, high = middle - _NARROWEST / 2, middle + _NARROWEST / 2
    steps = len(UNICODE) - 1
    return [round((float(value) - low) / (high - low) * steps) for value in logs]
