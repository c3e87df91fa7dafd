"""The arithmetic behind a verdict adds up, and its lines say the same numbers."""

import math

import pytest

from kreport.report.catalogue import Catalogue
from kreport.report.diff.verdict_lines import verdict_lines
from kreport.verdicts import Inputs, Question, compare_runs
from kreport.verdicts.arithmetic import arithmetic
from tests.verdicts.builders import compared, runs, single

NAMES = [f"k{i}" for i in range(12)]


def test_every_step_follows_from_the_one_before() -> None:
    inputs = Inputs(runs(NAMES, 8, 1), runs(NAMES, 2, 2, pto={"k3": 1.3}))
    (case,) = [c for c in compare_runs(inputs, Question()).cases if c.key.kernel == "k3"]
    (steps,) = arithmetic(inputs, Question(), "k3").values()
    log = {
        name: math.log1p(getattr(steps, name) / 100)
        for name in ("sigma_pct", "error_pct", "band_pct", "detectable_pct", "change_pct")
    }
    assert (steps.n_old, steps.n_new, steps.df, steps.tests) == (8, 2, 8, 12)
    shares = math.pi / 2 / 8 + 1 / 2
    assert log["error_pct"] == pytest.approx(log["sigma_pct"] * math.sqrt(shares))
    assert log["band_pct"] == pytest.approx(steps.reach * log["error_pct"])
    assert log["detectable_pct"] == pytest.approx(
        (steps.reach + steps.power_reach) * log["error_pct"]
    )
    assert steps.band_pct == pytest.approx(case.pto.band_pct)
    assert abs(log["change_pct"]) > log["band_pct"]
    lines = verdict_lines([case], {case.key: steps}, "old.csv", Catalogue("en"))
    assert lines[0] == "verdicts since old.csv:"
    assert "slower" in lines[1]
    assert any(f"±{steps.band_pct:.1f}%" in line for line in lines)


def test_single_runs_and_transitions_are_explained_too() -> None:
    quartiles = {"pto_q1_ms": 1.9, "pto_q3_ms": 2.1}
    (case,) = compared(single(**quartiles), single(**quartiles)).cases
    lines = verdict_lines([case], {}, "old.csv", Catalogue("en"))
    assert "the quartiles within the runs decide" in lines[2]
    (case,) = compared(single(), single()).cases
    assert "nothing says" in verdict_lines([case], {}, "old.csv", Catalogue("en"))[2]
    (case,) = compared(single(), single(pto_status="blocked")).cases
    assert "newly blocked" in verdict_lines([case], {}, "old.csv", Catalogue("en"))[1]
