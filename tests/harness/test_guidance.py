"""What is said about measurements that cannot carry a report, on runs made up to be bad one way."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from kreport.harness.guidance import Trouble, advise, runs_needed
from kreport.harness.record import CaseName, CaseRecord, RunRecord, SideRecord
from kreport.model import Side, Status
from kreport.noise.model import MOST_DF, NoiseLimits
from kreport.noise.student import critical

Samples = Callable[[int], list[float]]
STEADY = [1.0 + 0.0001 * (index % 7) for index in range(100)]


def records(samples: Samples, runs: int, timers: tuple[str, ...] = ("host",)) -> list[RunRecord]:
    """Runs of one case whose port takes `samples(run)` on every clock; the baseline is steady."""
    name = CaseName("f", "k", "", '{"x": [8]}', "k x8")
    found = []
    for run in range(runs):
        sides = {
            Side.BASELINE: SideRecord(Status.OK, samples_ms=dict.fromkeys(timers, tuple(STEADY))),
            Side.PTO: SideRecord(Status.OK, samples_ms=dict.fromkeys(timers, tuple(samples(run)))),
        }
        case = CaseRecord(name, sides)
        found.append(RunRecord(str(run), "", run, "d", timers, (case,), (0,), {}, (), {}))
    return found


def troubles(samples: Samples, runs: int = 10, resolution_ms: float = 1e-6) -> dict[Trouble, str]:
    found = advise(records(samples, runs), {"host": resolution_ms}, effect_pct=8.0)
    return {advice.trouble: f"{advice.case}: {advice.text}" for advice in found}


def test_sound_measurements_get_no_advice() -> None:
    assert troubles(lambda _run: STEADY) == {}


def test_too_few_samples() -> None:
    found = troubles(lambda _run: STEADY[:19])
    assert found == {Trouble.FEW_SAMPLES: "k x8, pto, host: 19 a run; take at least 20 (--repeats)"}
    assert troubles(lambda _run: STEADY[:20]) == {}


def test_slow_first_samples_in_most_runs() -> None:
    slow = [1.5, 1.4, 1.3, *STEADY[3:]]
    found = troubles(lambda run: slow if run < 6 else STEADY)
    assert found == {
        Trouble.SLOW_START: "k x8, pto, host: in 6 of 10 runs; warm up longer (--warmup)"
    }
    assert troubles(lambda run: slow if run < 5 else STEADY) == {}


def test_one_slow_sample_at_the_start_is_an_outlier_and_no_trend() -> None:
    assert troubles(lambda _run: [9.0, *STEADY[1:]]) == {}


def test_a_clock_whose_step_is_larger_than_the_effect() -> None:
    found = troubles(lambda _run: STEADY, resolution_ms=0.1)
    assert found[Trouble.COARSE_CLOCK].startswith("k x8, ")
    assert (
        "one step is 10 % of the latency, more than the effect of 8 %"
        in found[Trouble.COARSE_CLOCK]
    )
    assert troubles(lambda _run: STEADY, resolution_ms=0.05) == {}


def test_a_single_run_confirms_nothing() -> None:
    assert list(troubles(lambda _run: STEADY, runs=1)) == [Trouble.ONE_RUN]


def scattered(share: float) -> Samples:
    """Runs whose medians lie on a grid of +-share around 1."""
    return lambda run: [value * (1 + share * (run - 4.5) / 4.5) for value in STEADY]


def test_runs_that_differ_say_how_many_more_are_needed() -> None:
    found = troubles(scattered(0.04))
    medians = [1 + 0.04 * (run - 4.5) / 4.5 for run in range(10)]
    more = runs_needed(medians, 8.0) - 10
    assert more > 0
    assert f"{more} more runs a side would show 8 %" in found[Trouble.SPREAD]


def test_runs_that_differ_too_much_are_sent_to_a_better_clock() -> None:
    spread = records(scattered(0.5), 10, ("host", "event_cold"))
    found = advise(spread, {}, effect_pct=8.0)
    texts = {advice.case: advice.text for advice in found if advice.trouble is Trouble.SPREAD}
    assert "more runs will not show 8 %; trust event_cold instead" in texts["k x8, pto, host"]
    assert "make the work longer" in texts["k x8, pto, event_cold"]


def test_a_side_that_a_clock_cannot_time_is_named() -> None:
    seen = records(lambda _run: STEADY, 3)
    case = seen[-1].cases[0]
    untimed = SideRecord(
        Status.OK, samples_ms={"host": tuple(STEADY)}, untimed={"graph": "it syncs"}
    )
    broken = CaseRecord(case.name, {**case.sides, Side.PTO: untimed})
    last = RunRecord("2", "", 2, "d", ("host",), (broken,), (0,), {}, (), {})
    (advice,) = advise([*seen[:-1], last], {}, 8.0)
    assert (advice.trouble, advice.case) == (Trouble.UNTIMED, "k x8, pto, graph")


@pytest.mark.parametrize("sigma", [0.01, 0.03, 0.06])
def test_the_number_of_runs_asked_for_is_enough(sigma: float) -> None:
    """With that many runs a side, 8 % passes the model's own threshold four times in five."""
    needed = runs_needed(np.exp(np.linspace(-1.349, 1.349, 5) * sigma).tolist(), 8.0)
    random = np.random.default_rng(8)
    old = np.median(random.normal(0, sigma, (4000, needed)), axis=1)
    new = np.median(random.normal(math.log1p(0.08), sigma, (4000, needed)), axis=1)
    noise = sigma * math.sqrt(math.pi / needed)
    seen = np.mean((new - old) / noise > critical(NoiseLimits().case_level, MOST_DF))
    assert 0.78 < seen <= 1.0
