"""From arrays to results: one `CaseDiff` a case."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kreport.cases.majority import CHECKS, STATUSES
from kreport.model import Moved, Notice, Side, Transition
from kreport.noise import NEW, OLD
from kreport.noise.runs import row_count, row_median
from kreport.stats import log_as_pct, ratio_pct
from kreport.verdicts.cells import ABSENT
from kreport.verdicts.decisions import NO_VERDICT, SOURCES, VERDICTS
from kreport.verdicts.renames import likely_renames
from kreport.verdicts.results import Advice, CaseDiff, GroupSide, SideDiff
from kreport.verdicts.states import transitions_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kreport.model import CaseKey
    from kreport.noise import Changes
    from kreport.schema import RunTable
    from kreport.verdicts.cells import Cells
    from kreport.verdicts.decisions import Decisions
    from kreport.verdicts.pairing import Pairing
    from kreport.verdicts.states import SideState

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Clock:
    """One clock, decided: arrays over its cases, whose numbers in the pairing are `members`."""

    timer: str
    members: NDArray[np.int64]
    cells: Cells
    states: Mapping[tuple[Side, int], SideState]
    decisions: Mapping[Side, Decisions]
    changes: Changes
    more_runs: NDArray[np.int64]


def case_diffs(
    clocks: Sequence[Clock],
    pairing: Pairing,
    quieter: Sequence[int],
    detectable: Floats,
    tables: tuple[RunTable, RunTable],
) -> tuple[CaseDiff, ...]:
    """All cases in the order of their keys. `quieter` and `detectable` are over all cases."""
    presence = [pairing.present(rows) for rows in (pairing.old, pairing.new)]
    alone = [
        [pairing.keys[case] for case in np.flatnonzero(presence[one] & ~presence[other])]
        for one, other in ((0, 1), (1, 0))
    ]
    renamed = likely_renames(*alone)
    clues = _Clues(pairing, quieter, detectable, tables, renamed)
    found: list[CaseDiff | None] = [None] * len(pairing.keys)
    for clock in clocks:
        for case, diff in zip(clock.members.tolist(), _of_clock(clock, clues), strict=True):
            found[case] = diff
    return tuple(diff for diff in found if diff is not None)


@dataclass(frozen=True, slots=True)
class _Clues:
    """What a case takes from beyond its own clock."""

    pairing: Pairing
    quieter: Sequence[int]
    detectable: Floats
    tables: tuple[RunTable, RunTable]
    renamed: Mapping[CaseKey, CaseKey]


def _of_clock(clock: Clock, clues: _Clues) -> list[CaseDiff]:
    baseline, pto = (_side_diffs(clock, side) for side in Side)
    drifted = clock.changes.shift.is_drift
    texts = [
        _Texts(clock.cells, table, group)
        for table, group in zip(clues.tables, (OLD, NEW), strict=True)
    ]
    result = []
    for at, case in enumerate(clock.members.tolist()):
        key = clues.pairing.keys[case]
        sides = baseline[at], pto[at]
        transitions = _transitions(key, sides, clues.renamed)
        result.append(
            CaseDiff(
                key=key,
                transitions=transitions,
                verdict=sides[1].verdict,
                confirmed=sides[1].confirmed if sides[1].verdict else True,
                moved=_moved(*sides, drifted=drifted),
                baseline=sides[0],
                pto=sides[1],
                old_ratio_pct=_ratio(sides[0].old, sides[1].old),
                new_ratio_pct=_ratio(sides[0].new, sides[1].new),
                advice=_advice(clock, at, case, clues),
                notices=texts[1].notices(at, sides),
                old_reason=texts[0].reason(at) if transitions else "",
                new_reason=texts[1].reason(at) if transitions else "",
                renamed=clues.renamed.get(key),
            )
        )
    return result


def _ratio(baseline: GroupSide, pto: GroupSide) -> float:
    return ratio_pct(baseline.median_ms, pto.median_ms)


def _transitions(
    key: CaseKey, sides: tuple[SideDiff, SideDiff], renamed: Mapping[CaseKey, CaseKey]
) -> tuple[Transition, ...]:
    """Transitions of the case; those of the port first, those of the baseline stay on its side."""
    statuses = [(side.old.status, side.new.status) for side in sides]
    hint = (Transition.RENAMED,) if key in renamed else ()
    if all(new is None for _, new in statuses):
        return (Transition.REMOVED, *hint)
    if all(old is None for old, _ in statuses):
        return (Transition.ADDED, *hint)
    return sides[1].transitions


def _moved(baseline: SideDiff, pto: SideDiff, *, drifted: bool) -> Moved:
    if baseline.changed and pto.changed:
        return Moved.BOTH
    if pto.changed:
        return Moved.PTO
    if baseline.changed:
        return Moved.BASELINE
    return Moved.RUN if drifted and (pto.verdict or baseline.verdict) else Moved.NONE


def _advice(clock: Clock, at: int, case: int, clues: _Clues) -> Advice:
    """What would help a case whose detectable effect is not small enough, or not known."""
    other = clues.quieter[case]
    pct = log_as_pct(float(clues.detectable[other])) if other >= 0 else math.nan
    timer = clues.pairing.keys[other].timer if other >= 0 else ""
    return Advice(int(clock.more_runs[at]), timer, pct)


def _side_diffs(clock: Clock, side: Side) -> list[SideDiff]:
    decided = clock.decisions[side]
    old, new = (_group_sides(clock, side, group) for group in (OLD, NEW))
    moves = transitions_of(clock.states[side, OLD], clock.states[side, NEW])
    columns = zip(
        old,
        new,
        moves,
        decided.verdict.tolist(),
        decided.confirmed.tolist(),
        _percent(decided.change),
        _percent(decided.corrected),
        _percent(decided.band),
        _percent(decided.detectable),
        decided.p_value.tolist(),
        decided.source.tolist(),
        decided.source_n.tolist(),
        strict=True,
    )
    return [_side_diff(*values) for values in columns]


def _side_diff(  # one column each, in the order of the fields
    old: GroupSide,
    new: GroupSide,
    transitions: tuple[Transition, ...],
    verdict: int,
    confirmed: bool,
    change_pct: float,
    corrected_pct: float,
    band_pct: float,
    detectable_pct: float,
    p_value: float,
    source: int,
    source_n: int,
) -> SideDiff:
    compared = verdict != NO_VERDICT
    return SideDiff(
        old=old,
        new=new,
        transitions=transitions,
        verdict=VERDICTS[verdict] if compared else None,
        confirmed=confirmed and compared,
        change_pct=change_pct,
        corrected_pct=corrected_pct,
        band_pct=band_pct,
        detectable_pct=detectable_pct if compared else math.nan,
        p_value=p_value if compared else math.nan,
        source=SOURCES[source],
        source_n=source_n,
    )


def _percent(logs: Floats) -> list[float]:
    return list(map(log_as_pct, logs.tolist()))


def _group_sides(clock: Clock, side: Side, group: int) -> list[GroupSide]:
    state = clock.states[side, group]
    members = clock.cells.group == group
    numbers = clock.cells.sides[side].numbers
    medians = numbers["median_ms"][:, members]
    runs = row_count(medians)
    columns: list[list[Any]] = [
        state.status.tolist(),
        state.check.tolist(),
        *(
            row_median(numbers[name][:, members]).tolist()
            for name in ("median_ms", "q1_ms", "q3_ms")
        ),
        runs.tolist(),
        np.nansum(numbers["n"][:, members], axis=1).astype(int).tolist(),
        state.mixed.tolist(),
    ]
    return [
        GroupSide(
            None if status == ABSENT else STATUSES[status],
            CHECKS[check],
            median,
            q1,
            q3,
            n,
            samples,
            mixed,
        )
        for status, check, median, q1, q3, n, samples, mixed in zip(*columns, strict=True)
    ]


class _Texts:
    """Reasons and notices of the newest run of each case, looked up only where they are shown."""

    def __init__(self, cells: Cells, table: RunTable, group: int) -> None:
        rows = cells.row[:, cells.group == group]
        self._newest = rows.max(axis=1, initial=ABSENT).tolist()
        self._frame = table.frame
        self._columns: dict[str, list[str]] = {}
        self._notices: dict[tuple[str, bool], tuple[Notice, ...]] = {}

    def _text(self, column: str, at: int) -> str:
        row = self._newest[at]
        if row == ABSENT:
            return ""
        if column not in self._columns:
            self._columns[column] = self._frame[column].tolist()
        return str(self._columns[column][row])

    def reason(self, at: int) -> str:
        """Why the port, or else the baseline, does not run; "" where nothing is said."""
        return self._text("pto_reason", at) or self._text("baseline_reason", at)

    def notices(self, at: int, sides: tuple[SideDiff, SideDiff]) -> tuple[Notice, ...]:
        """What deserves a footnote: of the newest run, and of all of them together."""
        text = self._text("notices", at)
        flaky = any(side.new.mixed or side.old.mixed for side in sides)
        if (text, flaky) not in self._notices:
            found = {Notice(part) for part in text.split(";") if part}
            found |= {Notice.FLAKY} if flaky else set()
            self._notices[text, flaky] = tuple(notice for notice in Notice if notice in found)
        return self._notices[text, flaky]
