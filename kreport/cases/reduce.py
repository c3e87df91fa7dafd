"""From the run table to cases: one result per shape, clock and device, however many runs.

Statuses, medians and ratios are decided here, bands in `kreport.cases.band`, classes in
`kreport.classify`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from kreport.cases.band import stored_band, widest_band
from kreport.cases.majority import CHECKS, STATUSES, agreed_check, agreed_status
from kreport.cases.result import CaseResult, Origin, SideResult
from kreport.model import CaseKey, Notice, Side, Status
from kreport.schema import IDENTITY, SIDE_NUMBERS, SIDE_TEXT
from kreport.stats import FEW_SAMPLES, median_of, ratio_pct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from kreport.schema import RunTable


def cases_of(table: RunTable) -> tuple[CaseResult, ...]:
    """Reduce a run table to its cases, in the order in which the inputs first name them."""
    columns = {name: table.frame[name].tolist() for name in table.frame.columns}
    sides = {
        side: {name: columns[f"{side}_{name}"] for name in (*SIDE_TEXT, *SIDE_NUMBERS)}
        for side in Side
    }
    rows_of: dict[tuple[str, ...], list[int]] = {}
    for row, identity in enumerate(zip(*(columns[name] for name in IDENTITY), strict=True)):
        rows_of.setdefault(identity, []).append(row)
    files = [source.name for source in table.sources]
    return tuple(
        _case(CaseKey(*identity), rows, columns, sides, files) for identity, rows in rows_of.items()
    )


def _case(
    key: CaseKey,
    rows: list[int],
    columns: Mapping[str, list[Any]],
    sides: Mapping[Side, Mapping[str, list[Any]]],
    files: Sequence[str],
) -> CaseResult:
    if len(rows) > 1:
        rows = sorted(rows, key=lambda row: (columns["run_at"][row], row))
    newest = rows[-1]
    notices = _agreed_notices([columns["notices"][row] for row in rows])
    baseline = _side(rows, sides[Side.BASELINE])
    pto = _side(rows, sides[Side.PTO])
    have_ratio = comparable(baseline.status, pto.status, notices)
    ratio = ratio_pct(baseline.median_ms, pto.median_ms) if have_ratio else math.nan
    band = None
    if math.isfinite(ratio):
        stored = stored_band(newest, columns) if len(rows) == 1 else None
        baseline, pto, band = widest_band(rows, columns, baseline, pto, stored)
    notices |= _side_notices(baseline, len(rows)) | _side_notices(pto, len(rows))
    return CaseResult(
        key=key,
        baseline=baseline,
        pto=pto,
        ratio_pct=ratio,
        band=band,
        notices=tuple(notice for notice in Notice if notice in notices) if notices else (),
        limitations=_limitations(columns["limitations"][newest]),
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


def comparable(baseline: str, pto: str, notices: Collection[str]) -> bool:
    """Whether sides of these statuses have a ratio: both ran, and on one device."""
    return baseline == Status.OK == pto and Notice.DEVICES_DIFFER not in notices


def _limitations(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text not in ("", "[]") else ()


def _agreed_notices(texts: Sequence[str]) -> set[Notice]:
    """Notices of all runs; what random samples do now and then counts when most runs show it."""
    if not any(texts):
        return set()
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


def _finite(pick: Callable[[list[float]], float]) -> Callable[[list[float]], float]:
    def picked(values: list[float]) -> float:
        return pick([value for value in values if math.isfinite(value)] or [math.nan])

    return picked


_AGREED = {
    "n": median_of,
    "median_ms": median_of,
    "q1_ms": median_of,
    "q3_ms": median_of,
    "min_ms": _finite(min),
    "max_ms": _finite(max),
    "resolution_ms": median_of,
}
"""How each number of a side comes from those of its runs."""


def _side(rows: Sequence[int], columns: Mapping[str, list[Any]]) -> SideResult:
    """Agree on one side over its runs; with a single run there is nothing to agree on."""
    statuses = [columns["status"][row] for row in rows]
    status = (
        Status(statuses[0])
        if len(rows) == 1
        else agreed_status(tuple(map(statuses.count, STATUSES)))
    )
    used = [row for row, found in zip(rows, statuses, strict=True) if found == status]
    ok = used if status is Status.OK else []
    if len(ok) == 1:
        numbers = {name: columns[name][ok[0]] for name in _AGREED}
    else:
        numbers = {
            name: agree([columns[name][row] for row in ok]) for name, agree in _AGREED.items()
        }
    n, median_ms = numbers["n"], numbers["median_ms"]
    checks = [columns["correct"][row] for row in used]
    reasons = [reason for row in used if (reason := columns["reason"][row])]
    return SideResult(
        status=status,
        correct=agreed_check(tuple(map(checks.count, CHECKS))),
        reason=reasons[-1] if reasons else "",
        device=columns["device"][rows[-1]],
        n=int(n) if math.isfinite(n) else None,
        median_ms=median_ms if median_ms > 0 else math.nan,
        q1_ms=numbers["q1_ms"],
        q3_ms=numbers["q3_ms"],
        min_ms=numbers["min_ms"],
        max_ms=numbers["max_ms"],
        runs_ok=len(ok),
        step_ms=numbers["resolution_ms"],
    )


def _side_notices(side: SideResult, runs: int) -> set[Notice]:
    found = set()
    if side.status is Status.OK and math.isnan(side.median_ms):
        found.add(Notice.NO_LATENCY)
    if side.status is Status.OK and side.runs_ok < runs:
        found.add(Notice.FLAKY)
    if side.n is not None and 0 < side.n < FEW_SAMPLES and math.isfinite(side.q1_ms):
        found.add(Notice.FEW_SAMPLES)
    return found
