"""What a measuring process says to the one that watches it: one JSON object a line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kreport.harness.record import CaseName, SideRecord
from kreport.model import Correctness, Side, Status


@dataclass(frozen=True, slots=True)
class Ready:
    """The suite is loaded: these are its cases, and this is what they are measured with."""

    cases: tuple[CaseName, ...]
    order: tuple[int, ...]
    device: str
    environment: Mapping[str, object]
    clocks: tuple[Mapping[str, object], ...]
    effort: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Refused:
    """The suite cannot be measured at all. `usage`: what was asked for is impossible here."""

    message: str
    usage: bool


@dataclass(frozen=True, slots=True)
class Step:
    """About to do something that may never come back. `side` is "" where it is for both."""

    case: int
    side: str
    doing: str


@dataclass(frozen=True, slots=True)
class CaseDone:
    """Everything seen of a case."""

    case: int
    sides: Mapping[Side, SideRecord]


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A side failed and left the device unusable: this process can measure nothing more."""

    reason: str


@dataclass(frozen=True, slots=True)
class AllDone:
    """Every case is done."""


Message = Ready | Refused | Step | CaseDone | DeviceLost | AllDone
_KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind for kind in (Ready, Refused, Step, CaseDone, DeviceLost, AllDone)
}


def encode(message: Message) -> bytes:
    """One line of JSON, ended by a line feed."""
    content = {"kind": type(message).__name__, **asdict(message)}
    return json.dumps(content, allow_nan=False).encode() + b"\n"


def decode(line: bytes) -> Message:
    """Read one line back. Raises ValueError for anything that `encode` would not have written."""
    try:
        content = json.loads(line)
        kind = _KINDS[content.pop("kind")]
        if kind is CaseDone:
            sides = {Side(side): _side(seen) for side, seen in content["sides"].items()}
            return CaseDone(int(content["case"]), sides)
        if kind is Ready:
            content["cases"] = tuple(_name(name) for name in content["cases"])
            content["order"] = tuple(content["order"])
            content["clocks"] = tuple(content["clocks"])
        message: Message = kind(**content)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not a message of the harness: {line[:80]!r}") from error
    return message


def _name(content: dict[str, Any]) -> CaseName:
    content["scalar_matches"] = tuple(content["scalar_matches"])
    return CaseName(**content)


def _side(content: dict[str, Any]) -> SideRecord:
    return SideRecord(
        status=Status(content["status"]),
        correct=Correctness(content["correct"]),
        reason=str(content["reason"]),
        first_call_ms=content["first_call_ms"],
        samples_ms={
            timer: tuple(float(sample) for sample in samples)
            for timer, samples in content["samples_ms"].items()
        },
        untimed=content["untimed"],
    )


@dataclass(frozen=True, slots=True)
class Channel:
    """The writing end. Unbuffered: what was said before a crash has been said."""

    descriptor: int

    def send(self, message: Message) -> None:
        """Write one message whole."""
        rest = memoryview(encode(message))
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]
