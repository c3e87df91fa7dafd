"""What no latency can express: nothing appears, vanishes or breaks in silence."""

import pytest

from kreport.choices import Gate
from kreport.model import Moved, Transition, Verdict
from kreport.verdicts.gate import tripped, unseen
from tests.tables import row, table
from tests.verdicts.builders import NAN, by_kernel, compared, single

BLOCKED = {"pto_status": "blocked", "pto_median_ms": NAN, "pto_correct": "unknown"}
INVALID = {"pto_status": "invalid", "pto_median_ms": NAN}
WRONG = {"pto_correct": "fail"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, BLOCKED, (Transition.NEWLY_BLOCKED,)),
        (BLOCKED, {}, (Transition.UNBLOCKED,)),
        (BLOCKED, WRONG, (Transition.BECAME_WRONG, Transition.UNBLOCKED)),
        ({}, WRONG, (Transition.BECAME_WRONG,)),
        (WRONG, {}, (Transition.BECAME_CORRECT,)),
        (WRONG, {"pto_correct": "unknown"}, ()),
        ({}, INVALID, (Transition.LOST,)),
        ({}, {"pto_median_ms": NAN}, (Transition.LOST,)),
        (INVALID, {}, (Transition.REGAINED,)),
        (BLOCKED, BLOCKED, ()),
        ({}, {}, ()),
    ],
)
def test_transitions_of_a_port(
    old: dict[str, object], new: dict[str, object], expected: tuple[Transition, ...]
) -> None:
    case = compared(single(**old), single(**new)).cases[0]
    assert case.transitions == expected
    if expected:
        assert case.verdict is None


def test_a_wrong_result_is_never_faster() -> None:
    case = compared(single(**WRONG), single(pto_median_ms=0.1, **WRONG)).cases[0]
    assert case.verdict is None
    assert case.transitions == ()


def test_a_baseline_that_became_blocked_is_its_own_affair() -> None:
    gone = single(baseline_status="blocked", baseline_median_ms=NAN)
    case = compared(single(), gone).cases[0]
    assert case.transitions == ()
    assert case.baseline.transitions == (Transition.NEWLY_BLOCKED,)
    assert case.verdict is Verdict.CANNOT_TELL


def test_removed_and_added_cases_are_named_and_counted_out() -> None:
    report = compared(table(row("a"), row("gone")), table(row("a"), row("fresh_thing")))
    cases = by_kernel(report)
    assert cases["gone"].transitions == (Transition.REMOVED,)
    assert cases["fresh_thing"].transitions == (Transition.ADDED,)
    assert report.matched == 1
    assert report.clocks[0].pairs == 1
    assert report.clocks[0].pto_geomean == pytest.approx(1.0)


def test_a_renamed_kernel_is_hinted_at_from_both_ends() -> None:
    report = compared(table(row("RowSoftmax")), table(row("row_softmax")))
    assert report.matched == 0
    cases = by_kernel(report)
    assert cases["RowSoftmax"].transitions == (Transition.REMOVED, Transition.RENAMED)
    assert cases["row_softmax"].renamed == cases["RowSoftmax"].key


def test_another_shape_is_no_rename() -> None:
    old = table(row("softmax", shape='{"x":[1]}'))
    new = table(row("soft_max", shape='{"x":[2]}'))
    assert all(case.renamed is None for case in compared(old, new).cases)


def test_most_runs_decide_a_status_and_one_failed_check_is_enough() -> None:
    old = table(*(row(run=f"r{i}") for i in range(3)))
    flaky = table(row(run="a"), row(run="b"), row(run="c", **BLOCKED))
    mostly = table(row(run="a"), row(run="b", **BLOCKED), row(run="c", **BLOCKED))
    failed = table(row(run="a"), row(run="b"), row(run="c", **WRONG))
    assert compared(old, flaky).cases[0].transitions == ()
    assert compared(old, flaky).cases[0].pto.new.mixed
    assert compared(old, mostly).cases[0].transitions == (Transition.NEWLY_BLOCKED,)
    assert compared(old, failed).cases[0].transitions == (Transition.BECAME_WRONG,)


@pytest.mark.parametrize(
    ("gate", "new"),
    [
        (Gate.BLOCKED, BLOCKED),
        (Gate.INCORRECT, WRONG),
        (Gate.UNDECIDED, INVALID),
        (Gate.UNDECIDED, {}),
    ],
)
def test_gates_on_transitions(gate: Gate, new: dict[str, object]) -> None:
    """Medians alone, once on each side: nothing can be told, and that is undecided."""
    report = compared(single(), single(**new))
    gone = {Gate.REMOVED: 1} if new is INVALID else {}  # its latency is
    assert tripped(report, [Gate.SLOWER, Gate.REMOVED]) == gone
    assert tripped(report, [gate]) == {gate: 1}


def test_the_gate_on_removed_cases() -> None:
    report = compared(table(row("a"), row("b")), table(row("a")))
    assert tripped(report, [Gate.REMOVED, Gate.BLOCKED]) == {Gate.REMOVED: 1}


def test_a_case_blocked_on_both_sides_of_the_diff_has_no_verdict() -> None:
    case = compared(single(**BLOCKED), single(**BLOCKED)).cases[0]
    assert case.verdict is None
    assert case.moved is Moved.NONE


def test_one_failed_check_among_old_runs_excuses_no_new_one() -> None:
    old = table(*(row(run=f"r{i}", **(WRONG if i == 0 else {})) for i in range(10)))
    new = table(*(row(run=f"n{i}", **WRONG) for i in range(10)))
    assert compared(old, new).cases[0].transitions == (Transition.BECAME_WRONG,)
    right = table(*(row(run=f"n{i}") for i in range(10)))
    case = compared(old, right).cases[0]
    assert case.transitions == ()
    assert case.verdict is not None


def test_a_new_kernel_that_is_wrong_trips_incorrect() -> None:
    report = compared(single("old"), table(row("old"), row("new", **WRONG)))
    assert tripped(report, [Gate.INCORRECT]) == {Gate.INCORRECT: 1}


def test_what_a_gate_cannot_see_is_known() -> None:
    old = table(*(row(run=f"r{i}") for i in range(10)))
    flaky = table(*(row(run=f"n{i}", **(BLOCKED if i < 4 else {})) for i in range(10)))
    (case,) = compared(old, flaky).cases
    assert unseen(case, Gate.BLOCKED)
    (steady,) = compared(old, table(*(row(run=f"n{i}") for i in range(10)))).cases
    assert not unseen(steady, Gate.BLOCKED)
