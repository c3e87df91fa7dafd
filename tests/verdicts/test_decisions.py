"""Verdicts: the rule of disjoint quartiles, single runs, several runs, drift, methods."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kreport.archive.history import history_of
from kreport.choices import Gate, Method
from kreport.model import BandSource, Moved, Verdict
from kreport.schema import RunTable, SampleStore
from kreport.verdicts import Inputs, Question, compare_runs
from kreport.verdicts.gate import tripped
from tests.tables import row, table
from tests.verdicts.builders import by_kernel, compared, measured, runs, single

NAMES = [f"k{i:02d}" for i in range(18)]
FAST, SLOW, SAME, UNSURE = (
    Verdict.FASTER,
    Verdict.SLOWER,
    Verdict.WITHIN_NOISE,
    Verdict.CANNOT_TELL,
)


def quartiles(q1: float, median: float, q3: float, **values: float) -> RunTable:
    return single(pto_q1_ms=q1, pto_median_ms=median, pto_q3_ms=q3, **values)


def test_the_guides_examples() -> None:
    """[10.5, 11.5] against [5.2, 5.8]: faster, 2.0x; against [10, 11.8]: within noise."""
    base = quartiles(10.5, 11.0, 11.5)
    faster = compared(base, quartiles(5.2, 5.5, 5.8), method=Method.IQR).cases[0]
    assert faster.verdict is FAST
    assert faster.pto.old.median_ms / faster.pto.new.median_ms == 2.0
    assert not faster.confirmed
    noise = compared(base, quartiles(10.0, 11.0, 11.8), method=Method.IQR).cases[0]
    assert noise.verdict is SAME


def test_touching_quartiles_overlap() -> None:
    base = quartiles(10.0, 11.0, 12.0)
    found = compared(base, quartiles(12.0, 12.5, 13.0), method=Method.IQR).cases[0]
    assert found.verdict is SAME


def test_one_run_on_each_side_is_never_confirmed() -> None:
    case = compared(quartiles(0.99, 1.0, 1.01), quartiles(1.99, 2.0, 2.01)).cases[0]
    assert (case.verdict, case.confirmed) == (SLOW, False)
    assert math.isnan(case.pto.detectable_pct)
    assert math.isnan(case.pto.p_value)
    report = compared(quartiles(0.99, 1.0, 1.01), quartiles(1.99, 2.0, 2.01))
    assert tripped(report, [Gate.SLOWER]) == {}
    assert tripped(report, [Gate.SLOWER, Gate.UNCONFIRMED]) == {Gate.UNCONFIRMED: 1}


def test_medians_alone_say_nothing_about_noise() -> None:
    """No quartiles, no second run: a factor of two may be anything."""
    case = compared(single(pto_median_ms=1.0), single(pto_median_ms=2.0)).cases[0]
    assert case.verdict is UNSURE
    assert case.pto.source is BandSource.NONE


def test_a_range_stands_in_for_quartiles() -> None:
    old = single(pto_median_ms=1.0, pto_min_ms=0.98, pto_max_ms=1.02)
    new = single(pto_median_ms=2.0, pto_min_ms=1.98, pto_max_ms=2.02)
    case = compared(old, new).cases[0]
    assert (case.verdict, case.pto.source) == (SLOW, BandSource.MIN_MAX)
    assert compared(old, new, method=Method.IQR).cases[0].verdict is UNSURE


def test_quartiles_wider_than_the_effect_make_silence_meaningless() -> None:
    base = quartiles(0.9, 1.0, 1.1)
    assert compared(base, quartiles(0.93, 1.03, 1.13)).cases[0].verdict is UNSURE
    assert compared(base, quartiles(0.93, 1.03, 1.13), effect_pct=30.0).cases[0].verdict is SAME


def test_a_change_of_one_tick_is_within_noise() -> None:
    """Quartiles of width zero, one step of the clock apart."""
    tick = {"pto_resolution_ms": 0.02}
    old, new = quartiles(0.10, 0.10, 0.10, **tick), quartiles(0.12, 0.12, 0.12, **tick)
    assert compared(old, new).cases[0].verdict is SAME
    assert compared(old, quartiles(0.16, 0.16, 0.16, **tick)).cases[0].verdict is SLOW


def test_a_change_below_the_minimum_effect_is_none() -> None:
    old, new = quartiles(1.0, 1.0, 1.0), quartiles(1.005, 1.005, 1.005)
    assert compared(old, new).cases[0].verdict is SAME
    assert compared(old, new, min_effect_pct=0.1).cases[0].verdict is SLOW


def test_several_runs_confirm() -> None:
    report = compared(runs(NAMES, 10, 1), runs(NAMES, 1, 2, pto={"k03": 1.15, "k07": 0.8}))
    cases = by_kernel(report)
    assert (cases["k03"].verdict, cases["k03"].confirmed, cases["k03"].moved) == (
        SLOW,
        True,
        Moved.PTO,
    )
    assert cases["k07"].verdict is FAST
    assert {cases[name].verdict for name in NAMES if name not in ("k03", "k07")} == {SAME}
    assert cases["k03"].pto.source is BandSource.RUNS
    assert cases["k03"].pto.source_n == 11
    assert tripped(report, [Gate.SLOWER]) == {Gate.SLOWER: 1}


def test_a_uniform_shift_is_one_drift_and_no_verdict() -> None:
    report = compared(runs(NAMES, 10, 1), runs(NAMES, 1, 2, whole=1.15))
    assert report.clocks[0].is_drift
    assert report.clocks[0].drift_pct == pytest.approx(15, abs=1.5)
    assert {case.verdict for case in report.cases} == {SAME}
    assert {case.moved for case in report.cases} == {Moved.RUN}


def test_a_uniform_shift_of_single_runs_is_one_drift_too() -> None:
    report = compared(runs(NAMES, 1, 1), runs(NAMES, 1, 2, whole=2.0))
    assert report.clocks[0].is_drift
    assert {case.verdict for case in report.cases} == {SAME}


@pytest.mark.parametrize(("earlier", "sure"), [(5, False), (7, False), (8, True), (12, True)])
def test_few_earlier_runs_confirm_no_single_run(earlier: int, sure: bool) -> None:
    """The first nights of an archive are one session, and the next one is not as quiet."""
    past = history_of(runs(NAMES, earlier, 9, sigma=0.002, label="past"))
    old, new = runs(NAMES, 1, 1), runs(NAMES, 1, 2, pto={NAMES[0]: 1.5}, label="new")
    case = by_kernel(compare_runs(Inputs(old, new, past), Question()))[NAMES[0]]
    assert (case.verdict, case.confirmed) == (Verdict.SLOWER, sure)


def test_history_confirms_single_runs() -> None:
    past = history_of(runs(NAMES, 12, 9, label="past"))
    old, new = runs(NAMES, 1, 1), runs(NAMES, 1, 2, pto={"k03": 1.25})
    report = compare_runs(Inputs(old, new, past, "past/"), Question())
    case = by_kernel(report)["k03"]
    assert (case.verdict, case.confirmed, case.pto.source) == (SLOW, True, BandSource.HISTORY)
    assert report.clocks[0].past_runs == 12
    assert sum(case.pto.changed for case in report.cases) == 1


def test_runs_alone_cannot_tell_from_single_runs() -> None:
    found = compared(quartiles(1, 1, 1), quartiles(2, 2, 2), method=Method.RUNS).cases[0]
    assert found.verdict is UNSURE


def _with_samples(*sets: list[float]) -> RunTable:
    """A table of one case a set: the samples of its port, none of its baseline."""
    rows = [row(f"k{i}", run="r", pto_median_ms=float(np.median(s))) for i, s in enumerate(sets)]
    values = np.concatenate([np.array(s) for s in sets])
    ends = np.cumsum([len(s) for s in sets])
    start, stop = np.zeros(2 * len(sets), int), np.zeros(2 * len(sets), int)
    start[1::2], stop[1::2] = ends - [len(s) for s in sets], ends
    made = table(*rows)
    return RunTable(made.frame, made.sources, (), SampleStore(values, start, stop))


@pytest.mark.parametrize("method", [Method.MANN_WHITNEY, Method.BOOTSTRAP])
def test_tests_on_samples_find_a_change_and_stay_unconfirmed(method: Method) -> None:
    rng = np.random.default_rng(1)
    old = _with_samples(list(rng.normal(1, 0.01, 30)), list(rng.normal(1, 0.01, 30)))
    new = _with_samples(list(rng.normal(1.1, 0.01, 30)), list(rng.normal(1, 0.01, 30)))
    moved, same = compared(old, new, method=method).cases
    assert (moved.verdict, moved.confirmed) == (SLOW, False)
    assert moved.pto.p_value < 0.01
    assert same.verdict is SAME
    assert same.pto.p_value > 0.05


def test_a_test_without_samples_cannot_tell() -> None:
    assert compared(single(), single(), method=Method.MANN_WHITNEY).cases[0].verdict is UNSURE


def test_a_test_on_runs_is_confirmed() -> None:
    report = compared(
        runs(["a", "b"], 8, 1), runs(["a", "b"], 8, 2, pto={"a": 1.2}), method=Method.MANN_WHITNEY
    )
    cases = by_kernel(report)
    assert (cases["a"].verdict, cases["a"].confirmed) == (SLOW, True)
    assert cases["b"].verdict is SAME


def test_a_band_says_what_it_rests_on() -> None:
    """Five wild samples a run, then a clock of coarse steps, outweigh how well the runs agree."""

    def told(**values: float) -> tuple[BandSource, int]:
        rows = [measured("a", f"r{run}", 1.0, 2.0, **values) for run in range(6)]
        case = compared(table(*rows), table(rows[0])).cases[0]
        return case.pto.source, case.pto.source_n

    assert told() == (BandSource.RUNS, 7)
    assert told(pto_n=5.0, pto_q1_ms=1.6, pto_q3_ms=2.4) == (BandSource.SAMPLES, 5)
    assert told(pto_resolution_ms=0.5) == (BandSource.RESOLUTION, 0)


def test_advice_counts_the_runs_that_would_do() -> None:
    """With scatter of 3 % two runs against one see little; the advice says how many more do."""
    report = compared(runs(NAMES, 6, 1, sigma=0.025), runs(NAMES, 1, 2, sigma=0.025))
    case = report.cases[0]
    assert case.pto.detectable_pct > 8
    assert 1 <= case.advice.more_runs <= 20
    more = compared(
        runs(NAMES, 6, 1, sigma=0.025),
        runs(NAMES, 1 + max(c.advice.more_runs for c in report.cases), 2, sigma=0.025),
    )
    assert np.median([c.pto.detectable_pct for c in more.cases]) <= 9


def test_a_quieter_clock_is_pointed_at() -> None:
    def both(count: int, seed: int) -> RunTable:
        rng = np.random.default_rng(seed)
        rows = [
            measured(name, f"r{run}", 1.0, float(np.exp(rng.normal(0, sigma))), timer=timer)
            for run in range(count)
            for name in NAMES
            for timer, sigma in (("host", 0.2), ("event_cold", 0.005))
        ]
        return table(*rows)

    for case in compared(both(8, 1), both(1, 2)).cases:
        if case.key.timer == "host":
            assert case.advice.clock == "event_cold"
            assert case.advice.clock_pct < 8 < case.pto.detectable_pct
        else:
            assert case.advice.clock == ""


SETS = st.tuples(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([Method.AUTO, Method.IQR, Method.RUNS]),
)
OPPOSITE = {FAST: SLOW, SLOW: FAST}


def _pair(seed: int, old: int, new: int) -> tuple[RunTable, RunTable]:
    rng = np.random.default_rng(seed)
    factors = dict(zip(NAMES, rng.choice([0.7, 1.0, 1.0, 1.4], len(NAMES)), strict=True))
    whole = float(rng.choice([1.0, 1.0, 1.2]))
    return runs(NAMES[:6], old, seed), runs(NAMES[:6], new, seed + 1, pto=factors, whole=whole)


@settings(max_examples=15)
@given(SETS)
def test_swapping_old_and_new_mirrors_every_verdict(case: tuple[int, int, int, Method]) -> None:
    seed, m, n, method = case
    old, new = _pair(seed, m, n)
    there, back = compared(old, new, method=method), compared(new, old, method=method)
    for one, other in zip(there.cases, back.cases, strict=True):
        assert other.verdict is OPPOSITE.get(one.verdict, one.verdict)
        assert other.confirmed == one.confirmed
        assert other.moved == one.moved


@settings(max_examples=12)
@given(SETS)
def test_a_set_against_itself_never_alarms(case: tuple[int, int, int, Method]) -> None:
    seed, m, _, method = case
    old, _ = _pair(seed, m, 1)
    assert not any(
        c.pto.changed or c.baseline.changed for c in compared(old, old, method=method).cases
    )


@settings(max_examples=12)
@given(SETS, st.sampled_from([2.0**-20, 0.5, 1024.0]))
def test_the_unit_of_time_changes_nothing(case: tuple[int, int, int, Method], unit: float) -> None:
    seed, m, n, method = case
    old, new = _pair(seed, m, n)

    def scaled(made: RunTable) -> RunTable:
        frame = made.frame.copy()
        for name in frame.columns:
            if name.endswith("_ms"):
                frame[name] = frame[name] * unit
        return RunTable(frame, made.sources)

    one = compared(old, new, method=method)
    other = compared(scaled(old), scaled(new), method=method)
    assert [c.verdict for c in one.cases] == [c.verdict for c in other.cases]


@settings(max_examples=12)
@given(SETS, st.randoms())
def test_row_order_changes_nothing(case: tuple[int, int, int, Method], random: object) -> None:
    seed, m, n, method = case
    old, new = _pair(seed, m, n)

    def shuffled(made: RunTable) -> RunTable:
        order = list(range(len(made.frame)))
        random.shuffle(order)  # type: ignore[attr-defined]
        return RunTable(made.frame.iloc[order].reset_index(drop=True), made.sources)

    one = compared(old, new, method=method)
    other = compared(shuffled(old), shuffled(new), method=method)
    assert [(c.key, c.verdict) for c in one.cases] == [(c.key, c.verdict) for c in other.cases]
    assert [c.pto.p_value for c in one.cases] == pytest.approx(
        [c.pto.p_value for c in other.cases], nan_ok=True
    )
