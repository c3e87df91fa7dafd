"""What other programs read: the same columns and numbers from every command."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np

from kreport.report.exact import csv_number, json_number, json_record
from tests.test_diff import Kreport, kreport, write_run

__all__ = ["kreport"]


def test_numbers_keep_every_digit_and_absent_ones_are_nothing() -> None:
    assert csv_number(np.float64(0.1)) == "0.1"
    assert csv_number(math.nan) == ""
    assert json_number(math.inf) is None
    assert json_record({"a": math.nan, "b": 1.5, "c": "x"}) == {"a": None, "b": 1.5, "c": "x"}


def test_the_json_of_a_diff_counts_its_verdicts(kreport: Kreport, tmp_path: Path) -> None:
    write_run(tmp_path / "old" / "a.csv", 1)
    write_run(tmp_path / "new" / "b.csv", 2)
    _, shown, _ = kreport("diff", "old", "new", "--format", "json")
    found = json.loads(shown)
    assert set(found["verdicts"]) == {"faster", "slower", "within noise", "cannot tell"}
    assert sum(found["verdicts"].values()) == found["matched"] == 12


def test_build_and_summarize_write_the_known_columns_alike(
    kreport: Kreport, tmp_path: Path
) -> None:
    """Also where there is no ratio: sides on different devices, a side that did not run."""
    source = tmp_path / "runs.csv"
    source.write_text(
        "family,kernel,shape,baseline_status,pto_status,baseline_correct,baseline_median_ms,"
        "pto_median_ms,baseline_device,pto_device,baseline_limitations_json,pto_reason\n"
        'f,same,8,ok,ok,True,1.0,3.0,npu,npu,"[""one"",""two""]",\n'
        "f,apart,8,ok,ok,,1.0,3.0,npu,gpu,,\n"
        "f,stuck,8,ok,blocked,,1.0,,npu,npu,,=no\n"
    )
    kreport("build", str(source), "--out", "out")
    written = (tmp_path / "out" / "regression_latest.csv").read_text()
    _, summarized, _ = kreport("summarize", str(source))
    first, second = (
        [row[:17] for row in csv.reader(io.StringIO(told))] for told in (written, summarized)
    )
    assert first == second
    assert [row[11] for row in first[1:]] == [repr(1.0 / 3.0 * 100.0), "", ""]
