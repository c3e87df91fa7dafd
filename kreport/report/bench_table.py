"""What a finished set of runs shows on the terminal: a line a case, and advice on bad ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from kreport.harness.guidance import Advice
from kreport.harness.record import RunRecord, SideRecord
from kreport.model import CaseKey, Correctness, Side, Status
from kreport.report.case_name import case_name
from kreport.report.numbers import NOT_AVAILABLE, latency, percent
from kreport.report.shapes import readable_shape
from kreport.report.text import first_line, one_line
from kreport.stats import median_of, ratio_pct

MOST_CASES = 4
"""Cases named under one piece of advice before it says how many more there are."""
_HEAD = ("kernel", "shape", "clock", "baseline ms", "PTO ms", "ratio", "notes")
_NUMERIC = (3, 4, 5)


def result_lines(records: Sequence[RunRecord]) -> list[str]:
    """An aligned table: per case and clock medians of run medians, their ratio, what is wrong."""
    rows = [_HEAD, *_rows(records)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return ["  ".join(_padded(row, widths)).rstrip() for row in rows]


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        room = " " * (width - cell_len(cell))
        yield room + cell if column in _NUMERIC else cell + room


def _rows(records: Sequence[RunRecord]) -> Iterator[tuple[str, ...]]:
    for result in results(records):
        medians = {side: result.medians_ms[side] for side in Side}
        ratio = ratio_pct(medians[Side.BASELINE], medians[Side.PTO])
        shown = [latency(medians[side]) for side in Side]
        cells = (*shown, NOT_AVAILABLE if result.wrong else percent(ratio))
        yield (result.kernel, result.case, result.timer, *cells, result.notes)


class Result:
    """One case on one clock over all runs; NaN and "" where there is nothing."""

    def __init__(self, records: Sequence[RunRecord], position: int, timer: str) -> None:
        name = records[0].cases[position].name
        self.family, self.kernel = one_line(name.family), one_line(name.kernel)
        self.label, self.timer = one_line(name.label), timer
        self.shape = readable_shape(name.shape_json)
        self.case = case_name(CaseKey("", "", name.label, name.shape_json))
        seen = {side: [record.cases[position].sides[side] for record in records] for side in Side}
        self.medians_ms = {side: _median_ms(sides, timer) for side, sides in seen.items()}
        self.runs = {side: sum(timer in one.samples_ms for one in seen[side]) for side in Side}
        self.wrong = any(one.correct is Correctness.FAIL for side in Side for one in seen[side])
        self.notes = "; ".join(filter(None, (_note(side, seen[side]) for side in Side)))


def results(records: Sequence[RunRecord]) -> list[Result]:
    """Every case on every clock, in the order of the suite."""
    return [
        Result(records, position, timer)
        for position in range(len(records[0].cases))
        for timer in records[0].timers
    ]


def _median_ms(sides: Sequence[SideRecord], timer: str) -> float:
    return median_of([median_of(one.samples_ms[timer]) for one in sides if timer in one.samples_ms])


def _note(side: Side, seen: Sequence[SideRecord]) -> str:
    blocked = [one for one in seen if one.status is Status.BLOCKED]
    wrong = [one for one in seen if one.correct is Correctness.FAIL]
    for word, those in (("blocked", blocked), ("wrong", wrong)):
        if those:
            often = "" if len(those) == len(seen) else f" in {len(those)} of {len(seen)} runs"
            return f"{side} {word}{often}: {first_line(those[0].reason, 60)}"
    return ""


def advice_lines(advice: Sequence[Advice]) -> list[str]:
    """Advice by trouble, with the first few cases of each."""
    lines = []
    for trouble, group in groupby(sorted(advice, key=lambda one: one.trouble), _trouble):
        those = list(group)
        lines.append(f"{trouble}:")
        lines += [_advice_line(one) for one in those[:MOST_CASES]]
        if len(those) > MOST_CASES:
            lines.append(f"  and {len(those) - MOST_CASES} more like this")
    return lines


def _advice_line(advice: Advice) -> str:
    return f"  {one_line(advice.case)}: {advice.text}" if advice.case else f"  {advice.text}"


def _trouble(advice: Advice) -> str:
    return advice.trouble
