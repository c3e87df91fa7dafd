"""What is said about measurements that a report should not stand on, and what would mend them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from kreport.harness.record import RunRecord
from kreport.model import Side
from kreport.noise.model import MOST_DF, NoiseLimits, detectable_effect
from kreport.noise.student import critical
from kreport.stats import MEDIAN_COST, TUKEY_FACTOR, log_as_pct, summarize

ENOUGH_SAMPLES = 20
"""Below this, quartiles of a run are themselves noise."""
SLOW_SAMPLES = 3
SLOW_FACTOR = 1.1
MOST_RUNS = 200
"""Where more would be needed than this, more runs are no answer."""
_IQR_IN_SIGMAS = 1.349


class Trouble(StrEnum):
    """A closed list of what can be wrong with measurements that were taken."""

    FEW_SAMPLES = "too few samples"
    COARSE_CLOCK = "clock too coarse"
    SLOW_START = "slow first samples"
    ONE_RUN = "a single run"
    SPREAD = "runs differ"
    UNTIMED = "not on this clock"


@dataclass(frozen=True, slots=True)
class Advice:
    """One trouble of one side of one case on one clock, and what would mend it."""

    trouble: Trouble
    case: str
    """``matmul x512x512 weight512x128, pto, event_cold``; "" where it is about all of them."""
    text: str


def advise(
    records: Sequence[RunRecord],
    resolutions_ms: Mapping[str, float],
    effect_pct: float,
    earlier_runs: int = 0,
) -> tuple[Advice, ...]:
    """Look through the runs of one suite for measurements that cannot carry a report.

    `resolutions_ms` is the step of each timer; `effect_pct` the change the user cares about;
    `earlier_runs` counts the runs that are kept beside these.
    """
    found: list[Advice] = []
    if len(records) + earlier_runs == 1:
        text = "the spread between runs is unknown and no verdict can be confirmed; --runs 10"
        found.append(Advice(Trouble.ONE_RUN, "", text))
    for name, timer, runs in _series(records):
        found += _about_samples(name, runs)
        found += _about_clock(name, runs, resolutions_ms.get(timer, 0.0), effect_pct)
        found += _about_runs(name, runs, effect_pct, _mend(records[0].timers, timer))
    found += _untimed(records)
    return tuple(found)


def _series(records: Sequence[RunRecord]) -> Iterator[tuple[str, str, Sequence[Sequence[float]]]]:
    """Name, timer, and the samples of every run in which that side was timed."""
    for position, case in enumerate(records[0].cases):
        for side in Side:
            for timer in records[0].timers:
                seen = [record.cases[position].sides[side].samples_ms for record in records]
                runs = [samples[timer] for samples in seen if samples.get(timer)]
                if runs:
                    yield f"{case.name.title}, {side}, {timer}", timer, runs


def _about_samples(name: str, runs: Sequence[Sequence[float]]) -> Iterator[Advice]:
    fewest = min(map(len, runs))
    if fewest < ENOUGH_SAMPLES:
        text = f"{fewest} a run; take at least {ENOUGH_SAMPLES} (--repeats)"
        yield Advice(Trouble.FEW_SAMPLES, name, text)
    slow = sum(map(_starts_slow, runs))
    if 2 * slow > len(runs):
        text = f"in {slow} of {len(runs)} runs; warm up longer (--warmup)"
        yield Advice(Trouble.SLOW_START, name, text)


def _starts_slow(samples: Sequence[float]) -> bool:
    """Whether the first samples are outliers to the rest of their run, all to the slow side."""
    rest = samples[SLOW_SAMPLES:]
    if len(rest) < ENOUGH_SAMPLES // 2:
        return False
    usual = summarize(rest)
    fence = max(usual.q3 + TUKEY_FACTOR * usual.iqr, usual.median * SLOW_FACTOR)
    return min(samples[:SLOW_SAMPLES]) > fence


def _about_clock(
    name: str, runs: Sequence[Sequence[float]], resolution_ms: float, effect_pct: float
) -> Iterator[Advice]:
    median_ms = float(np.median([np.median(run) for run in runs]))
    step_pct = resolution_ms / median_ms * 100 if median_ms > 0 else math.inf
    if step_pct > effect_pct:
        text = (
            f"one step is {step_pct:.3g} % of the latency, more than the effect of "
            f"{effect_pct:g} % asked about; make the work longer"
        )
        yield Advice(Trouble.COARSE_CLOCK, name, text)


def _mend(timers: Sequence[str], timer: str) -> str:
    """What is left to do where more runs would not help."""
    better = next((name for name in timers if name.endswith("_cold")), "")
    if better and better != timer:
        return f"trust {better} instead"
    return "make the work longer, or the machine quieter"


def _about_runs(
    name: str, runs: Sequence[Sequence[float]], effect_pct: float, otherwise: str
) -> Iterator[Advice]:
    medians = np.array([np.median(run) for run in runs])
    if len(medians) < 3 or not (medians > 0).all():
        return
    needed = runs_needed(medians.tolist(), effect_pct)
    if needed > len(medians):
        spread_pct = log_as_pct(summarize(np.log(medians)).iqr)
        more = (
            f"{needed - len(medians)} more runs a side would show {effect_pct:g} %"
            if needed <= MOST_RUNS
            else f"more runs will not show {effect_pct:g} %; {otherwise}"
        )
        yield Advice(Trouble.SPREAD, name, f"IQR of run medians {spread_pct:.2g} %; {more}")


def runs_needed(medians_ms: Sequence[float], effect_pct: float) -> int:
    """Runs on each of two sides after which a change of `effect_pct` is seen four times in five.

    From the robust spread (IQR / 1.349) of the logarithms of run medians, all above zero: two
    medians of n runs each differ by noise of ``sigma * sqrt(pi / n)``. How many of those the effect
    has to stand out by is the noise model's to say (`kreport.noise.model`, at its most runs).
    """
    sigma = summarize(np.log(np.asarray(medians_ms))).iqr / _IQR_IN_SIGMAS
    reach = critical(NoiseLimits().case_level, MOST_DF)
    seen = float(detectable_effect(reach, sigma))
    runs = 2 * MEDIAN_COST * (seen / math.log1p(effect_pct / 100)) ** 2
    return max(math.ceil(runs), 1)


def _untimed(records: Sequence[RunRecord]) -> Iterator[Advice]:
    for case in records[-1].cases:
        for side, seen in case.sides.items():
            for timer, reason in seen.untimed.items():
                name = f"{case.name.title}, {side}, {timer}"
                yield Advice(Trouble.UNTIMED, name, reason.splitlines()[0])
