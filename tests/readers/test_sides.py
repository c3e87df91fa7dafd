"""One row a side: the two sides of a case are found and put together."""

from __future__ import annotations

from kreport.model import Side
from kreport.readers import ReadOptions, read_runs

HEADER = "kernel,shape,side,device,median_us,q1_us,q3_us\n"


def read(write, text: str, **options):
    return read_runs([write(text)], ReadOptions(**options))


def test_both_sides_of_a_case_make_one_row(write) -> None:
    table = read(write, HEADER + "a,s,pto,,20,19,21\nb,s,pto,,5,5,5\na,s,baseline,,10,9,11\n")
    assert table.frame["kernel"].tolist() == ["a", "b"]
    assert table.frame["baseline_median_ms"].tolist()[0] == 0.01
    assert table.frame["baseline_status"].tolist() == ["ok", "missing"]
    assert table.frame["line"].tolist() == [2, 3]


def test_another_index_of_the_same_device_is_the_same_device(write) -> None:
    table = read(write, HEADER + "a,s,baseline,npu:0,10,,\na,s,pto,npu:4,20,,\n")
    (row,) = table.frame.to_dict("records")
    assert (row["device"], row["notices"]) == ("npu", "")


def test_sides_on_different_devices_are_one_case_that_says_so(write) -> None:
    table = read(write, HEADER + "a,s,baseline,Chip X,10,,\na,s,pto,Chip Y,20,,\n")
    (row,) = table.frame.to_dict("records")
    assert (row["device"], row["notices"]) == ("Chip X / Chip Y", "sides on different devices")


def test_two_devices_with_both_sides_each_are_two_cases(write) -> None:
    text = "a,s,baseline,X,10,,\na,s,pto,Y,40,,\na,s,pto,X,20,,\na,s,baseline,Y,30,,\n"
    frame = read(write, HEADER + text).frame
    assert frame["device"].tolist() == ["X", "Y"]
    assert frame["baseline_median_ms"].tolist() == [0.01, 0.03]
    assert frame["pto_median_ms"].tolist() == [0.02, 0.04]


def test_contradicting_rows_of_a_side_are_all_set_aside(write) -> None:
    table = read(write, HEADER + "a,s,pto,,20,,\na,s,pto,,30,,\na,s,baseline,,10,,\n")
    (row,) = table.frame.to_dict("records")
    assert row["pto_status"] == "missing"
    assert table.set_aside == 2


def test_a_file_without_sides_is_the_port_and_says_so(write) -> None:
    text = "kernel,median_ms\na,3\n"
    assert read(write, text).frame["pto_median_ms"].tolist() == [3.0]
    table = read(write, text, side=Side.BASELINE)
    assert table.frame["baseline_median_ms"].tolist() == [3.0]
    assert [p.rule for p in table.problems] == ["side-assumed"]
