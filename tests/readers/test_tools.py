"""Files that other tools write: each is known by its columns, and read by that tool's own rules."""

from __future__ import annotations

import json
import math

import pytest

from kreport.errors import InputError
from kreport.readers import read_runs


def only(table, kernel: str) -> dict:
    (row,) = table.frame[table.frame["kernel"] == kernel].to_dict("records")
    return row


GBENCH = """name,iterations,real_time,cpu_time,time_unit,label,error_occurred,error_message,"bytes"
"BM_Sort/8/repeats:4",10,4.0,4.0,us,,,,1
"BM_Sort/8/repeats:4",10,2.0,2.0,us,,,,1
"BM_Sort/8/repeats:4",10,3.0,3.0,us,,,,1
"BM_Sort/8/repeats:4",10,9.0,9.0,us,,,,1
"BM_Sort/8/repeats:4_mean",4,4.5,4.5,us,,,,1
"BM_Sort/8/repeats:4_median",4,3.5,3.5,us,,,,1
"BM_Sort/8/repeats:4_cv",4,0.7,0.7,,,,,0
"BM_Sort_BigO",,0.2,0.2,lgN,,,,
"BM_Only/2_mean",4,7.0,7.0,ns,,,,1
"BM_Only/2_median",4,6.0,6.0,ns,,,,1
"BM_Down",,,,,,true,"lost, ""all"" of it"
"""


def test_google_benchmark_repetitions_are_samples_and_aggregates_are_not_kernels(write) -> None:
    table = read_runs([write(GBENCH)])
    assert table.frame["kernel"].tolist() == ["BM_Sort", "BM_Only", "BM_Down"]
    sort = only(table, "BM_Sort")
    assert (sort["pto_median_ms"], sort["pto_n"], sort["shape"]) == (0.0035, 4.0, "8")
    assert only(table, "BM_Only")["pto_median_ms"] == 6e-6
    down = only(table, "BM_Down")
    assert (down["pto_status"], down["pto_reason"]) == ("blocked", 'lost, "all" of it')
    assert [p.rule for p in table.problems] == ["side-assumed", "not-a-timing"]


def test_google_benchmark_json_says_the_same_as_its_csv(write) -> None:
    rows = [
        {
            "name": "BM_Sort/8",
            "run_type": "iteration",
            "iterations": 10,
            "real_time": t,
            "cpu_time": t,
            "time_unit": "us",
        }
        for t in (4.0, 2.0, 3.0)
    ]
    rows.append(
        {
            "name": "BM_Sort/8_median",
            "run_type": "aggregate",
            "iterations": 3,
            "real_time": 3.0,
            "cpu_time": 3.0,
            "time_unit": "us",
        }
    )
    tree = {"context": {"date": "2030-01-01"}, "benchmarks": rows}
    table = read_runs([write(json.dumps(tree), "b.json")])
    assert only(table, "BM_Sort")["pto_median_ms"] == 0.003


CUTLASS = """Problem,Provider,OperationKind,Operation,Disposition,Status,m,n,k,C,c,Runtime,GB/s
1,CUTLASS,gemm,good,passed,success,8,8,8,f16,1,0.5,9
1,CUTLASS,gemm,wrong,incorrect,success,8,8,8,f16,1,0.25,18
1,CUTLASS,gemm,unchecked,not_verified,success,8,8,8,f16,1,0.5,9
1,CUTLASS,gemm,broken,failed,internal,8,8,8,f16,1,0,
1,cuBLAS,gemm,vendor,passed,success,8,8,8,f16,2,0.5,9
"""


def test_cutlass_is_judged_by_its_disposition(write) -> None:
    table = read_runs([write(CUTLASS)])
    told = {
        row["kernel"]: (row["pto_status"], row["pto_correct"], row["pto_median_ms"])
        for row in table.frame.to_dict("records")
    }
    assert told["good"] == ("ok", "pass", 0.5)
    assert told["wrong"] == ("ok", "fail", 0.25)
    assert told["unchecked"] == ("ok", "unknown", 0.5)
    assert told["broken"][0] == "blocked"
    assert math.isnan(told["broken"][2])
    assert only(table, "vendor")["baseline_median_ms"] == 0.5
    assert only(table, "good")["parameters"] == '{"C":"f16"}'


def test_columns_that_differ_in_case_are_different_columns(write) -> None:
    (row,) = read_runs([write("kernel,baseline_ms,pto_ms,c,C\na,1,2,7,f16\n")]).frame.to_dict(
        "records"
    )
    assert json.loads(row["parameters"]) == {"c": 7, "C": "f16"}


def test_profiler_tasks_of_one_operator_are_its_samples_in_order_of_time(write) -> None:
    text = "Op Name,Task Start Time(us),Task Duration(us),Input Shapes\n" + "".join(
        f'mm,{100 - i}.0,{10 + i}.0,"8,8"\n' for i in range(5)
    )
    row = only(read_runs([write(text)]), "mm")
    assert (row["pto_median_ms"], row["pto_n"], row["shape"]) == (0.012, 5.0, "8,8")


def test_a_profiler_file_without_durations_names_the_missing_column(write) -> None:
    with pytest.raises(InputError) as caught:
        read_runs([write("Op Name,Task Start Time(us)\nmm,1\n")])
    assert "Task Duration(us)" in caught.value.problems[0].message


def test_flashinfer_times_are_milliseconds_as_the_tool_documents(write) -> None:
    text = "routine,median_time,std_time,backend,batch_size\nmla,0.25,0.01,pto,4\n"
    row = only(read_runs([write(text)]), "mla")
    assert (row["pto_median_ms"], row["parameters"]) == (0.25, '{"batch_size":4}')


def test_any_other_column_without_a_unit_is_an_error_never_a_guess(write) -> None:
    with pytest.raises(InputError) as caught:
        read_runs([write("kernel,median_time\na,0.25\n")])
    assert [p.rule for p in caught.value.problems] == ["side-assumed", "no-unit"]


METRICS = """kernel,metric,unit,baseline,pto,ratio
a,latency,us,20,10,2.0
a,throughput,tflops,50,100,0.5
b,latency,us,10,20,2.0
c,peak_mem,MB,100,120,
"""


def test_only_latencies_are_compared_and_every_kernel_stays_visible(write) -> None:
    table = read_runs([write(METRICS)])
    assert table.frame["kernel"].tolist() == ["a", "b", "c"]
    assert only(table, "c")["pto_status"] == "missing"
    assert only(table, "b")["notices"] == "stored ratio disagrees"
    assert [p.line for p in table.problems if p.rule == "not-a-latency"] == [3, 5]


def test_a_report_tree_is_the_csv_of_the_same_run(real_data) -> None:
    for path in sorted(real_data.glob("regression_2*.csv")):
        flat = read_runs([str(path)]).frame
        tree = read_runs([str(path.with_suffix(".json"))]).frame
        columns = [name for name in flat.columns if name not in ("line", "run_at")]
        assert flat[columns].equals(tree[columns])


def test_a_faulty_variant_leaves_its_neighbours_on_the_same_line_alone(write) -> None:
    variants = [
        {"baseline_median_ms": 1.0, "pto_median_ms": v, "shape_summary": {"x": [i]}}
        for i, v in enumerate((2.0, -2.0, 4.0, "fast"))
    ]
    text = json.dumps(
        {"kernels": [{"name": "a", "variants": variants}, {"name": "b", "variants": variants[:1]}]}
    )
    table = read_runs([write(text, "run.json")])
    assert table.frame["pto_median_ms"].tolist() == [2.0, 4.0, 2.0]
    assert table.frame["line"].tolist() == [1, 1, 1]
    assert (table.sources[0].rows, table.set_aside) == (5, 2)
    found = sorted((problem.rule, problem.line) for problem in table.problems)
    assert found == [("negative-latency", 1), ("not-a-number", 1)]


def test_rounds_of_a_tree_are_runs(real_data) -> None:
    frame = read_runs([str(real_data / "kernel_parity_rounds.json")]).frame
    assert sorted(frame["run"].unique()) == [f"20260312T091542Z round {n}" for n in (1, 2, 3)]


def test_constants_outside_the_standard_are_no_measurement_and_name_the_kernel(write) -> None:
    text = """{"kernels": [
 {"kernel": "a", "baseline_us": 5.0, "pto_us": NaN},
 {"kernel": "b", "baseline_us": null, "pto_us": 3.0}
]}"""
    table = read_runs([write(text, "run.json")])
    assert table.frame["pto_status"].tolist() == ["missing", "ok"]
    assert table.frame["line"].tolist() == [2, 3]
    assert [(p.rule, p.value) for p in table.problems] == [("json-constant", "a")]
