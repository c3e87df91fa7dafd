"""CSV of flashinfer_benchmark: one row a routine and backend; ``median_time`` is milliseconds."""

from __future__ import annotations

from dataclasses import replace

from kreport.readers.canonical import Input, LayoutRows
from kreport.readers.layouts import sides

NAME = "flashinfer"


def read(source: Input) -> LayoutRows:
    """Read as one row a side, in the unit that the tool documents for a column without one."""
    measures = tuple(
        replace(measure, unit="ms") if not measure.unit else measure
        for measure in source.header.measures
    )
    return sides.read(replace(source, header=replace(source.header, measures=measures)))
