"""What a measuring process says arrives as it was meant, and nothing else passes for a message."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kreport.harness.messages import (
    AllDone,
    CaseDone,
    Channel,
    DeviceLost,
    Message,
    Ready,
    Refused,
    Step,
    decode,
    encode,
)
from kreport.harness.record import CaseName, SideRecord
from kreport.model import Correctness, Side, Status

latencies = st.floats(min_value=0, allow_infinity=False)
sides = st.builds(
    SideRecord,
    status=st.sampled_from(Status),
    correct=st.sampled_from(Correctness),
    reason=st.text(),
    first_call_ms=st.none() | latencies,
    samples_ms=st.dictionaries(st.text(), st.lists(latencies).map(tuple)),
    untimed=st.dictionaries(st.text(), st.text()),
)
names = st.builds(
    CaseName, *[st.text()] * 6, scalar_matches=st.lists(st.text(), max_size=2).map(tuple)
)
messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(Refused, st.text(), st.booleans()),
    st.builds(Step, st.integers(0), st.sampled_from(["", *Side]), st.text()),
    st.builds(CaseDone, st.integers(0), st.fixed_dictionaries(dict.fromkeys(Side, sides))),
    st.builds(DeviceLost, st.text()),
    st.just(AllDone()),
    st.builds(
        Ready,
        cases=st.lists(names, max_size=3).map(tuple),
        order=st.lists(st.integers(0)).map(tuple),
        device=st.text(),
        environment=st.dictionaries(st.text(), st.text()),
        clocks=st.lists(st.dictionaries(st.text(), latencies), max_size=2).map(tuple),
        effort=st.dictionaries(st.text(), st.none() | latencies),
    ),
)


@given(messages)
def test_every_message_survives_the_channel(message: Message) -> None:
    """Exactly, on one line, whatever texts and numbers are in it."""
    line = encode(message)
    assert line.count(b"\n") == 1
    assert decode(line) == message


@given(st.binary())
def test_arbitrary_bytes_are_no_message(line: bytes) -> None:
    with pytest.raises(ValueError, match="not a message"):
        decode(line)


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"3",
        b"{}",
        b'{"kind": "Gossip"}',
        b'{"kind": "Step"}',
        b'{"kind": "Step", "case": 1, "side": "", "doing": "", "more": 1}',
        b'{"kind": "CaseDone", "case": 0, "sides": {"pto": {"status": "great"}}}',
    ],
)
def test_json_of_another_kind_is_no_message(line: bytes) -> None:
    with pytest.raises(ValueError, match="not a message"):
        decode(line)


def test_a_long_message_is_written_whole() -> None:
    """More than a pipe holds at once, read by somebody who takes his time."""
    reading, writing = os.pipe()
    message = DeviceLost("x" * 300_000)
    child = os.fork()
    if child == 0:
        Channel(writing).send(message)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert decode(pipe.readline()) == message
    assert os.waitpid(child, 0)[1] == 0
