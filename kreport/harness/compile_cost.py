"""What a first call costs on top of a steady one, and after how many calls that has paid."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from kreport.errors import UsageError
from kreport.harness.clock import Work
from kreport.harness.measure import Measurement, bench


@dataclass(frozen=True, slots=True)
class CompileCost:
    """A callable's one-time cost apart from its steady latency, in the unit of the timer."""

    first: float
    """Making the callable, its first call and the sync after it."""
    steady: float
    """Median of the calls after warm-up."""
    one_time: float
    """``first - steady``: compilation, search, tuning, first touch of memory."""
    measurement: Measurement
    """The steady samples."""


def compile_vs_run(
    make_fn: Callable[[], Work],
    *,
    warmup: int = 3,
    repeats: int = 100,
    timer: Callable[[], float] = time.perf_counter,
    sync: Callable[[], object] = lambda: None,
) -> CompileCost:
    """Time `make_fn` with the first call of what it returns, then that callable alone.

    `make_fn` compiles, searches or tunes and returns the callable to run; for a kernel that
    compiles on its first call it may simply return the launcher. Everything is in the unit of
    `timer`. Raises `UsageError` where `warmup` or `repeats` is out of range, or the timer gives no
    finite number; what `make_fn` or the callable raises passes through.
    """
    sync()
    start = timer()
    fn = make_fn()
    fn()
    sync()
    first = timer() - start
    steady = bench(fn, warmup=warmup, repeats=repeats, timer=timer, sync=sync)
    return CompileCost(first, steady.median, first - steady.median, steady)


def break_even(one_time: float, baseline_steady: float, pto_steady: float) -> float:
    """After how many calls a port's one-time cost is earned back against the baseline.

    ``one_time / (baseline_steady - pto_steady)``, all in one unit; a fraction of a call is kept.
    0 where there is nothing to earn back; infinite where the port is not faster per call.
    Raises `UsageError` where an argument is not a finite number.
    """
    if not all(map(math.isfinite, (one_time, baseline_steady, pto_steady))):
        raise UsageError("break-even: needs three finite durations in one unit")
    if one_time <= 0:
        return 0.0
    gain = baseline_steady - pto_steady
    return one_time / gain if gain > 0 else math.inf
