"""What a clock is: it turns a callable into latencies and says what those numbers mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kreport.errors import KReportError, UsageError

Work = Callable[[], object]
"""What is timed: called without arguments, its result is thrown away."""


@dataclass(frozen=True, slots=True)
class ClockRecord:
    """Where a number comes from. Numbers whose records differ in `timer` are never compared."""

    timer: str
    """``host`` (end to end), ``event`` or ``graph`` (on the device); ``_cold`` where L2 is flushed
    before every sample."""
    resolution_ms: float
    """The smallest step this clock was seen to make, or that its maker states."""
    device: str
    flushed_bytes: int = 0
    """How much is written to push everything else out of the cache before a sample; 0: nothing."""
    calls_per_sample: int = 1
    """Work too short for the clock alone is timed this many calls at once and divided."""
    queue_kept_full: bool = False
    """Whether the device is kept busy while samples are queued, so that it never waits for us."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Library versions that this clock depends on."""


class Clock(Protocol):
    """One way to time work. Suites are measured through this and nothing else."""

    @property
    def record(self) -> ClockRecord:
        """What the numbers of this clock mean."""

    def prepare(self, work: Work) -> Work:
        """Work in the form this clock times (a captured graph, say). Done once, never timed."""

    def warm_up(self, work: Work, calls: int) -> None:
        """Call prepared work without timing it, then wait until all of it is done."""

    def samples_ms(self, work: Work, repeats: int) -> list[float]:
        """Latencies of `repeats` calls of prepared work, in milliseconds."""


class NotTimeable(KReportError):
    """Work that runs but that this clock cannot time, such as one that no graph can hold."""


class FakeClock:
    """A clock that follows a script: each piece of work takes as long as the script says.

    `script` holds durations, in whatever unit the caller thinks in; after its last entry that entry
    repeats. `work` stands for the kernel, `now` for the timer and `sync` for the device's barrier,
    so the very code that times a device is tested without one. `syncs` counts the barriers.
    Raises `UsageError` where the script is empty or has a duration that is negative or not finite.
    """

    def __init__(self, script: Sequence[float]) -> None:
        if not script or not all(0 <= duration < math.inf for duration in script):
            raise UsageError(
                "FakeClock: script needs one duration or more, each finite and not < 0"
            )
        self._script = tuple(script)
        self._calls = 0
        self._now = 0.0
        self.syncs = 0

    def work(self) -> None:
        """Let the next scripted duration pass."""
        self._now += self._script[min(self._calls, len(self._script) - 1)]
        self._calls += 1

    def now(self) -> float:
        """The time that has passed so far."""
        return self._now

    def sync(self) -> None:
        """Count one barrier; scripted work is always finished already."""
        self.syncs += 1
