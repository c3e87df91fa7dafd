"""What one run of a suite saw, as data: written by the process that watches, read by all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kreport.model import Correctness, Side, Status


@dataclass(frozen=True, slots=True)
class CaseName:
    """A case as files know it, and what is known of its port's code."""

    family: str
    kernel: str
    label: str
    shape_json: str
    title: str
    """Kernel and shape for people: ``matmul x512x512 weight512x128``."""
    structure: str = ""
    """``tile``, ``scalar`` or "" where neither registered nor to be found."""
    scalar_matches: tuple[str, ...] = ()
    """Scalar operations found in the port's source: ``norm.py:load_scalarx2``."""


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side of one case in one run."""

    status: Status
    correct: Correctness = Correctness.UNKNOWN
    reason: str = ""
    first_call_ms: float | None = None
    """Host time of the very first call, compilation included; None where it did not return."""
    samples_ms: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Per timer, in the order they were taken; empty unless `status` is ok."""
    untimed: Mapping[str, str] = field(default_factory=dict)
    """Timers that cannot time this side although it runs, each with the reason."""


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """Both sides of one case in one run."""

    name: CaseName
    sides: Mapping[Side, SideRecord]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: every case of a suite once, in a process of its own."""

    run: str
    """``20260321T024111Z-03``: when the set of runs began, and which of them this is."""
    run_at: str
    """When this run began, ``20260321T024111Z``."""
    seed: int
    """Shuffles the order of the cases; the same seed gives the same order."""
    device: str
    timers: tuple[str, ...]
    cases: tuple[CaseRecord, ...]
    """In the order of the suite, whatever order they ran in."""
    order: tuple[int, ...]
    """Positions in `cases` in the order in which they ran."""
    environment: Mapping[str, object]
    clocks: tuple[Mapping[str, object], ...]
    """`kreport.harness.clock.ClockRecord` of every timer, ready for JSON."""
    effort: Mapping[str, object]
    deaths: tuple[str, ...] = ()
    """How often, where and why the measuring process had to be replaced."""
