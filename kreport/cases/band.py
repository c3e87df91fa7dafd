"""The noise band of a case's ratio, from within its runs or from between them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kreport.model import Band, BandSource, Status
from kreport.stats import ratio_pct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.cases.result import SideResult


def widest_band(
    rows: Sequence[int],
    columns: Mapping[str, list[Any]],
    baseline: SideResult,
    pto: SideResult,
    stored: Band | None,
) -> tuple[SideResult, SideResult, Band | None]:
    """Take the wider of the band within runs and the band between them.

    Returns the sides with the quartiles that the chosen band rests on.
    """
    within = _band_within(baseline, pto)
    if stored is not None:
        return baseline, pto, stored
    between = _run_quartiles(rows, columns)
    if between is None:
        return baseline, pto, within
    (b_q1, b_q3), (p_q1, p_q3) = between
    band = Band(ratio_pct(b_q1, p_q3), ratio_pct(b_q3, p_q1), BandSource.RUNS, len(rows))
    if within is not None and within.high - within.low >= band.high - band.low:
        return baseline, pto, within
    return _with_quartiles(baseline, b_q1, b_q3), _with_quartiles(pto, p_q1, p_q3), band


def _with_quartiles(side: SideResult, q1_ms: float, q3_ms: float) -> SideResult:
    return replace(side, q1_ms=q1_ms, q3_ms=q3_ms)


def _band_within(baseline: SideResult, pto: SideResult) -> Band | None:
    """Band of the ratio from what one run says: low = baseline q1 / PTO q3, high = q3 / q1."""
    counts = [side.n for side in (baseline, pto) if side.n is not None]
    n = min(counts) if len(counts) == 2 else None
    if n == 1:
        return None  # the quartiles of one sample are that sample: they say nothing about noise
    if _is_still(baseline) and _is_still(pto):
        return _clock_band(baseline, pto)
    candidates = (
        (
            BandSource.QUARTILES if n is None else BandSource.SAMPLES,
            ratio_pct(baseline.q1_ms, pto.q3_ms),
            ratio_pct(baseline.q3_ms, pto.q1_ms),
        ),
        (
            BandSource.MIN_MAX,
            ratio_pct(baseline.min_ms, pto.max_ms),
            ratio_pct(baseline.max_ms, pto.min_ms),
        ),
    )
    for source, low, high in candidates:
        if math.isfinite(low) and math.isfinite(high):
            return Band(low, high, source, n)
    return None


def _is_still(side: SideResult) -> bool:
    """Whether the samples of a side are all one reading of a clock whose step is known."""
    return side.q1_ms == side.q3_ms and side.step_ms > 0


def _clock_band(baseline: SideResult, pto: SideResult) -> Band | None:
    """Band of one clock step either way: no spread at all is the doing of the clock."""
    low = ratio_pct(baseline.q1_ms - baseline.step_ms, pto.q3_ms + pto.step_ms)
    high = ratio_pct(baseline.q3_ms + baseline.step_ms, pto.q1_ms - pto.step_ms)
    finite = math.isfinite(low) and math.isfinite(high)
    return Band(low, high, BandSource.RESOLUTION) if finite else None


def _run_quartiles(
    rows: Sequence[int], columns: Mapping[str, list[Any]]
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Quartiles of the run medians of both sides, over the runs in which both ran."""
    pairs = [
        (columns["baseline_median_ms"][row], columns["pto_median_ms"][row])
        for row in rows
        if columns["baseline_status"][row] == Status.OK == columns["pto_status"][row]
    ]
    pairs = [pair for pair in pairs if pair[0] > 0 < pair[1]]
    if len(pairs) < 2:
        return None
    quartiles = np.quantile(np.array(pairs), (0.25, 0.75), axis=0)
    return (
        (float(quartiles[0, 0]), float(quartiles[1, 0])),
        (float(quartiles[0, 1]), float(quartiles[1, 1])),
    )


def stored_band(row: int, columns: Mapping[str, list[Any]]) -> Band | None:
    """Band that an earlier report of kreport's own wrote, made from files not at hand any more."""
    label = columns["noise_source"][row]
    low, high = columns["ratio_low_pct"][row], columns["ratio_high_pct"][row]
    if not label or not (math.isfinite(low) and math.isfinite(high)):
        return None
    name, _, count = label.partition(" n=")
    return Band(low, high, BandSource(name), int(count) if count else None)
