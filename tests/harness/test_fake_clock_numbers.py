"""The harness on a scripted clock: every number that it promises."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kreport
from kreport.errors import UsageError
from kreport.harness.clock import Work

durations = st.floats(min_value=1e-3, max_value=1e3)


def bench_on(clock: kreport.FakeClock, **effort: float) -> kreport.Measurement:
    return kreport.bench(clock.work, timer=clock.now, sync=clock.sync, **effort)


def test_warm_up_is_left_out_of_every_number() -> None:
    """Three slow warm-up calls of 10 leave no trace: median 1.0 and max 1.0."""
    seen = bench_on(kreport.FakeClock([10, 10, 10, 1, 1, 1, 1, 1]), warmup=3, repeats=5)
    assert (seen.median, seen.max, seen.n) == (1.0, 1.0, 5)
    assert seen.samples == (1.0,) * 5


def test_one_warm_up_call_too_few_shows() -> None:
    """The counterpart: with two warm-ups for three slow calls the maximum gives it away."""
    seen = bench_on(kreport.FakeClock([10, 10, 10, 1, 1, 1, 1, 1]), warmup=2, repeats=5)
    assert (seen.median, seen.max) == (1.0, 10.0)


@given(warmup=st.integers(0, 20), repeats=st.integers(1, 50))
def test_syncs_are_one_and_two_a_sample(warmup: int, repeats: int) -> None:
    """One sync after the warm-up, then one before and one after each sample."""
    clock = kreport.FakeClock([1.0])
    bench_on(clock, warmup=warmup, repeats=repeats)
    assert clock.syncs == 1 + 2 * repeats


@given(script=st.lists(durations, min_size=1, max_size=30))
def test_samples_are_the_script(script: list[float]) -> None:
    """Without warm-up each sample is the scripted duration, in order."""
    seen = bench_on(kreport.FakeClock(script), warmup=0, repeats=len(script))
    # The clock is a running sum, so a short duration after a long one keeps its rounding.
    assert seen.samples == pytest.approx(script, rel=1e-9, abs=sum(script) * 1e-12)


def test_an_unsynced_timer_sees_only_the_launch() -> None:
    """Work that finishes at the sync alone is invisible to a harness that does not sync."""
    clock = kreport.FakeClock([5.0])
    pending: list[int] = []

    def finish() -> None:
        while pending:
            pending.pop()
            clock.work()

    launched = kreport.bench(lambda: pending.append(1), warmup=0, repeats=3, timer=clock.now)
    finish()
    fenced = kreport.bench(
        lambda: pending.append(1), warmup=1, repeats=3, timer=clock.now, sync=finish
    )
    assert (launched.max, fenced.min, fenced.max) == (0.0, 5.0, 5.0)


@pytest.mark.parametrize(
    ("duration", "target", "samples"),
    [(1.0, 25.0, 25), (1.0, 2.0, 10), (2.0**-30, 1.0, 100_000)],
    ids=["until the target is met", "never fewer than ten", "never without end"],
)
def test_a_target_time_replaces_repeats(duration: float, target: float, samples: int) -> None:
    seen = bench_on(kreport.FakeClock([duration]), warmup=0, repeats=3, target_time=target)
    assert seen.n == samples


@pytest.mark.parametrize(
    "effort", [{"warmup": -1}, {"repeats": 0}, {"target_time": 0.0}, {"target_time": math.nan}]
)
def test_impossible_effort_is_refused(effort: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="must be"):
        bench_on(kreport.FakeClock([1.0]), **effort)


@pytest.mark.parametrize("script", [[], [1.0, -1.0]])
def test_a_script_needs_durations(script: list[float]) -> None:
    with pytest.raises(UsageError, match="script"):
        kreport.FakeClock(script)


def test_compile_cost_is_the_first_call_without_a_steady_one() -> None:
    """Making takes 7, the first call 1: first 8, steady 1, one-time 7."""
    clock = kreport.FakeClock([7, 1])

    def make() -> Work:
        clock.work()
        return clock.work

    cost = kreport.compile_vs_run(make, repeats=5, timer=clock.now, sync=clock.sync)
    assert (cost.first, cost.steady, cost.one_time) == (8.0, 1.0, 7.0)
    assert cost.measurement.n == 5


def test_break_even_is_the_one_time_cost_over_the_gain_per_call() -> None:
    assert kreport.break_even(7.0, baseline_steady=3.0, pto_steady=1.0) == 3.5


def test_break_even_of_a_port_that_gains_nothing_never_comes() -> None:
    assert kreport.break_even(7.0, baseline_steady=1.0, pto_steady=1.0) == math.inf
    assert kreport.break_even(7.0, baseline_steady=1.0, pto_steady=2.0) == math.inf
    assert kreport.break_even(0.0, baseline_steady=1.0, pto_steady=2.0) == 0.0
    with pytest.raises(UsageError, match="finite"):
        kreport.break_even(math.nan, 1.0, 1.0)


def test_statistics_of_the_guide() -> None:
    """Summary, Tukey outlier and both comparisons, through the public names."""
    summary = kreport.summarize([1, 2, 3, 4, 100])
    assert (summary.mean, summary.median, summary.q1, summary.q3) == (22.0, 3.0, 2.0, 4.0)
    assert (summary.iqr, summary.max) == (2.0, 100.0)
    assert list(kreport.outliers([1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 5.0])) == [6]
    base = [10, 10.5, 11, 11.5, 12]
    halved = kreport.compare(base, [5, 5.2, 5.5, 5.8, 6])
    assert (halved.verdict, halved.speedup) == ("faster", 2.0)
    assert kreport.compare(base, [9.5, 10, 11, 11.8, 12.5]).verdict == "within noise"
