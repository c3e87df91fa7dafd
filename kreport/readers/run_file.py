"""One file of runs: which layout its header is, and the rows that may be believed."""

from __future__ import annotations

from dataclasses import dataclass

from kreport.readers.canonical import Input, LayoutRows
from kreport.readers.content import Content, decode, merge_marker_lines
from kreport.readers.faults import refuse_merge_markers, refuse_rivals
from kreport.readers.findings import Findings
from kreport.readers.headers import Header, misspelt, recognise
from kreport.readers.layouts.known import (
    GOOGLE_BENCHMARK,
    SAMPLES,
    SIDES,
    WIDE,
    Layout,
    layout_of,
)
from kreport.readers.matrix.state_matrix import is_matrix_text
from kreport.readers.options import ReadOptions
from kreport.readers.rows import Table, split_rows
from kreport.readers.widths import judge_widths


@dataclass(frozen=True, slots=True)
class FileFrame:
    """What one file gave: canonical rows without those set aside, and what the file is."""

    found: LayoutRows
    layout: str
    rows: int
    complete: bool


def read_file(
    content: Content, run: str, options: ReadOptions, findings: Findings
) -> FileFrame | None:
    """Read a file of any layout, delimited or JSON; None where `findings` refuse it."""
    markers = merge_marker_lines(content.data)
    if markers:
        refuse_merge_markers(markers[0], findings)
        return None
    text = decode(content, options, findings)
    if findings.refused:
        return None
    if is_matrix_text(text):
        findings.refuse(
            "is-a-matrix",
            "this is a kernel-state matrix, not a run",
            hint="give it with --matrix",
        )
        return None
    if text.lstrip()[:1] in ("{", "["):
        from kreport.readers.layouts.json_table import json_table

        table = json_table(text, findings)
    else:
        table = split_rows(text, options.limits, findings)
    return None if table is None else _interpret(table, run, options, findings)


def _interpret(
    table: Table, run: str, options: ReadOptions, findings: Findings
) -> FileFrame | None:
    header = recognise(table.header)
    layout = _layout(table, header, findings)
    if layout is not None and layout.module == GOOGLE_BENCHMARK:
        from kreport.readers.layouts.google_benchmark import mend

        table = mend(table)
    for name, meant in misspelt(header):
        findings.note(
            "unknown-column",
            "named after a side, but nothing that is known of one: taken as a parameter",
            line=table.header_line,
            column=name,
            hint=f"{meant}?" if meant else None,
        )
    judge_widths(table, header, options, findings)
    if layout is None or findings.refused:
        return None
    if not table.rows_in_file:
        findings.note("no-rows", "a header and no rows", line=table.header_line)
    source = Input(table, header, options, findings, run)
    reader = layout.load()
    found: LayoutRows = reader.read(source)
    if findings.refused:
        return None
    aside = findings.rows()
    if found.samples is None and aside:  # samples are set aside before they are reduced
        found = found.without_lines(aside)
    return FileFrame(found, reader.NAME, table.rows_in_file, table.complete)


def _layout(table: Table, header: Header, findings: Findings) -> Layout | None:
    repeated = {name for name in table.header if name and table.header.count(name) > 1}
    for name in sorted(repeated):
        findings.refuse(
            "duplicate-column", "two columns of the same name", line=table.header_line, column=name
        )
    layout = layout_of(header)
    if layout is None:
        _explain(table, header, findings)
    elif layout.module in (WIDE, SIDES, SAMPLES):
        refuse_rivals(table, header, findings)
    return layout


def _explain(table: Table, header: Header, findings: Findings) -> None:
    """Say which columns are missing, not merely that something is."""
    if "kernel" not in header.roles:
        findings.refuse(
            "no-kernel-column",
            "no column names the kernel",
            line=table.header_line,
            value=table.delimiter.join(table.header),
            hint="expected a column called kernel (or op_name, operator, routine)",
        )
        return
    findings.refuse(
        "no-latency-column",
        "no column holds a latency kreport knows",
        line=table.header_line,
        value=table.delimiter.join(table.header),
        hint="expected baseline_median_ms and pto_median_ms, or a side column with median_ms",
    )
