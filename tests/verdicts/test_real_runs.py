"""Verdicts on runs that were really measured: the same code twenty times, and three dates."""

from pathlib import Path

import pytest

from kreport.archive.cache import load_history
from kreport.archive.history import history_of
from kreport.model import BandSource, Transition, Verdict
from kreport.readers import read_runs
from kreport.verdicts import DiffReport, Inputs, Question, compare_runs
from kreport.verdicts.calibrate import ClockCalibration, calibrate

OPPOSITE = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}


@pytest.fixture(scope="module")
def clocks(shared: Path) -> dict[str, ClockCalibration]:
    table = read_runs([str(shared / "data" / "h200" / "aa_*.csv.gz")])
    return {clock.timer: clock for clock in calibrate(table)}


def test_same_code_hardly_ever_alarms(clocks: dict[str, ClockCalibration]) -> None:
    """Each of twenty runs against the other nineteen."""
    assert clocks["event_cold"].alarm_rate <= 0.01
    assert clocks["host"].alarm_rate <= 0.02
    assert clocks["event"].alarm_rate <= 0.02


def test_the_printed_effect_is_found_on_every_clock(clocks: dict[str, ClockCalibration]) -> None:
    assert min(clock.found_rate for clock in clocks.values()) >= 0.8


def test_the_flushed_clock_sees_the_effect_and_the_others_say_that_they_do_not(
    clocks: dict[str, ClockCalibration],
) -> None:
    assert clocks["event_cold"].sees_effect >= 12
    assert clocks["host"].sees_effect <= 2


def test_ten_runs_against_one_are_mirrored_by_one_against_ten(shared: Path) -> None:
    folder = shared / "data" / "h200"
    old = read_runs([str(folder / "aa_b10*.csv.gz")])
    new = read_runs([str(folder / "aa_a003.csv.gz")])
    there, back = (
        compare_runs(Inputs(*tables), Question()).cases for tables in ((old, new), (new, old))
    )
    for one, other in zip(there, back, strict=True):
        assert other.verdict is OPPOSITE.get(one.verdict, one.verdict)
        assert other.pto.detectable_pct == pytest.approx(one.pto.detectable_pct, nan_ok=True)


def test_no_night_of_a_young_archive_alarms_on_the_same_code(shared: Path) -> None:
    """Each of the runs, in order, against the one before it, with all earlier ones as history."""
    files = sorted((shared / "data" / "h200").glob("aa_*.csv.gz"))
    tables = [read_runs([str(file)]) for file in files]
    history = history_of(read_runs([str(file) for file in files]))
    alarms, compared = 0, 0
    for night in range(2, len(files)):
        past = history.select(range(len(history.cases)), range(night - 1))
        report = compare_runs(Inputs(tables[night - 1], tables[night], past), Question())
        compared += sum(case.verdict is not None for case in report.cases)
        alarms += sum(case.pto.changed and case.confirmed for case in report.cases)
    assert alarms <= 0.005 * compared


def _between(shared: Path, old: str, new: str) -> DiffReport:
    folder = shared / "data" / "pto-kernels"
    tables = [read_runs([str(folder / f"regression_{stamp}.csv")]) for stamp in (old, new)]
    history = load_history(folder / "runs")
    return compare_runs(Inputs(*tables, history, "runs"), Question())


def test_medians_alone_lean_on_history_and_say_so(shared: Path) -> None:
    report = _between(shared, "20260314T170132Z", "20260321T024111Z")
    assert report.matched == 107
    blocked = {
        case.key.kernel for case in report.cases if Transition.NEWLY_BLOCKED in case.transitions
    }
    assert blocked == {"moe_compute_expert_tokens", "ring_attention_update"}
    sources = {case.pto.source for case in report.cases if case.verdict is not None}
    assert sources <= {BandSource.HISTORY, BandSource.NONE}
    assert BandSource.HISTORY in sources
    for case in report.cases:
        if case.pto.source is BandSource.NONE and case.verdict is not None:
            assert case.verdict is Verdict.CANNOT_TELL
