"""Whatever one case does to the process, every other case is measured and this one says why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kreport.harness.record import SideRecord
from kreport.harness.supervisor import Patience, Watched, watch
from kreport.harness.worker import Job
from kreport.model import Correctness, Side, Status

SUITE = str(Path(__file__).with_name("hostile_suite.py"))
TIMER = "host"


def measure(
    monkeypatch: pytest.MonkeyPatch, *faults: str, step_s: float = 30.0, printed: int = 1 << 20
) -> Watched:
    monkeypatch.setenv("HOSTILE", ",".join(faults))
    job = Job(SUITE, seed=5, memory_bytes=700 << 20)
    return watch(job, Patience(step_s, printed))


def side_of(seen: Watched, kernel: str, side: Side = Side.PTO) -> SideRecord:
    names = [name.kernel for name in seen.ready.cases]
    return seen.cases[names.index(kernel)][side]


def assert_rest_is_measured(seen: Watched, fault: str, side: Side = Side.PTO) -> None:
    """All but the named side ran and were timed in full."""
    for name, case in zip(
        seen.ready.cases, (seen.cases[i] for i in sorted(seen.cases)), strict=True
    ):
        for other, record in case.items():
            if (name.kernel, other) != (fault, side):
                assert record.status is Status.OK, (name.kernel, other, record.reason)
                assert len(record.samples_ms[TIMER]) == 12


BLOCKING = {
    "segfault": "killed by SIGSEGV during its first call",
    "eat_memory": "out of memory",
    "killed": "killed by SIGKILL, as a rule for want of memory during its first call",
    "leave": "left with exit code 7 during its first call",
    "exit_politely": "SystemExit: 3",
    "raise_an_error": "RuntimeError: error: lowering failed\n  %3 = tile.load : unsupported",
    "print_garbage": "Printed: 170 bytes to stdout or stderr while it was timed, beginning",
    "flood": "printed more than 1 MiB, killed during its first call",
    "scribble": "wrote garbage into the harness's own channel during its first call",
    "fail_late": "ValueError: call 7",
    "ruin_the_device": "RuntimeError: device-side assert (hostile_suite.py:",
    "no_port": "not ported yet",
}


@pytest.mark.parametrize(("fault", "reason"), BLOCKING.items())
def test_a_side_that_cannot_run_is_blocked_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, fault: str, reason: str
) -> None:
    seen = measure(monkeypatch, fault)
    blocked = side_of(seen, fault)
    assert (blocked.status, blocked.samples_ms) == (Status.BLOCKED, {})
    assert blocked.reason.startswith(reason)
    assert_rest_is_measured(seen, fault)


def test_a_side_that_hangs_is_killed_and_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = measure(monkeypatch, "hang", step_s=2.0)
    reason = "no answer for 2 s (--timeout), killed during its first call"
    assert side_of(seen, "hang").reason == reason
    assert_rest_is_measured(seen, "hang")


def test_a_baseline_that_crashes_blocks_the_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The port is measured all the same; unchecked, it is neither right nor wrong."""
    seen = measure(monkeypatch, "segfault_of_the_baseline")
    assert_rest_is_measured(seen, "segfault_of_the_baseline", Side.BASELINE)
    assert side_of(seen, "segfault_of_the_baseline").correct is Correctness.UNKNOWN


def test_many_faults_in_one_suite_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = ["segfault", "leave", "raise_an_error", "killed", "wrong"]
    seen = measure(monkeypatch, *faults)
    assert len(seen.killers) == 3
    for fault in faults[:4]:
        assert side_of(seen, fault).reason.startswith(BLOCKING[fault])
    assert side_of(seen, "wrong").correct is Correctness.FAIL
    assert side_of(seen, "last").status is Status.OK


@pytest.mark.parametrize(
    ("fault", "correct", "reason"),
    [
        ("wrong", Correctness.FAIL, "output check failed: 1 of 1 elements differ"),
        ("nonsense", Correctness.FAIL, "output check failed: output is str, not numbers"),
        ("broken_check", Correctness.UNKNOWN, "the output check itself raised KeyError"),
        ("no_reference", Correctness.UNKNOWN, "the reference raised RuntimeError"),
    ],
)
def test_a_wrong_result_is_measured_and_called_wrong(
    monkeypatch: pytest.MonkeyPatch, fault: str, correct: Correctness, reason: str
) -> None:
    """It runs, so it is not blocked; where the check could not decide, nothing is claimed."""
    seen = measure(monkeypatch, fault)
    side = side_of(seen, fault)
    assert (side.status, side.correct) == (Status.OK, correct)
    assert side.reason.startswith(reason)
    assert_rest_is_measured(seen, "")


def test_inputs_that_cannot_be_made_block_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = measure(monkeypatch, "no_inputs")
    for side in Side:
        blocked = side_of(seen, "no_inputs", side)
        assert blocked.status is Status.BLOCKED
        assert blocked.reason.startswith("FileNotFoundError: weights.bin (hostile_suite.py:")


def test_a_measuring_process_imports_nothing_heavy_before_the_suite_does() -> None:
    """A suite may still set what libraries read when they are loaded, threads above all."""
    code = "import sys, kreport.harness.worker; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
