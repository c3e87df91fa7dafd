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


def hyperfine(command: str, side: str, n: str, times: list[float], code: int = 0) -> dict:
    return {
        "command": command,
        "mean": sum(times) / len(times),
        "stddev": 0.1,
        "median": sorted(times)[len(times) // 2],
        "user": 0.1,
        "system": 0.1,
        "min": min(times),
        "max": max(times),
        "times": times,
        "exit_codes": [code] * len(times),
        "parameters": {"n": n, "side": side},
    }


def test_hyperfine_commands_are_one_kernel_over_their_parameters(write) -> None:
    """``-L side baseline,pto -L n 8,64`` makes four commands of one kernel with two shapes."""
    results = [
        hyperfine(f"./sort8 --n {n} {side}", side, n, [base, base + 0.001, base + 0.002])
        for n in ("8", "64")
        for side, base in (("baseline", 0.004), ("pto", 0.002))
    ]
    table = read_runs([write(json.dumps({"results": results}), "hf.json")], keep_samples=True)
    assert table.frame["kernel"].unique().tolist() == ["./sort8 --n {n} {side}"]
    assert table.frame["shape"].tolist() == ['{"n":8}', '{"n":64}']
    first = table.frame.iloc[0]
    assert (first["baseline_median_ms"], first["pto_median_ms"]) == (5.0, 3.0)
    assert first["pto_n"] == 3
    assert not table.problems


def test_a_hyperfine_command_that_fails_has_no_latency(write) -> None:
    results = [
        hyperfine("good", "baseline", "8", [0.2, 0.3, 0.4]),
        hyperfine("good", "pto", "8", [0.001, 0.001, 0.002], code=1),
    ]
    row = only(read_runs([write(json.dumps({"results": results}), "hf.json")]), "good")
    assert (row["baseline_status"], row["pto_status"]) == ("ok", "blocked")
    assert row["pto_reason"] == "the command failed in 3 of 3 runs"
    assert math.isnan(row["pto_median_ms"])


def pytest_benchmark(name: str, params: dict | None, **stats: object) -> dict:
    return {
        "group": None,
        "name": name,
        "fullname": f"bench/test_sort.py::TestSort::{name}",
        "params": params,
        "extra_info": {"device": "Fake 1"},
        "options": {"timer": "perf_counter"},
        "stats": {"rounds": 3, "iqr": 0.1, "outliers": "0;0", **stats},
    }


def test_pytest_benchmarks_are_kernels_by_test_and_shapes_by_parameter(write) -> None:
    rows = [
        pytest_benchmark(
            f"test_sort[{side}-8]", {"side": side, "n": 8}, median=0.1, data=[base, base, base * 2]
        )
        for side, base in (("baseline", 0.004), ("pto", 0.002))
    ]
    tree = {"machine_info": {}, "datetime": "2030-01-02T03:04:05.6+00:00", "benchmarks": rows}
    (row,) = read_runs([write(json.dumps(tree), "pb.json")]).frame.to_dict("records")
    assert (row["family"], row["kernel"]) == ("bench/test_sort.py::TestSort", "test_sort")
    assert (row["shape"], row["device"]) == ('{"n":8}', "Fake 1")
    assert (row["baseline_median_ms"], row["pto_median_ms"], row["pto_n"]) == (4.0, 2.0, 3.0)
    assert row["run_at"] == "20300102T030405Z"


def test_without_its_rounds_a_pytest_benchmark_has_its_quartiles(write) -> None:
    stats = {"median": 0.002, "q1": 0.0019, "q3": 0.0022, "min": 0.0018, "max": 0.003}
    tree = {"benchmarks": [pytest_benchmark("test_sort", None, mean=0.002, **stats)]}
    (row,) = read_runs([write(json.dumps(tree), "pb.json")]).frame.to_dict("records")
    assert (row["pto_median_ms"], row["pto_q1_ms"], row["pto_q3_ms"]) == (2.0, 1.9, 2.2)
    assert (row["pto_min_ms"], row["pto_max_ms"], row["pto_n"]) == pytest.approx((1.8, 3, 3))
