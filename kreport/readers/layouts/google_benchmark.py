"""CSV and JSON of Google Benchmark: repetitions are samples, aggregates are not kernels.

``_mean``, ``_stddev`` and ``_cv`` rows are no medians (``_cv`` is a fraction) and are not used;
``_median`` is, where the repetitions themselves are not in the file. Big-O fits are no timings.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kreport.readers.canonical import Input, LayoutRows
from kreport.readers.layouts.side_words import assumed_sides
from kreport.readers.layouts.task_rows import Calls, reduce_calls
from kreport.readers.numbers import NumberColumn, set_negatives_aside, to_ms, unit_column
from kreport.readers.rows import Table

NAME = "google benchmark"
_AGGREGATE = re.compile(r"^(?P<base>.*)_(?P<what>mean|median|stddev|cv|min|max|BigO|RMS)$")
_MODIFIER = re.compile(r"^(repeats|iterations|min_time|min_warmup_time|warmup)(:|$)")
_CLOCK = re.compile(r"^(real_time|manual_time|process_time)$")
_TRUE = frozenset({"true", "1"})


def mend(table: Table) -> Table:
    """Give error rows, which the tool writes without counter columns, their full width."""
    if "error_occurred" not in table.header:
        return table
    place = table.header.index("error_occurred")
    width = len(table.header)
    mended = [
        (line, (*cells, *[""] * (width - len(cells))))
        for line, cells in table.ragged
        if place < len(cells) < width and cells[place].strip().casefold() in _TRUE
    ]
    lines = {line for line, _ in mended}
    rows = sorted([*zip(table.lines, zip(*table.columns, strict=True), strict=True), *mended])
    return replace(
        table,
        columns=tuple(zip(*(cells for _, cells in rows), strict=True)) or table.columns,
        lines=tuple(line for line, _ in rows),
        ragged=tuple(row for row in table.ragged if row[0] not in lines),
    )


def read(source: Input) -> LayoutRows:
    """Reduce the repetitions of each benchmark; a failed one is blocked, with its message."""
    rows = _Benchmarks(source)
    keep = np.array(rows.kept(), dtype=np.int64)
    names = [rows.base(row).split("/") for row in keep]
    failed = [rows.flag(row) for row in keep]
    calls = Calls(
        {
            "kernel": [parts[0] for parts in names],
            "shape": ["/".join(_arguments(parts)) for parts in names],
            "timer": [next(filter(_CLOCK.match, parts), "real_time") for parts in names],
            "reason": [rows.cell(row, "error_message") for row in keep],
        },
        {},
        assumed_sides(source, "no column names the side")[keep],
        ["error" if bad else "ok" for bad in failed],
        np.where(failed, np.nan, rows.latencies()[keep]),
        np.full(len(keep), np.nan),
        source.lines[keep],
        "real_time",
    )
    return reduce_calls(calls, source)


def _arguments(parts: list[str]) -> list[str]:
    return [p for p in parts[1:] if not _MODIFIER.match(p) and not _CLOCK.match(p)]


class _Benchmarks:
    """Rows of the file by what they are."""

    def __init__(self, source: Input) -> None:
        self.source = source
        self.columns = dict(zip(source.header.names, source.table.columns, strict=True))
        self.names = [name.strip() for name in self.columns["name"]]

    def cell(self, row: int, column: str) -> str:
        """A cell of a column that may be absent."""
        return self.columns[column][row] if column in self.columns else ""

    def flag(self, row: int) -> bool:
        """Whether the benchmark failed."""
        return self.cell(row, "error_occurred").strip().casefold() in _TRUE

    def base(self, row: int) -> str:
        """The name without an aggregate's suffix."""
        found = _AGGREGATE.match(self.names[row])
        return found["base"] if found and self._is_aggregate(row) else self.names[row]

    def _is_aggregate(self, row: int) -> bool:
        """A suffix alone may be part of a name: the plain name, or a sibling, must be there too."""
        found = _AGGREGATE.match(self.names[row])
        if found is None:
            return False
        if self.cell(row, "run_type"):
            return self.cell(row, "run_type") == "aggregate"
        siblings = {
            found["base"],
            *(f"{found['base']}_{what}" for what in ("mean", "median", "stddev", "cv")),
        }
        fits = ("BigO", "RMS")
        return found["what"] in fits or bool((siblings - {self.names[row]}) & set(self.names))

    def kept(self) -> list[int]:
        """Raw repetitions, and medians of what has none; the rest is noted."""
        raw = [row for row in range(len(self.names)) if not self._is_aggregate(row)]
        known = {self.names[row] for row in raw}
        kept = list(raw)
        for row in range(len(self.names)):
            found = _AGGREGATE.match(self.names[row])
            if found is None or row in raw:
                continue
            if found["what"] == "median" and found["base"] not in known:
                kept.append(row)
            elif found["what"] in ("BigO", "RMS"):
                line = int(self.source.lines[row])
                message = "a fit over sizes is no timing: not used"
                self.source.findings.note("not-a-timing", message, line=line, value=self.names[row])
        return sorted(kept)

    def latencies(self) -> np.ndarray:
        """Real times in ms; rows that are not kept have no part in any problem."""
        kept = set(self.kept())
        times = self.columns["real_time"]
        cells = ["" if row not in kept or self.flag(row) else t for row, t in enumerate(times)]
        column = NumberColumn("real_time", cells, self.source.lines)
        unit = unit_column("time_unit", self.columns["time_unit"])
        values = to_ms(column, unit, self.source.findings)
        set_negatives_aside(column, values, np.ones(len(values), dtype=bool), self.source.findings)
        return values
