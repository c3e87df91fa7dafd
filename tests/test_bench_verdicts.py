"""The benchmark of verdicts: its rules say what they are documented to, its trials count right."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from bench.verdicts.curve import curve
from bench.verdicts.material import Material, load, write_rounds
from bench.verdicts.rules import RULES
from bench.verdicts.trials import KREPORT, UNCONFIRMED, run_trials
from kreport.readers import read_runs

RUNS = 6
HEAD = (
    "run,family,kernel,variant_label,shape_summary_json,side,timer,status,sample_index,latency_ms,"
    "reason"
)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """Six runs of eight ports on one clock, the same code, 0.5 % from run to run."""
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(4)
    for run in range(RUNS):
        with (folder / f"r{run}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(HEAD.split(","))
            for kernel in range(8):
                for side in ("baseline", "pto"):
                    level = 0.1 * (kernel + 1) * np.exp(rng.normal(0, 0.005))
                    for i, latency in enumerate(level * np.exp(rng.normal(0, 0.01, 20))):
                        writer.writerow(
                            [
                                *(f"r{run}", "f", f"k{kernel}", "v", '{"x": [8]}', side),
                                *("event_cold", "ok", i, f"{latency:.6f}", ""),
                            ]
                        )
    return load(str(folder))


def test_material_holds_every_port_and_run(material: Material) -> None:
    assert len(material.runs) == RUNS
    assert len(material.keys) == 8
    assert len(material.samples) == 8 * RUNS
    slowed = material.part(np.array([0]), {material.keys[0]: 2.0}).frame
    plain = material.part(np.array([0])).frame
    ratio = slowed["pto_median_ms"] / plain["pto_median_ms"]
    assert sorted(ratio.round(6)) == [1.0] * 7 + [2.0]


def test_trials_find_a_plain_slowdown_and_count_alarms(material: Material) -> None:
    scores = run_trials(material, old=5, count=4)
    ours = scores[KREPORT, "event_cold"]
    assert ours.tests == 4 * 8
    assert ours.alarms == 0
    assert ours.found_pct(16) == 100
    assert {rule for rule, _ in scores} == {*RULES, KREPORT, UNCONFIRMED}
    assert scores["benchstat (Mann-Whitney 0.05)", "event_cold"].found_pct(16) == 100


def test_single_runs_confirm_nothing(material: Material) -> None:
    scores = run_trials(material, old=1, count=2)
    assert scores[KREPORT, "event_cold"].found_pct(16) == 0
    assert scores[UNCONFIRMED, "event_cold"].found_pct(16) == 100


def test_a_looser_level_finds_no_less(material: Material) -> None:
    found = [power for _, _, power in curve(material, "event_cold", 4, 3)]
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_knows_slower_from_faster_and_from_the_same(name: str) -> None:
    rng = np.random.default_rng(1)
    old = [rng.normal(1.0, 0.01, 60) for _ in range(6)]
    assert RULES[name](old, [old[-1] * 1.5]) == 1
    assert RULES[name](old, [old[-1] / 1.5]) == -1
    assert RULES[name](old, [np.concatenate(old)]) == 0


def test_rounds_become_files_that_are_read(tmp_path: Path) -> None:
    variant = {"shape_summary": {"x": [8]}, "baseline_median_ms": 1.0, "pto_median_ms": 2.5}
    one = {"baseline_status": "ok", "pto_status": "ok", "variant_rows": [variant]}
    kernel = {"name": "k", "family": "f", "rounds": [one | {"round": 1}, one | {"round": 2}]}
    report = tmp_path / "rounds.json"
    report.write_text(json.dumps({"kernels": [kernel]}))
    paths = write_rounds(report, tmp_path)
    assert [path.name for path in paths] == ["rounds_1.csv", "rounds_2.csv"]
    assert read_runs([str(paths[1])]).frame["pto_median_ms"].tolist() == [2.5]
