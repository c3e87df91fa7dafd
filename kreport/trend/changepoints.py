"""Where a series of run medians changed its level, and where it creeps instead.

Binary segmentation (Vostrikova 1981) on log values; whether and where one stretch is cut is decided
in `kreport.trend.cuts`, at a fixed rate of false alarms whatever the noise. Each cut is looked
at again between its neighbours once all are known. A stretch that a straight line explains better
than two levels is one creep and no staircase. Runs that depend on each other (a machine that stays
warm for an hour) are not covered by any of this: what the two sides of a case do together tells
more, see `kreport.trend.series`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kreport.choices import MIN_EFFECT_PCT
from kreport.stats import log_as_pct
from kreport.trend.cuts import CLIP, episode, located, noise_scale, split_of
from kreport.trend.quiet import surely_quiet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

_CREEP_MARGIN = 8.0
"""What a line must be better by, in squared noise scales, to be preferred to two levels."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The level of a series is another one from `index` on.

    `earliest` and `latest` bound the first run of the new level (about 95 % of cases). `before` and
    `after` are the medians of the stretches on both sides, in the unit of the values.
    """

    index: int
    earliest: int
    latest: int
    before: float
    after: float

    @property
    def change_pct(self) -> float:
        """New level against the old one; positive is more."""
        return (self.after / self.before - 1.0) * 100.0


@dataclass(frozen=True, slots=True)
class Creep:
    """From `start` to before `stop` the series moves steadily, by `change_pct` in all."""

    start: int
    stop: int
    change_pct: float


@dataclass(frozen=True, slots=True)
class Course:
    """What a series did: its change points in order, and its stretches of steady movement."""

    change_points: tuple[ChangePoint, ...] = ()
    creeps: tuple[Creep, ...] = ()


def course(values: ArrayLike, *, min_effect_pct: float = MIN_EFFECT_PCT) -> Course:
    """Change points and creeps of `values`, one positive finite number a run, oldest first.

    Changes smaller than `min_effect_pct` are not reported. Needs about a dozen values to say
    anything: fewer have too few orders for any of them to be rare. Deterministic.

    Raises:
        ValueError: a value that is not finite and positive: a missing one is the caller's to drop.
    """
    raw = np.asarray(values, dtype=np.float64)
    if raw.size and not (np.isfinite(raw).all() and (raw > 0).all()):
        raise ValueError("levels of a series must be finite and positive")
    logs = np.log(raw)
    smallest = math.log1p(min_effect_pct / 100.0)
    splits: list[int] = []
    creeps: list[tuple[int, int]] = []
    _segment(logs, 0, logs.size, splits, creeps)
    splits = _kept(logs, sorted(splits), creeps, smallest)
    edges = [0, *splits, logs.size]
    points = tuple(
        _change_point(raw, logs, edges[i - 1], edges[i], edges[i + 1])
        for i in range(1, len(edges) - 1)
    )
    found = tuple(Creep(a, b, _creep_pct(logs[a:b])) for a, b in sorted(creeps))
    return Course(points, tuple(c for c in found if abs(c.change_pct) >= min_effect_pct))


def courses(rows: Floats, *, min_effect_pct: float = MIN_EFFECT_PCT) -> list[Course]:
    """`course` of every row of a table of positive numbers, NaN where a run has none."""
    known = np.isfinite(rows)
    whole = known.all(axis=1)
    quiet = np.zeros(len(rows), dtype=np.bool_)
    quiet[whole] = surely_quiet(np.log(rows[whole]))
    return [
        Course() if is_quiet else course(row[has_value], min_effect_pct=min_effect_pct)
        for row, has_value, is_quiet in zip(rows, known, quiet.tolist(), strict=True)
    ]


def _segment(
    logs: Floats,
    start: int,
    stop: int,
    splits: list[int],
    creeps: list[tuple[int, int]],
) -> None:
    part = logs[start:stop]
    split = split_of(part)
    if split is not None and _is_creep(part, split):
        creeps.append((start, stop))
        return
    split = episode(part) if split is None else split
    if split is None:
        return
    splits.append(start + split)
    _segment(logs, start, start + split, splits, creeps)
    _segment(logs, start + split, stop, splits, creeps)


def _kept(
    logs: Floats,
    splits: list[int],
    creeps: list[tuple[int, int]],
    smallest: float,
) -> list[int]:
    """Splits that still stand between their neighbours, each where its own two levels put it.

    Segmentation places the first splits while later ones still blur the levels. A stretch that
    creeps has no one level, so splits at its ends are left where they are.
    """
    fixed = {edge for creep in creeps for edge in creep}
    kept: list[int] = []
    for position, split in enumerate(splits):
        low = kept[-1] if kept else 0
        high = splits[position + 1] if position + 1 < len(splits) else logs.size
        place: int | None = split
        if split not in fixed:
            place = split_of(logs[low:high])
            place = None if place is None else low + place
        if place is None:
            continue
        step = np.median(logs[place:high]) - np.median(logs[low:place])
        if abs(step) >= smallest:
            kept.append(place)
    return kept


def _is_creep(logs: Floats, split: int) -> bool:
    """Whether a straight line explains the stretch better than two levels do."""
    n = logs.size
    levels = np.where(np.arange(n) < split, np.median(logs[:split]), np.median(logs[split:]))
    line = _line(logs)
    scale = min(float(noise_scale(logs - fit)[0]) for fit in (levels, line)) or 1e-9
    costs = [np.minimum(((logs - fit) / scale) ** 2, CLIP**2).sum() for fit in (line, levels)]
    return bool(costs[0] + _CREEP_MARGIN < costs[1])


def _line(logs: Floats) -> Floats:
    """Repeated-median line (Siegel 1982), thinned to 200 points: exact enough to tell a shape."""
    at = np.arange(logs.size, dtype=np.float64)
    some = np.linspace(0, logs.size - 1, min(logs.size, 200)).astype(int)
    with np.errstate(invalid="ignore", divide="ignore"):
        slopes = (logs[some][:, None] - logs[some]) / (at[some][:, None] - at[some])
    slope = float(np.median(np.nanmedian(slopes, axis=1)))
    return slope * at + float(np.median(logs - slope * at))


def _creep_pct(logs: Floats) -> float:
    line = _line(logs)
    return log_as_pct(float(line[-1] - line[0]))


def _change_point(raw: Floats, logs: Floats, low: int, at: int, high: int) -> ChangePoint:
    place = located(logs[low:high], at - low)
    earliest, latest = low + min(place.earliest, at - low), low + max(place.latest, at - low)
    before, after = float(np.median(raw[low:at])), float(np.median(raw[at:high]))
    return ChangePoint(at, earliest, latest, before, after)


def stretches(found: Course, length: int) -> Iterator[slice]:
    """The stretches between change points, oldest first, covering the whole series."""
    edges = [0, *(point.index for point in found.change_points), length]
    return (slice(a, b) for a, b in pairwise(edges))
