"""The kernel-state matrix in any of its three forms, one row a kernel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from kreport.errors import InputError
from kreport.identity import stamp_in
from kreport.model import MatrixEntry, StateMatrix
from kreport.problems import Severity, of_severity
from kreport.readers.content import STDIN, decode, load, merge_marker_lines
from kreport.readers.faults import note_case_twin, refuse_merge_markers
from kreport.readers.findings import Findings
from kreport.readers.headers import fold_name, recognise
from kreport.readers.json_text import element_lines, parse_json
from kreport.readers.matrix.matrix_entry import FIELD_OF, entry_of
from kreport.readers.matrix.matrix_markdown import read_markdown
from kreport.readers.options import ReadOptions
from kreport.readers.rows import split_rows

_LARGEST = 2 << 20
"""Bytes: a matrix has a row a kernel, not a row a sample."""
_MARKDOWN = (".md", ".markdown")
_HEAD_BYTES = 1 << 16
_MATRIX_KEYS = re.compile(r'"(primary_class|scalar_hot_path|state)"\s*:')
_RUN_KEYS = re.compile(r'"(variants|rounds|\w+_(us|ms|ns))"\s*:')
_STRUCTURE = frozenset({"primary_class", "scalar_hot_path"})
"""Fields that only a matrix has."""
_DELIMITER_ROW = frozenset("|-: \t\r")


def is_matrix(path: str) -> bool:
    """Whether a path holds a kernel-state matrix rather than runs, judged by its content.

    False for what cannot be read at all: reading it as runs says why.
    """
    if path == STDIN or not Path(path).is_file():
        return False
    if path.endswith(_MARKDOWN):
        return True
    if not path.endswith((".json", ".csv")):
        return False
    with Path(path).open("rb") as stream:
        return is_matrix_text(stream.read(_HEAD_BYTES).decode("utf-8", "replace"))


def is_matrix_text(text: str) -> bool:
    """Whether a text is a Markdown table, or says how kernels are built and holds no latencies."""
    head = text[:_HEAD_BYTES]
    if _has_table(head):
        return True
    if _is_json(head):
        return bool(_MATRIX_KEYS.search(head)) and not _RUN_KEYS.search(head)
    names = head.partition("\n")[0].split(",")
    built = {FIELD_OF.get(fold_name(name), "") for name in names} & _STRUCTURE
    return bool(built) and "name" in map(FIELD_OF.get, map(fold_name, names)) and not _is_run(names)


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _is_run(names: Sequence[str]) -> bool:
    """Whether a header has a column of latencies."""
    return bool(recognise(names).sides_measured())


def read_matrix(path: str, options: ReadOptions | None = None) -> StateMatrix:
    """Read a matrix from Markdown, JSON or CSV, told apart by content.

    A kernel that is given twice with different content is noted and its first row counts, as does
    one that differs from another only in case. Raises InputError where the file cannot be trusted
    or, with `ReadOptions.strict`, where any row is set aside.
    """
    options = options or ReadOptions()
    content = load(path, replace(options.limits, max_text_bytes=_LARGEST))
    findings = Findings(content.name)
    for line in merge_marker_lines(content.data)[:1]:
        refuse_merge_markers(line, findings)
    text = "" if findings.refused else decode(content, options, findings)
    found = None
    if not findings.refused:
        try:
            found = _read_text(text, options, findings)
        except RecursionError:
            findings.refuse("json", "nested too deeply to be read")
    entries, stamp = found or ([], "")
    if found is not None and not entries and not findings.rows_set_aside:
        findings.refuse("empty", "the matrix has no rows")
    aliases = options.kernel_aliases
    entries = [replace(entry, name=aliases.get(entry.name, entry.name)) for entry in entries]
    entries = _each_once(entries, findings)
    problems = findings.problems()
    if findings.refused or (options.strict and of_severity(problems, Severity.ROW)):
        raise InputError(f"the state matrix {content.name} cannot be trusted", problems)
    stamp = stamp or stamp_in(content.name)
    return StateMatrix(tuple(entries), stamp, content.name, content.sha256, problems)


def _read_text(
    text: str, options: ReadOptions, findings: Findings
) -> tuple[list[MatrixEntry], str] | None:
    if _is_json(text):
        return _read_json(text, findings)
    if _has_table(text):
        return read_markdown(text, findings)
    return _read_csv(text, options, findings)


def _has_table(text: str) -> bool:
    """Whether a line with pipes has a line of dashes under it."""
    lines = text.split("\n")
    return any(
        "|" in head and "-" in under and set(under) <= _DELIMITER_ROW
        for head, under in pairwise(lines)
    )


def _read_json(text: str, findings: Findings) -> tuple[list[MatrixEntry], str] | None:
    tree = parse_json(text, findings)
    kernels = tree.get("kernels") if isinstance(tree, dict) else tree
    if findings.refused:
        return None
    if not isinstance(kernels, list):
        findings.refuse("no-matrix", 'no list under the key "kernels"')
        return None
    if _RUN_KEYS.search(text) and not _MATRIX_KEYS.search(text):
        _refuse_run(findings)
        return None
    stamp = stamp_in(str(tree.get("generated_at", ""))) if isinstance(tree, dict) else ""
    lines = element_lines(text, "kernels", len(kernels))
    entries = []
    for line, row in zip(lines, kernels, strict=True):
        if not isinstance(row, dict):
            findings.set_aside(
                "not-an-object", "expected one object a kernel", line=line, value=row
            )
            continue
        entry = entry_of(_fields(row), line, findings)
        if entry is not None:
            entries.append(entry)
    return entries, stamp


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    """Known keys by the field they fill; where two spell the same field the first wins."""
    fields: dict[str, Any] = {}
    for key, value in row.items():
        name = FIELD_OF.get(fold_name(key))
        if name is not None:
            fields.setdefault(name, value)
    return fields


def _read_csv(
    text: str, options: ReadOptions, findings: Findings
) -> tuple[list[MatrixEntry], str] | None:
    table = split_rows(text, options.limits, findings)
    if table is None:
        return None
    names = [FIELD_OF.get(fold_name(name), "") for name in table.header]
    if "name" not in names:
        findings.refuse(
            "no-matrix",
            "neither a Markdown table, nor JSON, nor a CSV with a kernel column",
            line=table.header_line,
            value=table.delimiter.join(table.header),
        )
        return None
    if _is_run(table.header) and not _STRUCTURE & set(names):
        _refuse_run(findings, table.header_line)
        return None
    for line, cells in table.ragged:
        message = f"{len(cells)} cells under {len(names)} column names"
        findings.set_aside("row-width", message, line=line, value=table.delimiter.join(cells))
    rows: Sequence[Sequence[str]] = list(zip(*table.columns, strict=True))
    found = [
        entry_of(_fields(dict(zip(table.header, row, strict=True))), line, findings)
        for line, row in zip(table.lines, rows, strict=True)
    ]
    return [entry for entry in found if entry is not None], ""


def _refuse_run(findings: Findings, line: int | None = None) -> None:
    findings.refuse(
        "no-matrix",
        "this is a run, not a kernel-state matrix: it says nothing about how kernels are built",
        line=line,
        hint="give it without --matrix",
    )


def _each_once(entries: list[MatrixEntry], findings: Findings) -> list[MatrixEntry]:
    """Each kernel and shape once; case twins stay apart, with a note."""
    first: dict[tuple[str, str], MatrixEntry] = {}
    folded: dict[str, MatrixEntry] = {}
    for entry in entries:
        known = first.setdefault((entry.name, entry.shape), entry)
        if known is not entry:
            findings.note(
                "repeated-kernel",
                f"{entry.name} is given before"
                + (f", on line {known.line}" if known.line else "")
                + ": the first row counts",
                line=entry.line,
                value=entry.name,
            )
        twin = folded.setdefault(entry.name.casefold(), entry)
        if twin.name != entry.name:
            note_case_twin(entry.name, twin.name, entry.line, findings)
    return list(first.values())
