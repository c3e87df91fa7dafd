"""The step of the clock behind summaries that came out without any spread.

Quartiles that are all one value say that the clock could not tell the samples apart, not that
there is no noise. What the clock's step is shows in the values themselves: whole multiples of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from kreport.readers.canonical import Input
from kreport.readers.numbers import Floats
from kreport.units import ms_divisor

_PLAIN = re.compile(r"\d{1,12}(\.\d{0,20})?")
_FEWEST_VALUES = 3
_LARGEST_SHARE = 0.05
"""Of the smallest value: a larger common factor is an accident of round numbers."""
_MOST_DECIMALS = 6
"""Values written with more digits are computed, not read off a clock."""


def tick_of(cells: Iterable[str]) -> float:
    """Return the step of which all values are multiples, in their own unit; NaN where none shows.

    The greatest common factor of at least three different values, where that is a small part of
    each, else the unit of the last decimal written.
    """
    texts = {cell.strip() for cell in cells}
    values = {text for text in texts if _PLAIN.fullmatch(text)}
    decimals = max((len(value.partition(".")[2]) for value in values), default=0)
    if not values or decimals > _MOST_DECIMALS:
        return math.nan
    scale = 10**decimals
    whole = {round(float(value) * scale) for value in values} - {0}
    if not whole:
        return math.nan
    factor = math.gcd(*whole)
    usable = len(whole) >= _FEWEST_VALUES and factor <= _LARGEST_SHARE * min(whole)
    return (factor if usable else 1) / float(scale)


def tick_ms(source: Input) -> float:
    """Return the tick of all medians and quartiles of a file that share one unit, in ms."""
    measures = [m for m in source.header.measures if m.statistic in ("median", "q1", "q3")]
    divisors = {ms_divisor(m.unit) for m in measures if m.unit}
    divisor = divisors.pop() if len(divisors) == 1 and all(m.unit for m in measures) else None
    if divisor is None:
        return math.nan
    tick = tick_of(cell for m in measures for cell in source.table.columns[m.index])
    return tick / divisor


def fill_ticks(latencies: dict[str, Floats], source: Input) -> Floats:
    """Return the resolution of each row: as given, else the tick where the quartiles are alike."""
    alike = (latencies["q1"] == latencies["q3"]) & (latencies["q1"] == latencies["median"])
    alike &= np.isnan(latencies["resolution"])
    if not alike.any():  # the usual case: looking at every cell is not free
        return latencies["resolution"]
    return np.where(alike, tick_ms(source), latencies["resolution"])
