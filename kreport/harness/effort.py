"""How much is measured: warm-up, samples, or a time to fill with samples."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kreport.errors import UsageError

MIN_REPEATS = 10
"""A target time is never met with fewer samples than this: quartiles of less say nothing."""
MAX_REPEATS = 100_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured per side, clock and run."""

    warmup: int
    repeats: int
    target_ms: float | None = None
    """Where given it replaces `repeats`: about this much time is spent in samples."""


def check_effort(warmup: int, repeats: int, target_time: float | None = None) -> None:
    """Raise `UsageError` unless this much warm-up and this many repeats can be measured."""
    if warmup < 0:
        raise UsageError(f"warmup: must be 0 or more, not {warmup}")
    if repeats < 1:
        raise UsageError(f"repeats: must be 1 or more, not {repeats}")
    if target_time is not None and not target_time > 0:
        raise UsageError(f"target time: must be more than 0, not {target_time}")


def repeats_for(target_ms: float, median_ms: float) -> int:
    """How many samples of this latency fill the target, between the harness's own bounds."""
    if not median_ms > 0:
        return MAX_REPEATS
    return min(max(math.ceil(target_ms / median_ms), MIN_REPEATS), MAX_REPEATS)
