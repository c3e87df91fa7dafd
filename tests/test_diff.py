"""``kreport diff`` and ``kreport calibrate`` as a user runs them: files in, verdicts out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kreport.cli.app import run
from kreport.verdicts.calibrate import calibrate
from tests.tables import row, table

BASE = [10, 10.5, 11, 11.5, 12]
TWICE_AS_FAST = [5, 5.2, 5.5, 5.8, 6]
ALIKE = [9.5, 10, 11, 11.8, 12.5]
KERNELS = [f"k{i:02d}" for i in range(12)]

Kreport = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kreport(capsys: pytest.CaptureFixture[str], monkeypatch, tmp_path: Path) -> Kreport:
    """Run a command line in an empty folder; gives exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("signal.signal", lambda *_: None)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


def write_samples(path: Path, pto: list[float], baseline: list[float] | None = None) -> Path:
    """A samples CSV of one kernel on one clock."""
    head = (
        "run,family,kernel,variant_label,shape_summary_json,side,timer,status,sample_index,"
        "latency_ms,reason"
    )
    lines = [head]
    for side, samples in (("pto", pto), ("baseline", baseline or [])):
        lines += [
            f'r,gmm,matmul,s,"{{""x"": [8]}}",{side},host,ok,{i},{value},'
            for i, value in enumerate(samples)
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_run(path: Path, seed: int, factor: float = 1.0, port: dict[str, float] | None = None):
    """A regression CSV with quartiles: twelve kernels that scatter by 1 % from run to run."""
    rng = np.random.default_rng(seed)
    head = (
        "family,kernel,variant_label,shape_summary_json,baseline_status,pto_status,baseline_correct,"
        "pto_correct,baseline_median_ms,baseline_q1_ms,baseline_q3_ms,baseline_n,pto_median_ms,"
        "pto_q1_ms,pto_q3_ms,pto_n,timer"
    )
    lines = [head]
    for i, kernel in enumerate(KERNELS):
        level = 0.01 * 1.3**i * factor * np.exp(rng.normal(0, 0.01, 2))
        medians = level[0], 2 * level[1] * (port or {}).get(kernel, 1.0)
        cells = [f"{m:.6f},{m * 0.98:.6f},{m * 1.02:.6f},100" for m in medians]
        lines.append(f'fam,{kernel},s,"{{""x"": [8]}}",ok,ok,true,true,{cells[0]},{cells[1]},host')
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def write_runs(folder: Path, count: int, first_seed: int = 0) -> None:
    for i in range(count):
        write_run(folder / f"run{i:02d}.csv", first_seed + i)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_guides_examples_through_files(kreport: Kreport, tmp_path: Path) -> None:
    """Faster by 2.0x; within noise: the rule of disjoint quartiles, exactly."""
    base = write_samples(tmp_path / "base.csv", BASE)
    for name, samples, verdict in (("a", TWICE_AS_FAST, "faster"), ("b", ALIKE, "within noise")):
        new = write_samples(tmp_path / f"{name}.csv", samples)
        code, out, _ = kreport("diff", str(base), str(new), "--method", "iqr", "--format", "csv")
        (row,) = rows_of(out)
        assert (code, row["verdict"], row["confirmed"]) == (0, verdict, "false")
        ratio = float(row["old_pto_median_ms"]) / float(row["new_pto_median_ms"])
        assert ratio == pytest.approx(2.0 if name == "a" else 1.0)


def test_the_csv_begins_with_the_columns_others_rely_on(kreport: Kreport, tmp_path: Path) -> None:
    base = write_samples(tmp_path / "base.csv", BASE)
    _, out, _ = kreport("diff", str(base), str(base), "--format", "csv")
    assert out.startswith(
        "family,kernel,variant_label,shape_summary_json,timer,device,transition,verdict,confirmed,"
        "moved,old_pto_median_ms,new_pto_median_ms,pto_change_pct,old_baseline_median_ms,"
        "new_baseline_median_ms,old_ratio_pct,new_ratio_pct,detectable_pct,noise_source,p_value,"
        "n_old,n_new,"
    )


def test_a_confirmed_slowdown_trips_its_gate_and_no_other(kreport: Kreport, tmp_path: Path) -> None:
    write_runs(tmp_path / "old", 10)
    write_run(tmp_path / "new" / "run.csv", 99, port={"k03": 1.2})
    code, out, err = kreport("diff", "old", "new", "--format", "csv", "--fail-on", "slower")
    verdicts = {row["kernel"]: row["verdict"] for row in rows_of(out)}
    assert verdicts.pop("k03") == "slower"
    assert set(verdicts.values()) <= {"within noise", "cannot tell"}
    assert code == 1
    assert "--fail-on slower: 1 case" in err
    code, _, _ = kreport("diff", "old", "new", "--fail-on", "blocked,removed,incorrect")
    assert code == 0
    row = next(row for row in rows_of(out) if row["kernel"] == "k03")
    assert (row["confirmed"], row["moved"], row["noise_source"]) == ("true", "pto", "runs n=11")
    assert (row["n_old"], row["n_new"]) == ("10", "1")


def test_an_unconfirmed_slowdown_trips_only_where_asked(kreport: Kreport, tmp_path: Path) -> None:
    old = write_samples(tmp_path / "old.csv", TWICE_AS_FAST)
    new = write_samples(tmp_path / "new.csv", BASE)
    assert kreport("diff", str(old), str(new), "--fail-on", "slower")[0] == 0
    assert kreport("diff", str(old), str(new), "--fail-on", "slower,unconfirmed")[0] == 1
    _, out, _ = kreport("diff", str(old), str(new))
    assert "slower, unconfirmed (single run)" in " ".join(out.split())


def test_a_glob_is_several_runs_and_a_folder_is_the_same(kreport: Kreport, tmp_path: Path) -> None:
    write_runs(tmp_path / "old", 4)
    write_runs(tmp_path / "new", 3, 50)
    by_folder = kreport("diff", "old", "new", "--format", "csv")
    assert kreport("diff", "old/*.csv", "new/*.csv", "--format", "csv") == by_folder


def test_history_gives_medians_alone_a_band(kreport: Kreport, tmp_path: Path) -> None:
    """One run against one run cannot be confirmed; with twelve earlier runs it can."""
    write_runs(tmp_path / "past", 12)
    write_run(tmp_path / "old.csv", 100)
    write_run(tmp_path / "new.csv", 101, port={"k05": 1.3})
    code, out, _ = kreport("diff", "old.csv", "new.csv", "--history", "past", "--format", "json")
    report = json.loads(out)
    cases = {case["kernel"]: case for case in report["cases"]}
    assert code == 0
    assert cases["k05"]["verdict"] == "slower"
    assert cases["k05"]["confirmed"]
    assert cases["k05"]["pto"]["noise_source"].startswith("history n=")
    assert sum(case["verdict"] == "slower" for case in cases.values()) == 1


def test_a_uniform_shift_is_one_banner(kreport: Kreport, tmp_path: Path) -> None:
    write_runs(tmp_path / "old", 10)
    write_run(tmp_path / "new.csv", 99, factor=1.15)
    code, out, _ = kreport("diff", "old", "new.csv", "--fail-on", "slower,unconfirmed")
    assert code == 0
    assert out.count("the whole run is +1") == 1
    assert "0 slower, 0 faster" in out


def test_nothing_in_common_is_loud(kreport: Kreport, tmp_path: Path) -> None:
    for name in ("RowSoftmax", "row_softmax"):
        (tmp_path / f"{name}.csv").write_text(
            f"kernel,shape,baseline_us,pto_us,status\n{name},64,1,2,ok\n"
        )
    code, out, err = kreport("diff", "RowSoftmax.csv", "row_softmax.csv")
    assert code == 4
    assert "0 matched" in out
    assert "0 matched" in err
    assert "probably row_softmax now" in out


def test_leaving_out_clocks_changes_no_verdict(kreport: Kreport, tmp_path: Path) -> None:
    for i in range(3):
        write_run(tmp_path / "old" / f"{i}.csv", i)
        text = (tmp_path / "old" / f"{i}.csv").read_text().replace(",host", ",event")
        (tmp_path / "old" / f"{i}e.csv").write_text(text)
    _, whole, _ = kreport("diff", "old", "old", "--format", "csv")
    _, part, _ = kreport("diff", "old", "old", "--format", "csv", "--timer", "event")
    assert rows_of(part) == [row for row in rows_of(whole) if row["timer"] == "event"]
    code, _, err = kreport("diff", "old", "old", "--timer", "sundial")
    assert code == 4
    assert "event, host" in err


def test_usage_faults_exit_2(kreport: Kreport, tmp_path: Path) -> None:
    base = str(write_samples(tmp_path / "base.csv", BASE))
    assert kreport("diff", base)[0] == 2
    assert kreport("diff", base, base, "--method", "magic")[0] == 2
    assert kreport("diff", base, base, "--fail-on", "weather")[0] == 2
    assert kreport("diff", base, base, "--effect", "-1")[0] == 2


def test_a_run_that_is_not_there_is_nothing_to_compare_with(kreport: Kreport, tmp_path) -> None:
    """The first pull request has no old run; a bad file is another matter."""
    base = str(write_samples(tmp_path / "base.csv", BASE))
    code, _, err = kreport("diff", "absent.csv", base)
    assert code == 4
    assert "absent.csv: there is no such file" in err
    (tmp_path / "bad.csv").write_bytes(b"\x00\x01")
    assert kreport("diff", "bad.csv", base)[0] == 3


def test_sets_the_wrong_way_round_and_runs_in_both_are_pointed_at(
    kreport: Kreport, tmp_path
) -> None:
    old = str(write_samples(tmp_path / "run_20300102T000000Z.csv", BASE))
    new = str(write_samples(tmp_path / "run_20300101T000000Z.csv", ALIKE))
    assert "the wrong way round?" in kreport("diff", old, new)[2]
    assert kreport("diff", new, old)[2] == ""
    assert "in OLD and in NEW, so compared with itself: " in kreport("diff", new, new)[2]


def test_a_thousandfold_is_another_unit_and_no_drift(kreport: Kreport, tmp_path) -> None:
    for seed in range(4):
        write_run(tmp_path / f"old{seed}.csv", seed)
    write_run(tmp_path / "new.csv", 9)
    text = (tmp_path / "new.csv").read_text()
    other = [
        ",".join(repr(float(c) * 1000) if "." in c else c for c in line.split(","))
        for line in text.splitlines()[1:]
    ]
    (tmp_path / "us.csv").write_text("\n".join([text.splitlines()[0], *other]) + "\n")
    code, out, err = kreport("diff", str(tmp_path / "old*.csv"), str(tmp_path / "us.csv"))
    assert code == 3
    assert "1000 times" in out
    assert "is one of the files in another unit?" in err


def test_a_latency_that_is_gone_trips_removed_and_a_check_that_is_gone_is_said(
    kreport: Kreport, tmp_path
) -> None:
    gates = ("--fail-on", "slower,incorrect,removed")
    old = tmp_path / "old.csv"
    old.write_text(
        "kernel,baseline_ms,pto_ms,pto_status,pto_correct\na,1,2,ok,True\nb,1,2,ok,True\n"
    )
    new = tmp_path / "new.csv"
    new.write_text(
        "kernel,baseline_ms,pto_ms,pto_status,pto_correct\na,1,,ok,True\nb,1,2,ok,True\n"
    )
    code, _, err = kreport("diff", str(old), str(new), *gates)
    assert code == 1
    assert "--fail-on removed: 1 cases" in err
    new.write_text("kernel,baseline_ms,pto_ms,pto_status\na,1,2,ok\nb,1,2,ok\n")
    code, _, err = kreport("diff", str(old), str(new), *gates)
    assert code == 0
    assert "--fail-on incorrect does not see 2 cases whose results were checked" in err


def test_a_row_set_aside_is_said_where_a_reader_would_think_it_removed(
    kreport: Kreport, tmp_path
) -> None:
    (tmp_path / "old.csv").write_text("kernel,baseline_ms,pto_ms\na,1,2\nb,1,2\n")
    (tmp_path / "new.csv").write_text("kernel,baseline_ms,pto_ms\na,1,2\nb,1,-2\n")
    for form in ("console", "md", "github"):
        _, out, _ = kreport("diff", "old.csv", "new.csv", "--format", form)
        assert "new.csv: 1 rows are in no number here" in " ".join(out.split()), form


def test_a_gate_that_sees_nothing_for_want_of_runs_says_so(kreport: Kreport, tmp_path) -> None:
    old = str(write_samples(tmp_path / "old.csv", TWICE_AS_FAST, BASE))
    new = str(write_samples(tmp_path / "new.csv", BASE, BASE))
    code, _, err = kreport("diff", old, new, "--fail-on", "slower")
    assert code == 0
    assert "--fail-on slower does not see 1 cases slower, but unconfirmed" in err
    code, _, err = kreport("diff", old, new, "--fail-on", "slower,unconfirmed")
    assert code == 1
    assert "does not see" not in err


@pytest.mark.parametrize("method", ["mann-whitney", "bootstrap"])
def test_tests_on_samples_show_their_p(kreport: Kreport, tmp_path: Path, method: str) -> None:
    old = write_samples(tmp_path / "old.csv", BASE)
    new = write_samples(tmp_path / "new.csv", ALIKE)
    _, out, _ = kreport("diff", str(old), str(new), "--method", method, "-v")
    assert "n=5+5)" in out
    assert "~ (p=" in out


def test_markdown_keeps_its_tables_whatever_a_reason_says(kreport: Kreport, tmp_path: Path) -> None:
    from markdown_it import MarkdownIt

    head = (
        "kernel,shape_summary_json,baseline_status,pto_status,baseline_median_ms,pto_median_ms,"
        "pto_reason\n"
    )
    nasty = '"line one | two\n<script>{{ 7 * 7 }}\x1b[31m"'
    (tmp_path / "old.csv").write_text(head + 'a|b,"{""x"": [1]}",ok,ok,1,2,\n')
    (tmp_path / "new.csv").write_text(head + f'a|b,"{{""x"": [1]}}",ok,blocked,1,,{nasty}\n')
    code, out, _ = kreport("diff", "old.csv", "new.csv", "--format", "md")
    assert code == 0
    assert "<script>" not in out
    kinds = [token.type for token in MarkdownIt().enable("table").parse(out)]
    cells: list[int] = []
    for kind in kinds:
        if kind == "table_open":
            cells = []
        elif kind == "tr_open":
            cells.append(0)
        elif kind in ("th_open", "td_open"):
            cells[-1] += 1
        elif kind == "table_close":
            assert len(set(cells)) == 1
    assert "table_close" in kinds
    assert "newly blocked" in out


def test_other_languages_keep_the_columns(kreport: Kreport, tmp_path: Path) -> None:
    base = str(write_samples(tmp_path / "base.csv", BASE))
    english = kreport("diff", base, base, "--format", "csv")
    assert kreport("diff", base, base, "--format", "csv", "--lang", "zh") == english


def test_json_is_strict_and_versioned(kreport: Kreport, tmp_path: Path) -> None:
    base = str(write_samples(tmp_path / "base.csv", BASE))
    _, out, _ = kreport("diff", base, base, "--format", "json")

    def refuse(name: str) -> None:
        raise AssertionError(name)

    report = json.loads(out, parse_constant=refuse)
    assert (report["format"], report["version"], report["matched"]) == ("kreport-diff", 1, 1)


def test_calibrate_measures_same_code_runs(kreport: Kreport, tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 8)
    code, out, _ = kreport("calibrate", "runs", "--format", "json")
    (clock,) = json.loads(out)["clocks"]
    assert code == 0
    assert (clock["timer"], clock["runs"], clock["tests"]) == ("host", 8, 96)
    assert clock["alarms"] <= 1
    assert clock["found_rate"] >= 0.8
    assert len(clock["cases"]) == 12
    detectable = [case["detectable_pct"] for case in clock["cases"]]
    assert detectable == sorted(detectable, reverse=True)
    assert clock["sees_effect"] == sum(effect <= 8 for effect in detectable)


def test_calibrate_tells_it_in_words(kreport: Kreport, tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 4)
    code, out, _ = kreport("calibrate", "runs")
    assert code == 0
    assert "Same code: 0 of 48 comparisons called a change" in out
    assert "4 runs are few" in out


def test_a_step_of_the_code_is_not_taken_for_noise(kreport: Kreport, tmp_path: Path) -> None:
    for i in range(20):
        write_run(tmp_path / "runs" / f"run{i:02d}.csv", i, port={"k02": 1.5 if i < 10 else 1.0})
    _, out, _ = kreport("calibrate", "runs", "--format", "json")
    (clock,) = json.loads(out)["clocks"]
    assert clock["left_out"] == 10
    by_kernel = {case["kernel"]: case for case in clock["cases"]}
    assert by_kernel["k02"]["detectable_pct"] < 12


def test_a_step_too_small_to_be_called_a_change_is_noise_to_calibrate() -> None:
    """What a comparison would never call a change is no other level of the code either."""
    rng = np.random.default_rng(3)
    levels = np.where(np.arange(40) < 20, 1.0, 1.04) * np.exp(rng.normal(0, 0.002, 40))
    runs = table(
        *(row(run=f"r{i:02d}", pto_median_ms=level) for i, level in enumerate(levels.tolist()))
    )
    assert [clock.left_out for clock in calibrate(runs)] == [20]
    assert [clock.left_out for clock in calibrate(runs, min_effect_pct=6.0)] == [0]


def test_two_runs_are_too_few_to_calibrate(kreport: Kreport, tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 2)
    code, _, err = kreport("calibrate", "runs")
    assert code == 4
    assert "3 runs" in err
