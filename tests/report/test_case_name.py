"""What a case is called: alike in every output, and no two cases of a report alike."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kreport.model import CaseKey
from kreport.report.case_name import case_name
from tests.test_diff import Kreport, kreport

__all__ = ["kreport"]

LONG = [1024 + step for step in range(40)]
HEAD = (
    "family,kernel,variant_label,variant_index,shape_summary_json,baseline_status,pto_status,"
    "baseline_median_ms,baseline_q1_ms,baseline_q3_ms,pto_median_ms,pto_q1_ms,pto_q3_ms"
)


def key(label: str = "", shape: object = None, parameters: object = None, ordinal: str = ""):
    told = ["" if value is None else json.dumps(value) for value in (shape, parameters)]
    return CaseKey("fam", "k", label, *told, ordinal)


KEYS = (
    key(),
    *(key(label, {"x": [8]}) for label in ("", "warm", "cold")),
    *(key("warm", {"x": [8]}, {"block": block}) for block in (64, 128)),
    *(key(parameters={"block": 64}, ordinal=ordinal) for ordinal in ("0", "1")),
    *(key(shape={"x": [*LONG, last]}) for last in (1, 2)),
    *(key("label " * 30 + last, {"x": [8]}) for last in "ab"),
)


@pytest.mark.parametrize("limit", [None, 96, 48])
def test_cases_that_differ_have_names_that_differ(limit: int | None) -> None:
    names = [case_name(one, limit) for one in KEYS]
    alike = [pair for pair in combinations(names, 2) if len(set(pair)) == 1]
    assert alike == []
    assert limit is None or max(map(len, names)) <= limit


def test_a_name_has_label_shape_and_parameters() -> None:
    named = key("warm", {"x": [8, 16]}, {"block": 64})
    assert case_name(named) == "warm; x 8×16; block 64"
    assert case_name(key(ordinal="3")) == "#3"


def write_run(path: Path, factor: float = 1.0) -> Path:
    """Two labels of one shape."""
    cells = [f"{value * factor:.4f}" for value in (1.0, 0.99, 1.01, 2.0, 1.99, 2.01)]
    lines = [
        f'fam,k,{label},{place},"{{""x"": [8]}}",ok,ok,{",".join(cells)}'
        for place, label in enumerate(("warm", "cold"))
    ]
    path.write_text("\n".join([HEAD, *lines]) + "\n")
    return path


def test_two_labels_of_one_shape_are_two_tests_and_two_rows(
    kreport: Kreport, tmp_path: Path
) -> None:
    """A CI server keeps the history of a test by its name: two of one name are one test to it."""
    old, new = write_run(tmp_path / "old.csv"), write_run(tmp_path / "new.csv")
    _, shown, _ = kreport("diff", str(old), str(new), "--format", "junit")
    names = [case.get("name") for case in ElementTree.fromstring(shown).iter("testcase")]
    assert names == ["k cold; x 8", "k warm; x 8"]
    _, shown, _ = kreport("diff", str(old), str(new), "--format", "md")
    rows = [line.split("|")[2].strip() for line in shown.split("\n") if line.startswith("| k |")]
    assert sorted(rows) == ["cold; x 8", "warm; x 8"]


def test_build_diff_explain_and_the_page_call_a_case_alike(
    kreport: Kreport, tmp_path: Path
) -> None:
    run = str(write_run(tmp_path / "run.csv"))
    assert kreport("build", run, "--out", "out")[0] == 0
    assert "| warm; x 8 |" in (tmp_path / "out" / "regression_latest.md").read_text()
    assert "warm; x 8" in (tmp_path / "out" / "regression_latest.html").read_text()
    _, explained, _ = kreport("explain", "k", run)
    assert "warm; x 8" in explained


def write_devices(path: Path, status: str) -> Path:
    """One shape of two kernels on two devices; `status` is that of one kernel's port."""
    lines = [f"{HEAD},device"]
    for device in ("npu", "gpu"):
        told = "1.0,0.99,1.01,2.0,1.99,2.01"
        lines.append(f"fam,steady,,0,[8],ok,ok,{told},{device}")
        told = told if status == "ok" else "1.0,0.99,1.01,,,"
        lines.append(f"fam,shaky,,0,[8],ok,{status},{told},{device}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("output", ["md", "github", "console"])
def test_one_shape_on_two_devices_is_told_apart(
    output: str, kreport: Kreport, tmp_path: Path
) -> None:
    old = write_devices(tmp_path / "old.csv", "ok")
    new = write_devices(tmp_path / "new.csv", "blocked")
    _, shown, _ = kreport("diff", str(old), str(new), "--format", output, "-v")
    for kernel in ("steady", "shaky") if output != "github" else ("steady",):
        lines = [line for line in shown.split("\n") if kernel in line]
        assert [sum(device in line for line in lines) for device in ("npu", "gpu")] == [1, 1]
