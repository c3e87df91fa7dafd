"""Files of one row a metric: latencies are read, throughput and memory are told apart from them."""

from __future__ import annotations

from dataclasses import replace

from kreport.readers.canonical import Input, LayoutRows
from kreport.readers.headers import fold_name, words
from kreport.readers.layouts import wide
from kreport.units import ms_divisor

NAME = "metrics"
_LATENCIES = words("latency time duration runtime elapsed run_time wall_time kernel_time")
_MORE_IS_BETTER = words("throughput bandwidth flops tflops gflops tops rate ops utilization")


def read(source: Input) -> LayoutRows:
    """Read the latency rows as a wide file.

    Other metrics are in no ratio, each with a note that says which way is better. A kernel that
    has no latency row at all keeps one row, without a measurement.
    """
    metrics, units = source.cells("metric") or (), source.cells("unit") or ()
    kernels = source.cells("kernel") or ()
    timed = [
        fold_name(metric) in _LATENCIES or ms_divisor(unit) is not None
        for metric, unit in zip(metrics, units, strict=True)
    ]
    covered = {kernels[row] for row, is_time in enumerate(timed) if is_time}
    kept: list[int] = []
    for row, is_time in enumerate(timed):
        if not is_time:
            _note(source, row, metrics[row], units[row])
        if is_time or kernels[row] not in covered:
            kept.append(row)
            covered.add(kernels[row])
    return wide.read(_without_others(source, kept, timed))


def _note(source: Input, row: int, metric: str, unit: str) -> None:
    word = fold_name(metric)
    higher = bool(set(word.split("_")) & _MORE_IS_BETTER)
    source.findings.note(
        "not-a-latency",
        f"{metric} in {unit or 'no unit'} is no latency and in no ratio"
        + ("; higher is better" if higher else ""),
        line=int(source.lines[row]),
        column=source.name_of("metric"),
        value=(source.cells("kernel") or ())[row],
    )


def _without_others(source: Input, kept: list[int], timed: list[bool]) -> Input:
    """The rows kept, with blank numbers where the metric is no latency."""
    numeric = {m.index for m in source.header.measures}
    if source.header.ratio is not None:
        numeric.add(source.header.ratio[0])
    columns = tuple(
        [cells[row] if timed[row] or index not in numeric else "" for row in kept]
        for index, cells in enumerate(source.table.columns)
    )
    lines = tuple(source.table.lines[row] for row in kept)
    return replace(source, table=replace(source.table, columns=columns, lines=lines))
