"""Which layout a header is, asked without loading what reads it.

A file is of one layout: the modules of all the others are never imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from kreport.model import Side
from kreport.readers.headers import Header, Measure, fold_name
from kreport.units import split_unit

GOOGLE_BENCHMARK = "kreport.readers.layouts.google_benchmark"
WIDE = "kreport.readers.layouts.wide"
SIDES = "kreport.readers.layouts.sides"
SAMPLES = "kreport.readers.samples.table"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: the module that reads it, and whether a header is of it."""

    module: str
    recognises: Callable[[Header], bool]

    def load(self) -> ModuleType:
        """Import the module, which has ``NAME`` and ``read``."""
        return import_module(self.module)


def layout_of(header: Header) -> Layout | None:
    """Return the first layout that a header is of; None where it is of none."""
    return next((layout for layout in LAYOUTS if layout.recognises(header)), None)


def latency_of(header: Header) -> Measure | None:
    """Return the one column of latencies that belongs to no side by name, or None."""
    return next((m for m in header.measures if m.side is None and m.statistic == "median"), None)


def is_samples(header: Header) -> bool:
    """Whether there is a kernel, a sample index, and one latency column of no side."""
    return header.has("kernel", "sample_index") and latency_of(header) is not None


def _has(*names: str) -> Callable[[Header], bool]:
    """Columns that a tool always writes, by their exact names."""
    return lambda header: set(header.names) >= set(names)


def _is_msprof(header: Header) -> bool:
    """``Op Name`` beside a task's duration or start time."""
    stems = {split_unit(fold_name(name)).stem for name in header.names}
    return "op_name" in map(fold_name, header.names) and bool(
        {"task_duration", "task_start_time"} & stems
    )


def _is_metrics(header: Header) -> bool:
    """A metric, a unit, and a column of each side."""
    return header.has("kernel", "metric", "unit") and header.sides_measured() >= set(Side)


def _is_wide(header: Header) -> bool:
    """A kernel column, and medians or statuses of both sides by name."""
    measured = header.sides_measured()
    told = {side for side, _ in header.side_text}
    return "kernel" in header.roles and all(side in measured or side in told for side in Side)


def _is_sides(header: Header) -> bool:
    """A kernel column, and a median or listed samples that belong to no side by name."""
    return "kernel" in header.roles and None in header.sides_measured()


_FOLDER = "kreport.readers.layouts"
LAYOUTS = (
    Layout(GOOGLE_BENCHMARK, _has("name", "iterations", "real_time", "time_unit")),
    Layout(
        f"{_FOLDER}.cutlass",
        _has("Provider", "Operation", "Disposition", "Status", "Runtime"),
    ),
    Layout(f"{_FOLDER}.flashinfer", _has("routine", "median_time", "std_time", "backend")),
    Layout(f"{_FOLDER}.msprof", _is_msprof),
    Layout(f"{_FOLDER}.metrics", _is_metrics),
    Layout(WIDE, _is_wide),
    Layout(SAMPLES, is_samples),
    Layout(SIDES, _is_sides),
)
"""Asked in this order: tools with columns of their own come first."""
