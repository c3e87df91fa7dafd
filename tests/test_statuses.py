"""Status words of the field: what each means, and that no unknown word is ever good news."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kreport.model import Correctness, Status
from kreport.statuses import STATUS_WORDS, parse_status_words, status_of


@pytest.mark.parametrize(
    ("text", "status", "correct"),
    [
        ("OK", Status.OK, Correctness.UNKNOWN),
        (" Passed ", Status.OK, Correctness.PASS),
        ("✅", Status.OK, Correctness.PASS),
        ("✅ pass", Status.OK, Correctness.PASS),
        ("not verified", Status.OK, Correctness.UNKNOWN),
        ("Incorrect", Status.OK, Correctness.FAIL),
        ("NPU OOM", Status.BLOCKED, Correctness.UNKNOWN),
        ("Timeout (30 s)", Status.BLOCKED, Correctness.UNKNOWN),
        ("skip: oom", Status.BLOCKED, Correctness.UNKNOWN),
        ("error: no such op", Status.BLOCKED, Correctness.UNKNOWN),
        ("not-supported", Status.BLOCKED, Correctness.UNKNOWN),
        ("SKIPPED", Status.MISSING, Correctness.UNKNOWN),
        ("pass due to skip", Status.MISSING, Correctness.UNKNOWN),
        ("", Status.MISSING, Correctness.UNKNOWN),
        ("-", Status.MISSING, Correctness.UNKNOWN),
    ],
)
def test_words_of_the_field(text, status, correct) -> None:
    outcome = status_of(text)
    assert (outcome.status, outcome.correct, outcome.word_known) == (status, correct, True)


@pytest.mark.parametrize(
    "text", ["ok?", "ok (mostly)", "❌ pass", "✅ fail", "0", "green-ish", "x" * 999]
)
def test_doubtful_words_are_unknown(text) -> None:
    assert not status_of(text).word_known
    assert status_of(text).status is Status.INVALID


@given(st.text(max_size=30))
def test_no_word_outside_the_table_is_ok(text) -> None:
    outcome = status_of(text)
    if outcome.status is Status.OK:
        words = {text.strip().casefold().replace(" ", "_").replace("-", "_")} | set(text)
        assert outcome.needs_latency or words & set(STATUS_WORDS)


def test_words_of_the_settings_come_first() -> None:
    words = parse_status_words({"Parked up": "blocked", "ok": "missing"})
    assert status_of("parked-up", words).status is Status.BLOCKED
    assert status_of("OK", words).status is Status.MISSING
