"""One row a case, both sides in columns of their own."""

from __future__ import annotations

import math

import pytest

from kreport.errors import InputError
from kreport.readers import ReadOptions, read_runs
from kreport.schema import COLUMNS

HEADER = "family,kernel,shape,baseline_status,pto_status,baseline_median_us,pto_median_us\n"


def test_every_canonical_column_is_there_and_latencies_are_milliseconds(write) -> None:
    table = read_runs([write(HEADER + "gmm,matmul,64x64,ok,ok,20,40\n")])
    assert tuple(table.frame.columns) == COLUMNS
    row = table.frame.iloc[0]
    assert (row["baseline_median_ms"], row["pto_median_ms"]) == (0.02, 0.04)
    assert (row["family"], row["kernel"], row["shape"]) == ("gmm", "matmul", "64x64")
    assert (row["line"], row["source"]) == (2, 0)


def test_texts_are_never_missing_and_numbers_without_a_cell_are_nan(write) -> None:
    frame = read_runs([write(HEADER + "gmm,matmul,,ok,blocked,20,\n")]).frame
    texts = frame.select_dtypes(exclude="number")
    assert not texts.isna().to_numpy().any()
    assert math.isnan(frame["pto_median_ms"][0])
    assert frame["pto_status"][0] == "blocked"


def test_columns_match_by_name_in_any_order(write) -> None:
    straight = read_runs([write("kernel,baseline_ms,pto_ms,shape\na,1,2,s\n", "x_1.csv")]).frame
    turned = read_runs([write("shape,pto_ms,kernel,baseline_ms\ns,2,a,1\n", "x_2.csv")]).frame
    columns = [name for name in COLUMNS if name != "run"]
    assert straight[columns].equals(turned[columns])


def test_all_problems_of_all_files_are_reported_at_once(write) -> None:
    first = write("kernel,time\na,1\n", "first.csv")
    second = write(b"\xff\xfe\x00", "second.csv")
    with pytest.raises(InputError) as caught:
        read_runs([first, second, "nowhere.csv"])
    assert {p.file for p in caught.value.problems} == {first, second, "nowhere.csv"}


def test_a_row_set_aside_is_counted_and_is_an_error_when_strict(write) -> None:
    path = write(HEADER + "gmm,a,,ok,ok,-3,4\ngmm,b,,ok,ok,3,4\n")
    table = read_runs([path])
    assert list(table.frame["kernel"]) == ["b"]
    assert (table.set_aside, table.sources[0].rows) == (1, 2)
    (problem,) = table.problems
    assert (problem.rule, problem.line, problem.column) == (
        "negative-latency",
        2,
        "baseline_median_us",
    )
    with pytest.raises(InputError):
        read_runs([path], ReadOptions(strict=True))


def test_lines_of_blanks_and_delimiters_are_blank_lines(write) -> None:
    table = read_runs([write("kernel,baseline_us,pto_us\na,1,2\n  \n , ,\n,,\n\nb,1,2\n")])
    assert table.problems == ()
    assert table.frame["line"].tolist() == [2, 7]


def test_half_characters_in_json_cells_are_replaced(write) -> None:
    text = "kernel,shape,config_json,baseline_limitations_json,baseline_us,pto_us\n"
    text += 'a,"{""x\\ud800"": 1}","{""y"": ""\\udfff""}","[""\\ud800""]",1,2\n'
    (row,) = read_runs([write(text)]).frame.to_dict("records")
    for name in ("shape", "parameters", "limitations"):
        assert "\N{REPLACEMENT CHARACTER}" in row[name]
        row[name].encode()


def test_files_of_one_name_in_two_folders_are_two_runs(tmp_path) -> None:
    for folder, latency in (("monday", 3), ("tuesday", 4)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run.csv").write_text(f"kernel,baseline_us,pto_us\na,2,{latency}\n")
    paths = [str(tmp_path / folder / "run.csv") for folder in ("monday", "tuesday")]
    table = read_runs(paths)
    assert table.problems == ()
    assert table.frame["run"].tolist() == ["monday/run", "tuesday/run"]
    assert read_runs(paths[:1]).frame["run"].tolist() == ["run"]


def test_the_real_regression_files_are_read_without_a_complaint(real_data) -> None:
    for path in sorted(real_data.glob("regression_2*.csv")):
        table = read_runs([str(path)])
        assert table.problems == ()
        assert table.frame["run"].unique().tolist() == [path.stem.split("_")[1]]


def test_a_misspelt_column_of_a_side_is_pointed_at(write) -> None:
    """Else it is a parameter in silence, and a wrong result counts as right."""
    table = read_runs([write("kernel,baseline_ms,pto_ms,pto_corect\na,1,2,False\n")])
    (problem,) = table.problems
    assert (problem.rule, problem.column, problem.hint) == (
        "unknown-column",
        "pto_corect",
        "pto_correct?",
    )


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30T00:00:00Z", "1773000000"])
def test_a_date_that_is_none_is_noted(write, text: str) -> None:
    table = read_runs([write(f"kernel,baseline_ms,pto_ms,run_at\na,1,2,{text}\nb,1,2,{text}\n")])
    (problem,) = table.problems
    assert (problem.rule, problem.column, problem.value) == ("unreadable-date", "run_at", text)
