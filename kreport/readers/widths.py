"""Rows wider or narrower than their header: which can be set aside, which doom the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kreport.readers.findings import Findings
from kreport.readers.headers import Header, fold_name
from kreport.readers.options import ReadOptions
from kreport.readers.rows import Table

_DIGITS = re.compile(r"\s*[+-]?\d+\s*")
_KNOWN_NAMES = 3


def judge_widths(table: Table, header: Header, options: ReadOptions, findings: Findings) -> None:
    """Report every row whose cells do not line up with the header.

    Single rows are set aside. The file is refused where the rows that do line up cannot be
    trusted either: decimal commas in a comma file, a second header, torn lines of two writers,
    or more rows that do not fit than rows that do. `ReadOptions.lenient` keeps to single rows.
    """
    second_headers(table, findings)
    set_ragged_aside(table, findings)
    if options.lenient or not table.ragged:
        return
    _decimal_commas(table, header, findings)
    counts = WidthCounts()
    counts.add(table)
    judge_counts(counts, findings, lenient=False)


def set_ragged_aside(table: Table, findings: Findings) -> None:
    """Set aside every row that is not as wide as the header."""
    width = len(table.header)
    for line, cells in table.ragged:
        findings.set_aside(
            "row-width",
            f"{len(cells)} cells under {width} column names: the columns may be shifted",
            line=line,
            value=table.delimiter.join(cells),
            hint="a cell that holds the delimiter must be quoted" if len(cells) > width else None,
        )


@dataclass(slots=True)
class WidthCounts:
    """How many rows fit the header and how many do not; `first` is the line of the first misfit."""

    fitting: int = 0
    too_long: int = 0
    too_short: int = 0
    first: int | None = None

    def add(self, table: Table) -> None:
        """Count the rows of a table, or of a piece of one."""
        self.fitting += len(table.lines)
        for line, cells in table.ragged:
            self.first = line if self.first is None else self.first
            if len(cells) > len(table.header):
                self.too_long += 1
            else:
                self.too_short += 1


def judge_counts(counts: WidthCounts, findings: Findings, *, lenient: bool) -> None:
    """Refuse a file whose fitting rows cannot be trusted either, judged by the others."""
    if lenient or findings.refused:
        return
    misfits = counts.too_long + counts.too_short
    if counts.too_long and counts.too_short:
        findings.refuse(
            "torn-rows",
            f"{counts.too_long} rows too long and {counts.too_short} too short: "
            "two writers, or lines cut and joined",
            line=counts.first,
        )
    elif misfits > counts.fitting:
        findings.refuse(
            "shifted-columns",
            f"{misfits} of {misfits + counts.fitting} rows are not as wide as the header",
            line=counts.first,
        )


def _decimal_commas(table: Table, header: Header, findings: Findings) -> None:
    """Where joining two whole numbers again makes a long row fit, every number is in doubt."""
    if table.delimiter != ",":
        return
    latencies = {m.index for m in header.measures if m.statistic != "n"}
    for line, cells in table.ragged:
        if len(cells) > len(table.header) and _fits(cells, len(table.header), latencies):
            findings.refuse(
                "decimal-comma",
                "decimal commas in a comma-separated file: rows that seem to fit are in doubt too",
                line=line,
                value=",".join(cells),
                hint="export with decimal points",
            )
            return


def _fits(cells: Sequence[str], width: int, latencies: set[int]) -> bool:
    """Whether the cells line up once the number columns take two cells each where needed."""
    surplus = len(cells) - width
    position = 0
    for column in range(width):
        if position >= len(cells):
            return False
        pair = cells[position : position + 2]
        split = column in latencies and len(pair) == 2 and all(map(_DIGITS.fullmatch, pair))
        if split and surplus > 0:
            surplus -= 1
            position += 1
        position += 1
    return surplus == 0 and position == len(cells)


def second_headers(table: Table, findings: Findings) -> None:
    """Refuse a file with another header further down: two files in one."""
    names = {fold_name(name) for name in table.header if name}
    for line, cells in _candidates(table):
        folded = [fold_name(cell) for cell in cells]
        if folded == [fold_name(name) for name in table.header]:
            findings.refuse(
                "second-header",
                "the header again: two files in one, and nothing says where a run begins",
                line=line,
                hint="give the files one by one",
            )
        elif len(names & set(folded)) >= min(_KNOWN_NAMES, len(names)):
            findings.refuse(
                "two-schemas",
                "a second header with other columns: two files in one",
                line=line,
                value=table.delimiter.join(cells),
            )


def _candidates(table: Table) -> list[tuple[int, tuple[str, ...]]]:
    """Rows that begin like the header, and all rows of another width."""
    found = list(table.ragged)
    if table.columns and table.lines:
        first = fold_name(table.header[0])
        if first not in {fold_name(cell) for cell in set(table.columns[0])}:
            return found
        for index, cell in enumerate(table.columns[0]):
            if cell and fold_name(cell) == first:
                found.append((table.lines[index], tuple(c[index] for c in table.columns)))
    return sorted(found)
