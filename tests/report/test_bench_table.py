"""The table after a set of runs: aligned whatever the alphabet of its names."""

from __future__ import annotations

from rich.cells import cell_len

from kreport.harness.record import CaseName, CaseRecord, RunRecord, SideRecord
from kreport.model import Side, Status
from kreport.report.bench_table import result_lines


def record(*names: CaseName) -> RunRecord:
    """A run in which every case took a millisecond on both sides."""
    ran = SideRecord(Status.OK, samples_ms={"host": (1.0,)})
    cases = tuple(CaseRecord(name, dict.fromkeys(Side, ran)) for name in names)
    return RunRecord("r", "", 0, "npu", ("host",), cases, (0,), {}, (), {})


def test_wide_characters_keep_the_columns_aligned() -> None:
    lines = result_lines(
        [
            record(
                CaseName("f", "矩阵乘法", "热身", "", "矩阵乘法"),
                CaseName("f", "softmax_rows", "warm", "", "softmax"),
            )
        ]
    )
    ends = {cell_len(line[: line.index(" host")]) for line in lines[1:]}
    assert len(ends) == 1
    assert len({cell_len(line) for line in lines[1:]}) == 1


def test_two_shapes_of_one_label_are_two_names() -> None:
    _, *rows = result_lines(
        [record(*(CaseName("f", "k", "warm", shape, "k") for shape in ("[8]", "[16]")))]
    )
    assert len(set(rows)) == 2
