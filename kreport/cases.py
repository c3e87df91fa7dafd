"""From the run table to cases: one result per shape, clock and device, whatever the number of runs.

Statuses, medians and the ratio with its noise band are decided here; classes are decided in
`kreport.classify`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kreport.model import Band, BandSource, CaseKey, Correctness, Notice, Side, Status
from kreport.schema import IDENTITY
from kreport.stats import median_of, ratio_pct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.schema import RunTable

FEW_SAMPLES = 5
"""Quartiles of fewer samples than this say little; the case says so."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side of a case over all its runs.

    Latencies are milliseconds, NaN where the side has none. `n` counts the samples of a typical
    run, None where the input does not say. `q1_ms` and `q3_ms` are the quartiles that the noise
    band rests on: within a run, or of the run medians where those spread wider.
    """

    status: Status
    correct: Correctness
    reason: str
    device: str
    n: int | None
    median_ms: float
    q1_ms: float
    q3_ms: float
    min_ms: float
    max_ms: float
    runs_ok: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a number was read."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One input shape of one kernel on one clock and device: both sides and what follows.

    `ratio_pct` is Baseline / PTO in percent, NaN where a side has no valid latency; `band` is in
    percent too, None where nothing supports one.
    """

    key: CaseKey
    baseline: SideResult
    pto: SideResult
    ratio_pct: float
    band: Band | None
    notices: tuple[Notice, ...]
    limitations: tuple[str, ...]
    variant_index: str
    report_path: str
    spec: str
    runs: int
    run: str
    run_at: str
    stored_class: str
    stored_blocker: str
    origins: tuple[Origin, ...]

    @property
    def runs_on_both_sides(self) -> bool:
        """Whether both sides ran, whatever came out."""
        return self.baseline.status is Status.OK and self.pto.status is Status.OK

    @property
    def correctness(self) -> str:
        """``pass``, ``blocked/fail``, or ``unknown`` where both sides ran and nobody checked."""
        checks = (self.baseline.correct, self.pto.correct)
        if not self.runs_on_both_sides or Correctness.FAIL in checks:
            return "blocked/fail"
        return "unknown" if Correctness.UNKNOWN in checks else "pass"


def cases_of(table: RunTable) -> tuple[CaseResult, ...]:
    """Reduce a run table to its cases, in the order in which the inputs first name them."""
    columns = {name: table.frame[name].tolist() for name in table.frame.columns}
    rows_of: dict[tuple[str, ...], list[int]] = {}
    for row, identity in enumerate(zip(*(columns[name] for name in IDENTITY), strict=True)):
        rows_of.setdefault(identity, []).append(row)
    files = [source.name for source in table.sources]
    return tuple(
        _case(CaseKey(*identity), rows, columns, files) for identity, rows in rows_of.items()
    )


def _case(
    key: CaseKey, rows: list[int], columns: Mapping[str, list[Any]], files: Sequence[str]
) -> CaseResult:
    rows = sorted(rows, key=lambda row: (columns["run_at"][row], row))
    newest = rows[-1]
    notices = _agreed_notices([columns["notices"][row] for row in rows])
    baseline = _side(Side.BASELINE, rows, columns)
    pto = _side(Side.PTO, rows, columns)
    comparable = (
        baseline.status is Status.OK
        and pto.status is Status.OK
        and Notice.DEVICES_DIFFER not in notices
    )
    ratio = ratio_pct(baseline.median_ms, pto.median_ms) if comparable else math.nan
    band = None
    if math.isfinite(ratio):
        stored = _stored_band(newest, columns) if len(rows) == 1 else None
        baseline, pto, band = _widest_band(rows, columns, baseline, pto, stored)
    notices |= _side_notices(baseline, len(rows)) | _side_notices(pto, len(rows))
    return CaseResult(
        key=key,
        baseline=baseline,
        pto=pto,
        ratio_pct=ratio,
        band=band,
        notices=tuple(notice for notice in Notice if notice in notices),
        limitations=tuple(json.loads(columns["limitations"][newest] or "[]")),
        variant_index=columns["variant_index"][newest],
        report_path=columns["report_path"][newest],
        spec=columns["spec"][newest],
        runs=len(rows),
        run=columns["run"][newest],
        run_at=columns["run_at"][newest],
        stored_class=columns["stored_class"][newest],
        stored_blocker=columns["stored_blocker"][newest],
        origins=tuple(Origin(files[columns["source"][row]], columns["line"][row]) for row in rows),
    )


def _agreed_notices(texts: Sequence[str]) -> set[Notice]:
    """Notices of all runs; what random samples do now and then counts when most runs show it."""
    counts = Counter(Notice(part) for text in texts for part in text.split(";") if part)
    return {
        notice
        for notice, n in counts.items()
        if notice not in _SAMPLE_NOTICES or n * 2 > len(texts)
    }


_SAMPLE_NOTICES = frozenset(
    {
        Notice.OUTLIERS,
        Notice.SLOW_START,
        Notice.TWO_MODES,
        Notice.COARSE_CLOCK,
    }
)


def _side(side: Side, rows: Sequence[int], columns: Mapping[str, list[Any]]) -> SideResult:
    def of(name: str, wanted: Sequence[int]) -> list[Any]:
        column = columns[f"{side}_{name}"]
        return [column[row] for row in wanted]

    statuses = of("status", rows)
    status = _agreed_status(statuses)
    used = [row for row, found in zip(rows, statuses, strict=True) if found == status]
    ok = used if status is Status.OK else []
    counts = [n for n in of("n", ok) if math.isfinite(n)]
    reasons = [reason for reason in of("reason", used) if reason]
    return SideResult(
        status=status,
        correct=_agreed_check(of("correct", used)),
        reason=reasons[-1] if reasons else "",
        device=of("device", rows)[-1],
        n=int(median_of(counts)) if counts else None,
        median_ms=median_of([value for value in of("median_ms", ok) if value > 0]),
        q1_ms=median_of(of("q1_ms", ok)),
        q3_ms=median_of(of("q3_ms", ok)),
        min_ms=min((x for x in of("min_ms", ok) if math.isfinite(x)), default=math.nan),
        max_ms=max((x for x in of("max_ms", ok) if math.isfinite(x)), default=math.nan),
        runs_ok=len(ok),
    )


def _agreed_status(statuses: Sequence[str]) -> Status:
    """Most runs decide; a side that ran in half of them or fewer does not count as running."""
    if statuses.count(Status.OK) * 2 > len(statuses):
        return Status.OK
    rest = [status for status in statuses if status != Status.OK]
    return Status(max(rest, key=rest.count))


def _agreed_check(checks: Sequence[str]) -> Correctness:
    """One failed check is a wrong result, however many runs passed."""
    for outcome in (Correctness.FAIL, Correctness.PASS):
        if outcome in checks:
            return outcome
    return Correctness.UNKNOWN


def _side_notices(side: SideResult, runs: int) -> set[Notice]:
    found = set()
    if side.status is Status.OK and math.isnan(side.median_ms):
        found.add(Notice.NO_LATENCY)
    if side.status is Status.OK and side.runs_ok < runs:
        found.add(Notice.FLAKY)
    if side.n is not None and 0 < side.n < FEW_SAMPLES and math.isfinite(side.q1_ms):
        found.add(Notice.FEW_SAMPLES)
    return found


def _widest_band(
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


def _stored_band(row: int, columns: Mapping[str, list[Any]]) -> Band | None:
    """Band that an earlier report of kreport's own wrote, made from files not at hand any more."""
    label = columns["noise_source"][row]
    low, high = columns["ratio_low_pct"][row], columns["ratio_high_pct"][row]
    if not label or not (math.isfinite(low) and math.isfinite(high)):
        return None
    name, _, count = label.partition(" n=")
    return Band(low, high, BandSource(name), int(count) if count else None)
