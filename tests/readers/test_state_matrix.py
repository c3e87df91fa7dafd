"""The kernel-state matrix in its three forms."""

from __future__ import annotations

import pytest

from kreport.errors import InputError
from kreport.readers import read_matrix, read_runs


def test_a_markdown_table_with_continuation_rows(write) -> None:
    text = """# States

Generated: `20300102T030405Z`

| Kernel | Wave | Class | Scalar Hot Path | Latest |
| --- | --- | --- | --- | --- |
| soft_cap | w1 | green but scalar-heavy | yes | [report](out/soft_cap.json) |
|  |  | scalar matches: `a.py:load_scalarx2; b.py:store_scalarx1` |  |  |
|  |  | gap ids: `gap-one, gap-two` |  |  |
|  |  | gap components: `ptoas` |  |  |
| tile_add | w2 | green + tile-first | no | |
"""
    matrix = read_matrix(write(text, "matrix.md"))
    assert matrix.stamp == "20300102T030405Z"
    assert [entry.name for entry in matrix.entries] == ["soft_cap", "tile_add"]
    first = matrix.entries[0]
    assert first.scalar_hot_path is True
    assert first.scalar_matches == ("a.py:load_scalarx2", "b.py:store_scalarx1")
    assert first.gap_ids == ("gap-one", "gap-two")
    assert first.report_path == "out/soft_cap.json"
    assert (first.line, matrix.entries[1].line) == (7, 11)
    assert matrix.problems == ()


def test_the_real_markdown_and_json_agree(real_data) -> None:
    for path in sorted(real_data.glob("kernel_state_matrix_*.md")):
        markdown = read_matrix(str(path))
        tree = read_matrix(str(path.with_suffix(".json")))
        assert markdown.problems == tree.problems == ()
        for one, other in zip(markdown.entries, tree.entries, strict=True):
            for name in (
                "name",
                "primary_class",
                "scalar_hot_path",
                "baseline_status",
                "pto_status",
                "scalar_matches",
                "gap_ids",
            ):
                assert getattr(one, name) == getattr(other, name), (one.name, name)


RUN = "kernel,baseline_ms,pto_ms\ngemm,1,2\n"
AS_CSV = "kernel,primary_class,scalar_hot_path\ngemm,green + tile-first,no\n"
AS_JSON = '{"kernels": [{"name": "gemm", "primary_class": "green + tile-first"}]}'
AS_MARKDOWN = "| Kernel | Class |\n|---|---|\n| gemm | green + tile-first |\n"


@pytest.mark.parametrize(
    ("text", "name"), [(AS_CSV, "m.csv"), (AS_JSON, "m.json"), (AS_MARKDOWN, "m.md")]
)
def test_a_matrix_is_no_run_and_a_run_no_matrix(write, text: str, name: str) -> None:
    """Each is refused where the other is meant: neither would be missed in what came out."""
    path = write(text, name)
    assert read_matrix(path).entries[0].name == "gemm"
    with pytest.raises(InputError) as caught:
        read_runs([path])
    assert [problem.rule for problem in caught.value.problems] == ["is-a-matrix"]


@pytest.mark.parametrize(
    ("text", "name"), [(RUN, "r.csv"), ('{"kernels": [{"name": "gemm", "pto_ms": 2}]}', "r.json")]
)
def test_a_run_is_refused_as_a_matrix(write, text: str, name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_matrix(write(text, name))
    assert [problem.rule for problem in caught.value.problems] == ["no-matrix"]
