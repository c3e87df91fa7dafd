"""What happened on a side of each row: status words, output checks and latencies made one story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.model import Correctness, Notice, Status
from kreport.readers.findings import Findings
from kreport.readers.numbers import Floats
from kreport.readers.options import ReadOptions
from kreport.statuses import CORRECT_WORDS, Outcome, fold_word, status_of

Objects = npt.NDArray[np.object_]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Words:
    """Status cells of one column, each already looked up.

    `known` is False for words that no table holds, `wavering` True for words (``fail``) whose
    meaning depends on whether there is a latency, `plain` True where the word needs no retelling.
    """

    texts: Objects
    status: Objects
    correct: Objects
    wavering: Flags
    plain: Flags


@dataclass(frozen=True, slots=True)
class StoryColumns:
    """What the file calls the columns of a side's status and latency."""

    status: str
    latency: str


@dataclass(frozen=True, slots=True)
class SideStory:
    """Status, correctness, reason and notices of one side, and the latency that may be believed.

    `usable` is False where the latency must not be used: the side did not run, or the number is
    impossible.
    """

    status: Objects
    correct: Objects
    ran: Flags
    """Whether the side claims to have run."""
    usable: Flags
    no_latency: Flags
    zero: Flags


def look_up(
    cells: Sequence[str],
    lines: npt.NDArray[np.int64],
    column: str,
    options: ReadOptions,
    findings: Findings,
) -> Words:
    """Look every cell of a status column up, once a spelling; note the words nobody knows."""
    texts = np.asarray(cells, dtype=object)
    codes, spellings = pd.factorize(texts)
    outcomes = [status_of(text, options.status_words) for text in spellings]
    rows = np.bincount(codes, minlength=len(spellings))
    first = np.unique(codes, return_index=True)[1]
    for code, (text, outcome) in enumerate(zip(spellings, outcomes, strict=True)):
        if not outcome.word_known:
            times = "1 row" if rows[code] == 1 else f"{rows[code]} rows"
            findings.note(
                "unknown-status",
                f"no status kreport knows, never taken for ok ({times})",
                line=int(lines[first[code]]),
                column=column,
                value=text,
                hint="add it to statuses in the settings",
            )
    return Words(
        texts,
        _take([outcome.status.value for outcome in outcomes], codes),
        _take([outcome.correct.value for outcome in outcomes], codes),
        _take([outcome.needs_latency for outcome in outcomes], codes).astype(bool),
        _take([_is_plain(t, o) for t, o in zip(spellings, outcomes, strict=True)], codes).astype(
            bool
        ),
    )


def _is_plain(text: str, outcome: Outcome) -> bool:
    return not text or fold_word(text) in (outcome.status.value, "ok", "pass", "true")


def _take(values: list[object], codes: npt.NDArray[np.int64]) -> Objects:
    table = np.empty(len(values), dtype=object)
    table[:] = values
    return table[codes] if len(values) else np.empty(0, dtype=object)


def checks(
    cells: Sequence[str],
    lines: npt.NDArray[np.int64],
    column: str,
    findings: Findings,
) -> Objects:
    """A correctness column as `Correctness` values; a word nobody knows is unknown, with a note."""
    codes, spellings = pd.factorize(np.asarray(cells, dtype=object))
    table: list[object] = []
    firsts = np.unique(codes, return_index=True)[1]
    for word, first in zip(spellings, firsts.tolist(), strict=True):
        found = CORRECT_WORDS.get(fold_word(word))
        if found is None:
            findings.note(
                "unknown-correctness",
                "neither passed nor failed: taken as unknown",
                line=int(lines[first]),
                column=column,
                value=cells[first],
            )
        table.append((found or Correctness.UNKNOWN).value)
    return _take(table, codes)


def tell(
    words: Words | None,
    correct: Objects | None,
    median_ms: Floats,
    lines: npt.NDArray[np.int64],
    columns: StoryColumns,
    findings: Findings,
) -> SideStory:
    """Make one story of a side's status word, output check and latency.

    Without a status column a side with a latency ran. A latency of zero is impossible, and one
    beside a word for "did not run" contradicts it: both make the side ``invalid``. Only a side
    that ran can have passed or failed its check.
    """
    count = len(median_ms)
    timed = median_ms > 0
    zero = median_ms == 0
    if words is None:
        status = np.where(np.isnan(median_ms), Status.MISSING.value, Status.OK.value).astype(object)
        told = np.full(count, Correctness.UNKNOWN.value, dtype=object)
    else:
        status = words.status.copy()
        told = words.correct.copy()
        status[words.wavering & ~timed] = Status.BLOCKED.value
    if correct is not None:
        silent = told == Correctness.UNKNOWN.value
        told = np.where(silent | (correct == Correctness.FAIL.value), correct, told)
    ran = status == Status.OK.value
    # a wrong result is often reported without a time: zero is a placeholder there
    zero &= told != Correctness.FAIL.value
    _report_contradictions(status, timed, zero, median_ms, lines, columns, findings)
    impossible = (ran & zero) | (~ran & timed)
    no_latency = ran & (np.isnan(median_ms) | ((median_ms == 0) & ~zero))
    status[impossible] = Status.INVALID.value
    usable = ran & timed
    told = np.where(status == Status.OK.value, told, Correctness.UNKNOWN.value).astype(object)
    return SideStory(status, told, ran, usable, no_latency, ran & zero)


def _report_contradictions(
    status: Objects,
    timed: Flags,
    zero: Flags,
    median_ms: Floats,
    lines: npt.NDArray[np.int64],
    columns: StoryColumns,
    findings: Findings,
) -> None:
    silent = (status == Status.OK.value) | (status == Status.INVALID.value)
    for index in np.flatnonzero(~silent & timed):
        findings.note(
            "latency-without-run",
            f"a latency beside status {status[index]}: the side is invalid, its latency unused",
            line=int(lines[index]),
            column=columns.status,
            value=f"{median_ms[index]:g} ms",
        )
    for index in np.flatnonzero((status == Status.OK.value) & zero):
        findings.note(
            "zero-latency",
            "a latency of zero is no measurement: the side is invalid, its latency unused",
            line=int(lines[index]),
            column=columns.latency,
        )


def joined_notices(flags: dict[Notice, Flags], count: int) -> Objects:
    """The notices of each row joined with ";", in the order given."""
    joined = np.full(count, "", dtype=object)
    for notice, where in flags.items():
        for index in np.flatnonzero(where):
            joined[index] = f"{joined[index]};{notice.value}" if joined[index] else notice.value
    return joined
