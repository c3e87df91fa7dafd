"""The kernel-state matrix as a Markdown table: found by its header, every row accounted for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kreport.identity import stamp_in
from kreport.model import MatrixEntry
from kreport.readers.findings import Findings
from kreport.readers.headers import fold_name
from kreport.readers.matrix.matrix_entry import FIELD_OF, entry_of

if TYPE_CHECKING:
    from markdown_it.token import Token

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"^\[(?P<text>[^\]]*)\]\((?P<target>[^()\s]*)\)$")
_CONTINUED = re.compile(
    r"^(?P<what>scalar matches|gap ids|gap components)\s*:\s*(?P<list>.*)$", re.I
)
_UNESCAPED_PIPE = re.compile(r"(?<!\\)(?:\\\\)*\|")


@dataclass(slots=True)
class _Matrix:
    """The table being read: its columns, and the fields of each entry so far."""

    columns: list[str]
    rows: list[tuple[int, dict[str, object]]] = field(default_factory=list)


def read_markdown(text: str, findings: Findings) -> tuple[list[MatrixEntry], str] | None:
    """Entries and the stamp of the text; None with a FILE finding where no table names kernels.

    Rows with more or fewer cells than the header are set aside. Rows that prose or a comment cut
    off from the table are read, with a note. Fenced blocks are no tables.
    """
    from markdown_it import MarkdownIt  # 44 ms that only Markdown input costs

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable("inline")  # cells are read raw, and inline parsing can be slow
    tokens = parser.parse(text)
    lines = _lines(text)
    matrix: _Matrix | None = None
    for index, token in enumerate(tokens):
        if token.type == "table_open" and token.map is not None:
            columns = _header(tokens, index)
            if "name" in columns and matrix is None:
                matrix = _Matrix(columns)
                _take_table(tokens, index, lines, matrix, findings)
            elif "name" in columns:
                line = token.map[0] + 1
                findings.refuse("two-tables", "a second table of kernels", line=line)
        elif token.type in ("paragraph_open", "html_block") and matrix is not None:
            _take_stray_rows(token, lines, matrix, findings)
    if matrix is None:
        findings.refuse("no-matrix", "no table with a Kernel column")
        return None
    found = [entry_of(fields, line, findings) for line, fields in matrix.rows]
    return [entry for entry in found if entry is not None], _stamp(lines)


def _lines(text: str) -> list[str]:
    """Lines as the Markdown parser counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _stamp(lines: list[str]) -> str:
    """The stamp of the line that says when the file was generated."""
    for line in lines:
        if "generated" in line[:40].casefold():
            return stamp_in(line)
    return ""


def _header(tokens: list[Token], start: int) -> list[str]:
    columns = []
    for index in range(start, len(tokens)):
        if tokens[index].type == "thead_close":
            break
        if tokens[index].type == "th_open":
            columns.append(FIELD_OF.get(fold_name(tokens[index + 1].content), ""))
    return columns


def _take_table(
    tokens: list[Token], start: int, lines: list[str], matrix: _Matrix, findings: Findings
) -> None:
    in_body = False
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token.type == "table_close":
            return
        in_body = in_body or token.type == "tbody_open"
        if in_body and token.type == "tr_open" and token.map is not None:
            cells = _cells_of(tokens, index)
            _take_row(token.map[0], cells, lines[token.map[0]], matrix, findings)


def _cells_of(tokens: list[Token], row: int) -> list[str]:
    cells = []
    for index in range(row, len(tokens)):
        if tokens[index].type == "tr_close":
            break
        if tokens[index].type == "td_open":
            cells.append(tokens[index + 1].content)
    return cells


def _take_row(index: int, cells: list[str], raw: str, matrix: _Matrix, findings: Findings) -> None:
    """One row: `index` is 0-based; `raw` is recounted, because the parser drops excess cells."""
    line = index + 1
    counted = _count_cells(raw)
    if counted != len(matrix.columns):
        findings.set_aside(
            "row-width",
            f"{counted} cells under {len(matrix.columns)} column names",
            line=line,
            value=raw,
            hint=r"a pipe inside a cell is written \|, in code too" if "`" in raw else None,
        )
        return
    fields: dict[str, object] = {}
    for name, cell in zip(matrix.columns, cells, strict=True):
        if name:
            fields.setdefault(name, _target(cell) if name == "report_path" else _plain(cell))
    if not fields.get("name") and _continue_row(cells, matrix):
        return
    matrix.rows.append((line, fields))


def _continue_row(cells: list[str], matrix: _Matrix) -> bool:
    """Add ``scalar matches:`` or ``gap ids:`` to the entry above; whether the row was one.

    ``gap components:`` is one too, although nothing is made of it: it names no kernel.
    """
    for cell in cells:
        found = _CONTINUED.match(cell.strip())
        if found and matrix.rows:
            name = found["what"].casefold().replace(" ", "_")
            matrix.rows[-1][1][name] = found["list"].strip().strip("`")
            return True
    return False


def _take_stray_rows(token: Token, lines: list[str], matrix: _Matrix, findings: Findings) -> None:
    """Rows that stand after the table's end, because prose or a comment broke it."""
    if token.map is None:
        return
    for index in range(*token.map):
        raw = lines[index].strip()
        if not (raw.startswith("|") and raw.endswith("|") and len(raw) > 1):
            continue
        if _count_cells(raw) == len(matrix.columns):
            findings.note(
                "broken-table",
                "a row after a break in the table: read as part of it",
                line=index + 1,
                value=raw,
                hint="remove the text or comment between the rows",
            )
        _take_row(index, _split_cells(raw), raw, matrix, findings)


def _split_cells(raw: str) -> list[str]:
    inner = raw.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _count_cells(raw: str) -> int:
    body = raw.strip()
    count = len(_UNESCAPED_PIPE.findall(body)) + 1
    return count - body.startswith("|") - (len(body) > 1 and bool(re.search(r"(?<!\\)\|$", body)))


def _plain(cell: str) -> str:
    """A cell without code marks and backslash escapes; emphasis marks stay, they are names."""
    text = cell.strip()
    if len(text) > 1 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:
        return text[1:-1].strip()
    return _ESCAPED.sub(r"\1", text)


def _target(cell: str) -> str:
    link = _LINK.match(cell.strip())
    return link["target"] if link else _plain(cell)
