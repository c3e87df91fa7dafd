"""A long samples file with faults in it: read with care, a piece at a time, in bounded memory."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from kreport.readers.canonical import Input
from kreport.readers.coded import Coded, joined
from kreport.readers.content import merge_marker_lines
from kreport.readers.faults import refuse_bytes, refuse_merge_markers, refuse_nul, refuse_rivals
from kreport.readers.findings import Findings
from kreport.readers.headers import Header, fold_name, recognise
from kreport.readers.layouts.known import is_samples
from kreport.readers.options import ReadOptions
from kreport.readers.refusals import damaged_gzip
from kreport.readers.rows import (
    Table,
    broken_off,
    delimiter_of,
    is_blank,
    note_no_line_break,
    set_cut_row_aside,
    set_open_row_aside,
)
from kreport.readers.samples.counted import CountedStream
from kreport.readers.samples.long_file import LongFile
from kreport.readers.samples.rows import SampleRows
from kreport.readers.samples.table import sample_rows
from kreport.readers.widths import WidthCounts, judge_counts, second_headers, set_ragged_aside

_PIECE_ROWS = 50_000


@dataclass(slots=True)
class _Read:
    """What has been read so far."""

    pieces: list[SampleRows] = field(default_factory=list)
    widths: WidthCounts = field(default_factory=WidthCounts)
    rows: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class CarefulSamples:
    """Samples read with care; rows set aside are not among them but are in `rows_in_file`."""

    rows: SampleRows
    rows_in_file: int
    complete: bool


def read_pieces(
    long: LongFile, path: str, run: str, options: ReadOptions, findings: Findings
) -> CarefulSamples | None:
    """Read a file of samples; None where it is another layout, or where `findings` refuse it."""
    counted = CountedStream(long.stream, path, options.limits)
    try:
        text = io.TextIOWrapper(io.BufferedReader(counted, 1 << 20), _encoding(options), newline="")
    except (LookupError, ValueError):
        return None  # no such encoding: reading it whole says so
    read = _Read()
    header: Header | None = None
    try:
        for table in _tables(text, counted, options, findings):
            if header is None:
                if len(table.header) > options.limits.max_columns:
                    return None  # reading it whole says so
                header = recognise(table.header)
                if not is_samples(header) or len(set(table.header)) < len(table.header):
                    return None
                if header.has("side") and fold_name(header.names[header.roles["side"]]) != "side":
                    return None  # whether it names sides is only known of the whole column
                continue
            _refuse_what_is_no_table(table, header, counted, findings)
            if findings.refused:
                return None
            _take(table, Input(table, header, options, findings, run), read)
            if read.rows > options.limits.max_rows:
                findings.refuse("too-many-rows", f"more than {options.limits.max_rows:,} rows")
            if findings.refused:
                return None
    except (UnicodeError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        if header is None:
            return None  # nothing says yet that these are samples
        _refuse_damage(error, read, findings)
    judge_counts(read.widths, findings, lenient=options.lenient)
    if findings.refused or not read.pieces:
        return None
    return CarefulSamples(_whole(read.pieces), read.rows, read.complete)


def _refuse_damage(error: Exception, read: _Read, findings: Findings) -> None:
    after = f"after row {read.rows:,}"
    if isinstance(error, UnicodeDecodeError):
        bad = error.object[error.start : error.start + 1]
        refuse_bytes(bad, after, error.encoding, findings)
    else:
        findings.take(damaged_gzip(findings.file, error, after))


def _encoding(options: ReadOptions) -> str:
    return "utf-8-sig" if options.encoding == "utf-8" else options.encoding


def _refuse_what_is_no_table(
    table: Table, header: Header, counted: CountedStream, findings: Findings
) -> None:
    """What reading a file whole would refuse it for, wherever in it that stands."""
    refuse_rivals(table, header, findings)
    for line, cells in table.ragged:
        if merge_marker_lines(cells[0].encode("utf-8", "replace")):
            refuse_merge_markers(line, findings)
            return
    if counted.count("\0"):  # in this piece, or in one that comes
        rows = chain(zip(table.lines, zip(*table.columns, strict=True), strict=True), table.ragged)
        for line, cells in rows:
            if any("\0" in cell for cell in cells):
                refuse_nul(line, "NUL in a cell", findings)
                return


def _take(table: Table, source: Input, read: _Read) -> None:
    second_headers(table, source.findings)
    set_ragged_aside(table, source.findings)
    read.widths.add(table)
    read.rows += table.rows_in_file
    read.complete = read.complete and table.complete
    read.pieces.append(sample_rows(source))


def _tables(
    text: io.TextIOWrapper, counted: CountedStream, options: ReadOptions, findings: Findings
) -> Iterator[Table]:
    """The header as a table without rows, then pieces of the file as tables under it."""
    first = text.readline()
    delimiter = delimiter_of(first)
    reader = csv.reader(chain([first], text), delimiter=delimiter, strict=True)
    previous = csv.field_size_limit(options.limits.max_cell)
    try:
        header = _header(reader)
        yield _Piece(header, delimiter).table()
        piece = _Piece(header, delimiter)
        line = reader.line_num + 1
        try:
            for row in reader:
                if not is_blank(row):
                    piece.add(line, row)
                line = reader.line_num + 1
                if len(piece.lines) >= _PIECE_ROWS:
                    yield piece.table()
                    piece = _Piece(header, delimiter)
        except csv.Error as error:
            if broken_off(str(error), line, reader.line_num, options.limits, findings):
                set_open_row_aside(line, findings)
                piece.complete = False
        else:
            if counted.last not in (b"\n", b"\r"):
                piece.end_without_line_break(findings)
        yield piece.table()
    finally:
        csv.field_size_limit(previous)


def _header(reader: Iterator[list[str]]) -> tuple[str, ...]:
    """The first row; () where there is none, which is no layout of anything."""
    try:
        return tuple(name.strip() for name in next(reader, []))
    except csv.Error:
        return ()  # not delimited at all, or not well: whoever reads it whole says so


class _Piece:
    """Rows of one piece."""

    def __init__(self, header: tuple[str, ...], delimiter: str) -> None:
        self.header = header
        self.delimiter = delimiter
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.ragged: list[tuple[int, tuple[str, ...]]] = []
        self.complete = True

    def add(self, line: int, row: list[str]) -> None:
        """Add a row, apart from the others where its width is not the header's."""
        if len(row) == len(self.header):
            self.rows.append(row)
            self.lines.append(line)
        else:
            self.ragged.append((line, tuple(row)))

    def end_without_line_break(self, findings: Findings) -> None:
        """Judge the last row of a file that does not end in a line break."""
        last = max([*self.lines[-1:], *(line for line, _ in self.ragged[-1:])], default=0)
        if not self.ragged or self.ragged[-1][0] < last or len(self.ragged[-1][1]) > self.width:
            note_no_line_break(last, findings)
            return
        cells = len(self.ragged.pop()[1])
        set_cut_row_aside(last, cells, self.width, findings)
        self.complete = False

    @property
    def width(self) -> int:
        """Cells of a whole row."""
        return len(self.header)

    def table(self) -> Table:
        """The piece as a table."""
        columns = tuple(zip(*self.rows, strict=True)) or tuple(() for _ in self.header)
        total = len(self.rows) + len(self.ragged) + (not self.complete)
        return Table(
            self.header,
            columns,
            tuple(self.lines),
            1,
            total,
            self.complete,
            self.delimiter,
            tuple(self.ragged),
        )


def _whole(pieces: list[SampleRows]) -> SampleRows:
    """Pieces put one after the other."""

    def column(parts: list[Coded | None]) -> Coded | None:
        given = [part for part in parts if part is not None]
        return joined(given) if given else None

    first = pieces[0]
    return SampleRows(
        {role: joined([piece.texts[role] for piece in pieces]) for role in first.texts},
        {name: joined([piece.parameters[name] for piece in pieces]) for name in first.parameters},
        joined([piece.side for piece in pieces]),
        column([piece.status for piece in pieces]),
        column([piece.correct for piece in pieces]),
        np.concatenate([piece.latency_ms for piece in pieces]),
        np.concatenate([piece.sample_index for piece in pieces]),
        np.concatenate([piece.line for piece in pieces]),
        first.columns,
    )
