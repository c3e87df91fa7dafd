"""From text to rows: strict quoting, exact line numbers, and every row as wide as its header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kreport.readers.findings import Findings
from kreport.readers.options import Limits

DELIMITERS = ",;\t"
_PREAMBLE = re.compile(r"(?:(?:#[^\n]*|sep=.\r?)\n)+", re.IGNORECASE)
_SWALLOWED_LINES = 200
"""A broken-off cell may hold a long compiler message; more lines than this are swallowed rows."""


@dataclass(frozen=True, slots=True)
class Table:
    """A delimited file taken apart.

    `columns[i]` holds the cells under `header[i]`, as written; `lines` the 1-based physical line
    on which each row begins (a place where several do, see `kreport.readers.places`). Rows of
    another width are kept apart in `ragged`, for `kreport.readers.widths` to judge.
    `rows_in_file` counts all data rows; `complete` is False where the file ends in the middle of
    one.
    """

    header: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: tuple[int, ...]
    header_line: int
    rows_in_file: int
    complete: bool
    delimiter: str
    ragged: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(slots=True)
class _Records:
    """Rows as the csv module gives them. `tail` is the line of a row that never ends."""

    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    tail: int | None = None


def split_rows(text: str, limits: Limits, findings: Findings) -> Table | None:
    """Take a delimited text apart; None with FILE findings where that is not possible.

    The delimiter is the one of comma, semicolon and tab that cuts the header into most cells.
    Blank lines, rows of nothing but delimiters, and comments above the header are skipped.
    """
    text = _without_preamble(text)
    delimiter = delimiter_of(text)
    records = _collect(text, delimiter, limits, findings)
    if records is None:
        return None
    if not records.rows:
        findings.refuse("empty", "there is nothing in the file")
        return None
    return _table(text, delimiter, records, limits, findings)


def _without_preamble(text: str) -> str:
    """Blank out what stands above a header: ``#`` comments, and the ``sep=;`` of a spreadsheet."""
    found = _PREAMBLE.match(text)
    if found is None:
        return text
    return "\n" * found[0].count("\n") + text[found.end() :]


def delimiter_of(text: str) -> str:
    """The mark of comma, semicolon and tab that the first line of a text has most of."""
    head = text.lstrip().partition("\n")[0]
    return max(DELIMITERS, key=lambda mark: (head.count(mark), mark == ","))


def is_blank(row: list[str]) -> bool:
    """Whether a row holds nothing at all."""
    return not any(cell.strip() for cell in row)


def _collect(text: str, delimiter: str, limits: Limits, findings: Findings) -> _Records | None:
    """Rows up to the end, or to where the csv module stops; None where that dooms the file."""
    records = _Records()
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    previous = csv.field_size_limit(limits.max_cell)
    line = 1
    try:
        for row in reader:
            if row and (row[0].strip() or not is_blank(row)):
                records.rows.append(row)
                records.lines.append(line)
            line = reader.line_num + 1
            if len(records.rows) > limits.max_table_rows + 1:
                message = (
                    f"more than {limits.max_table_rows:,} rows in a file that is not of samples"
                )
                findings.refuse("too-many-rows", message)
                return None
    except csv.Error as error:
        if not broken_off(str(error), line, reader.line_num, limits, findings):
            return None
        records.tail = line
    finally:
        csv.field_size_limit(previous)
    return records


def broken_off(error: str, line: int, stopped: int, limits: Limits, findings: Findings) -> bool:
    """Whether the text merely ends too early; anything else is a reason to refuse the file."""
    if "field larger" in error:
        message = f"a cell of more than {limits.max_cell:,} characters"
        findings.refuse("cell-too-large", message, line=line)
        return False
    if "NUL" in error:
        findings.refuse("binary", "a NUL byte: this is not text", line=stopped + 1)
        return False
    if "unexpected end of data" not in error:
        message = "a quote that is neither doubled nor the end of its cell"
        findings.refuse("quoting", message, line=stopped, hint=f"the row begins on line {line}")
        return False
    if stopped - line > _SWALLOWED_LINES:
        message = f"a quote opened here is never closed and swallows {stopped - line} lines"
        findings.refuse("unclosed-quote", message, line=line)
        return False
    return True


def _table(
    text: str, delimiter: str, records: _Records, limits: Limits, findings: Findings
) -> Table | None:
    header_line = records.lines.pop(0)
    header = tuple(name.strip() for name in records.rows.pop(0))
    if len(header) > limits.max_columns:
        message = f"{len(header):,} columns, more than {limits.max_columns:,}"
        findings.refuse("too-many-columns", message, line=header_line)
        return None
    header = _without_trailing_blank(header, records.rows)
    total = len(records.rows) + (records.tail is not None)
    complete = _drop_tail(text, header, records, findings)
    width = len(header)
    ragged = _take_ragged(records, width)
    columns = tuple(zip(*records.rows, strict=True))
    return Table(
        header,
        columns or tuple(() for _ in header),
        tuple(records.lines),
        header_line,
        total,
        complete,
        delimiter,
        ragged,
    )


def _take_ragged(records: _Records, width: int) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Take the rows of another width out, with their lines."""
    if set(map(len, records.rows)) <= {width}:
        return ()
    pairs = list(zip(records.lines, records.rows, strict=True))
    records.rows = [row for _, row in pairs if len(row) == width]
    records.lines = [line for line, row in pairs if len(row) == width]
    return tuple((line, tuple(row)) for line, row in pairs if len(row) != width)


def _without_trailing_blank(header: tuple[str, ...], rows: list[list[str]]) -> tuple[str, ...]:
    """Where every line ends in a delimiter, the last column is none."""
    while len(header) > 1 and not header[-1]:
        last = len(header) - 1
        if any(len(row) > last and row[last].strip() for row in rows):
            return header
        for row in rows:
            if len(row) == len(header):
                del row[last]
        header = header[:-1]
    return header


def _drop_tail(text: str, header: tuple[str, ...], records: _Records, findings: Findings) -> bool:
    """Set a row aside that the end of the file cuts off; False where there is one."""
    if records.tail is not None:
        set_open_row_aside(records.tail, findings)
        return False
    if not records.rows or text.endswith(("\n", "\r")):
        return True
    if len(records.rows[-1]) >= len(header):
        note_no_line_break(records.lines[-1], findings)
        return True
    set_cut_row_aside(records.lines.pop(), len(records.rows.pop()), len(header), findings)
    return False


def note_no_line_break(line: int, findings: Findings) -> None:
    """Note that the last row, although whole, may have been cut in its last cell."""
    message = "the file does not end with a line break: its last cell may be cut short"
    findings.note("no-final-line-break", message, line=line)


def set_cut_row_aside(line: int, cells: int, width: int, findings: Findings) -> None:
    """Set a last row aside that lacks cells and a line break."""
    message = f"the file ends in the middle of a row: {cells} cells of {width}"
    findings.set_aside("truncated", message, line=line)


def set_open_row_aside(line: int, findings: Findings) -> None:
    """Set a last row aside of which a quoted cell is still open."""
    message = "the file ends inside a quoted cell: this row is not whole"
    findings.set_aside("truncated", message, line=line)
