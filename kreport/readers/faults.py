"""Faults that more than one reader can come upon: what each is called is said here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.readers.findings import Findings

if TYPE_CHECKING:
    from kreport.readers.headers import Header
    from kreport.readers.rows import Table

NOTHING_TELLS_APART = "nothing tells the rows apart: give a shape, a variant_label or a run"
"""What to do about rows of one case that contradict each other."""


def refuse_merge_markers(line: int, findings: Findings) -> None:
    """Refuse a file in which a conflict of version control begins on `line`."""
    findings.refuse(
        "merge-markers",
        "a version control conflict is not resolved",
        line=line,
        hint="choose a side yourself: kreport does not",
    )


def refuse_nul(line: int, value: str, findings: Findings) -> None:
    """Refuse a file with a NUL byte on `line`."""
    findings.refuse(
        "binary",
        "a NUL byte: this is not text, or a crash left a hole in the file",
        line=line,
        value=value,
    )


def refuse_rivals(table: Table, header: Header, findings: Findings) -> None:
    """Refuse two columns that claim to be one statistic of one side and differ."""
    for first, second in header.rivals:
        same_name = header.names[first] == header.names[second]  # refused for that already
        if not same_name and table.columns[first] != table.columns[second]:
            findings.refuse(
                "rival-columns",
                f"the same statistic as {header.names[first]}, with other values",
                line=table.header_line,
                column=header.names[second],
                hint="which one is meant? leave the other out",
            )


def refuse_bytes(
    bad: bytes, where: str, encoding: str, findings: Findings, line: int | None = None
) -> None:
    """Refuse a file with a byte that its encoding does not have; `where` says how far in."""
    findings.refuse(
        "encoding",
        f"byte 0x{bad[:1].hex()} {where} is not valid {encoding}",
        line=line,
        hint="say which encoding it is, for example --encoding latin-1",
    )


def refuse_without_unit(
    column: str, line: int, findings: Findings, *, or_unit_column: bool = False
) -> None:
    """Refuse a column of latencies without a unit; some layouts have a column of units too."""
    other = ", or add a unit column" if or_unit_column else ""
    findings.refuse(
        "no-unit",
        "a column of latencies without a unit",
        line=line,
        column=column,
        hint=f"name it {column}_ms, _us, _ns or _s{other}",
    )


def note_case_twin(name: str, twin: str, line: int | None, findings: Findings) -> None:
    """Note two kernels whose names differ only in case: renamed perhaps, or two kernels."""
    findings.note(
        "case-twin",
        f"differs from {twin} only in case: taken as another kernel",
        line=line,
        value=name,
    )
