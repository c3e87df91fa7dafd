"""The numbers of one side in a wide row: median, quartiles, extremes, counts, listed samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.model import Side
from kreport.readers.canonical import Input
from kreport.readers.clock_ticks import fill_ticks
from kreport.readers.faults import refuse_without_unit
from kreport.readers.findings import Findings
from kreport.readers.headers import Measure
from kreport.readers.numbers import (
    Floats,
    NumberColumn,
    set_negatives_aside,
    to_ms,
    to_numbers,
    unit_column,
)
from kreport.units import ms_divisor

LATENCIES = ("median", "mean", "q1", "q3", "min", "max", "resolution")
COUNTS = ("n", "outliers")


@dataclass(frozen=True, slots=True)
class SideNumbers:
    """Latencies (ms) and counts of one side by statistic; NaN where the file gives none."""

    latencies: dict[str, Floats]
    counts: dict[str, Floats]
    median_column: str
    """What the file calls the medians."""
    columns_read: dict[str, NumberColumn]
    """The cells behind `latencies`, by statistic."""

    def set_negatives_aside(self, ran: npt.NDArray[np.bool_], findings: Findings) -> None:
        """Set aside the rows where a side that ran has a latency below zero."""
        for statistic, column in self.columns_read.items():
            set_negatives_aside(column, self.latencies[statistic], ran, findings)

    @property
    def median_ms(self) -> Floats:
        """The medians as read, zeros included."""
        return self.latencies["median"]

    def columns(self, prefix: str, usable: npt.NDArray[np.bool_]) -> dict[str, Floats]:
        """Columns ``<prefix>median_ms`` and so on; all NaN where the latency is not usable."""
        named = {f"{prefix}{stat}_ms": values for stat, values in self.latencies.items()}
        named |= {f"{prefix}{stat}": values for stat, values in self.counts.items()}
        return {name: np.where(usable, values, np.nan) for name, values in named.items()}


def read_side_numbers(source: Input, side: Side | None) -> SideNumbers:
    """Convert all columns of a side; None stands for columns that name no side.

    A row whose numbers contradict each other is set aside.
    """
    measures = {m.statistic: m for m in source.header.measures if m.side is side}
    shared = {m.statistic: m for m in source.header.measures if m.side is None}
    for statistic in COUNTS:
        if statistic in shared:
            measures.setdefault(statistic, shared[statistic])
    nothing = np.full(source.count, np.nan)
    latencies = dict.fromkeys(LATENCIES, nothing)
    counts = dict.fromkeys(COUNTS, nothing)
    columns_read = {}
    for statistic, measure in measures.items():
        column = _column(source, measure)
        if statistic in LATENCIES:
            latencies[statistic] = _latency(source, measure, column)
            columns_read[statistic] = column
        elif statistic in COUNTS:
            counts[statistic] = to_numbers(column, source.findings)
    _check_order(source, side, latencies)
    latencies["resolution"] = fill_ticks(latencies, source)
    return SideNumbers(latencies, counts, _median_name(source, measures), columns_read)


def _median_name(source: Input, measures: dict[str, Measure]) -> str:
    return source.header.names[measures["median"].index] if "median" in measures else "median"


def _column(source: Input, measure: Measure) -> NumberColumn:
    name = source.header.names[measure.index]
    return NumberColumn(name, source.table.columns[measure.index], source.lines)


def _latency(source: Input, measure: Measure, column: NumberColumn) -> Floats:
    if measure.unit:
        divisor = ms_divisor(measure.unit)
        return to_ms(column, np.nan if divisor is None else divisor, source.findings)
    units = source.cells("unit")
    if units is None:
        line = source.table.header_line
        refuse_without_unit(column.name, line, source.findings, or_unit_column=True)
        return np.full(source.count, np.nan)
    unit = unit_column(source.name_of("unit"), units)
    return to_ms(column, unit, source.findings)


def _check_order(source: Input, side: Side | None, latencies: dict[str, Floats]) -> None:
    """Min <= q1 <= median <= q3 <= max, as far as given."""
    for low, high in (
        ("min", "q1"),
        ("q1", "median"),
        ("median", "q3"),
        ("q3", "max"),
        ("min", "median"),
        ("median", "max"),
        ("q1", "q3"),
    ):
        wrong = (latencies[high] > 0) & (latencies[low] > latencies[high] * (1 + 1e-9))
        for index in np.flatnonzero(wrong):
            source.findings.set_aside(
                "quartiles-disorder",
                f"the {low} of the {side or 'measured'} side is above its {high}",
                line=int(source.lines[index]),
                value=f"{latencies[low][index]:g} ms > {latencies[high][index]:g} ms",
            )
