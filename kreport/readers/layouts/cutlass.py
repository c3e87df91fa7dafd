"""CSV of cutlass_profiler: one row an operation; its Disposition decides, not its Status.

Column names differ in case alone (``C`` and ``c``), so that they are taken as written here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kreport.model import Notice, Side
from kreport.readers.canonical import Input, LayoutRows, fold_text, text_column
from kreport.readers.coded import coded
from kreport.readers.layouts.side_words import assumed_sides
from kreport.readers.numbers import NumberColumn, set_negatives_aside, to_ms
from kreport.readers.outcomes import StoryColumns, joined_notices, look_up, tell
from kreport.readers.pairing import SideRows, pair_sides
from kreport.readers.parameters import parameter_column

NAME = "cutlass profiler"
_DESCRIBE = frozenset(
    {"Provider", "Operation", "Disposition", "Status", "Runtime", "Problem", "OperationKind"}
)
_MEASURED = frozenset({"Bytes", "Flops", "Flops/Byte", "Runtime", "GB/s", "GFLOPs"})
_SIZES = ("m", "n", "k", "h", "w", "c", "p", "q", "r", "s", "batch_count")
_VENDORS = frozenset({"cublas", "cudnn", "cublaslt"})


def read(source: Input) -> LayoutRows:
    """One row an operation and problem; runtimes are milliseconds, as the tool documents.

    ``incorrect`` ran but is wrong, ``not_verified`` ran unchecked, ``failed`` and
    ``not_supported`` did not run: their runtime of zero is no measurement.
    """
    columns = dict(zip(source.header.names, source.table.columns, strict=True))
    count = source.count
    aliases = source.options.kernel_aliases
    kernel = text_column(columns["Operation"], count, fold_text)
    kernel = text_column(list(kernel), count, lambda name: aliases.get(name, name))
    for row in np.flatnonzero(kernel == "").tolist():
        source.findings.set_aside("no-kernel-name", "no Operation", line=int(source.lines[row]))
    runtime = NumberColumn("Runtime", columns["Runtime"], source.lines)
    told = coded(columns["Disposition"])
    words = look_up(told, source.lines, "Disposition", source.options, source.findings)
    latency = to_ms(runtime, 1.0, source.findings)
    columns_read = StoryColumns("Disposition", "Runtime")
    story = tell(words, None, latency, source.lines, columns_read, source.findings)
    set_negatives_aside(runtime, latency, story.ran, source.findings)
    sizes = [name for name in _SIZES if name in columns]
    others = [n for n in columns if n not in _DESCRIBE | _MEASURED and n not in sizes and n]
    nothing = np.full(count, "", dtype=object)
    texts = {
        "family": text_column(columns.get("OperationKind"), count, fold_text),
        "kernel": kernel,
        "variant_label": nothing,
        "shape": parameter_column(sizes, [columns[name] for name in sizes], count),
        "parameters": parameter_column(others, [columns[name] for name in others], count),
        "ordinal": nothing,
        "timer": nothing,
        "run": np.full(count, source.run, dtype=object),
        "device": nothing,
        "status": story.status,
        "correct": story.correct,
        "reason": _reasons(columns, words.plain(), count),
        "notices": joined_notices(
            {Notice.NO_LATENCY: story.no_latency, Notice.ZERO_LATENCY: story.zero}, count
        ),
    }
    numbers = {"median_ms": np.where(story.usable, latency, np.nan)}
    rows = SideRows(_sides(source, columns["Provider"]), texts, numbers, source.lines)
    return LayoutRows(pair_sides(rows, source.findings, source.findings.rows()).columns)


def _reasons(columns: dict[str, Sequence[str]], plain: np.ndarray, count: int) -> np.ndarray:
    told = [
        f"disposition {disposition}, status {status}"
        for disposition, status in zip(columns["Disposition"], columns["Status"], strict=True)
    ]
    reasons = np.full(count, "", dtype=object)
    reasons[~plain] = np.array(told, dtype=object)[~plain]
    return reasons


def _sides(source: Input, providers: Sequence[str]) -> np.ndarray:
    folded = text_column(providers, source.count, str.casefold)
    vendor = np.isin(folded.astype(str), list(_VENDORS))
    sides = assumed_sides(source, "no column names the side")
    return np.where(vendor, Side.BASELINE.value, sides).astype(object)
