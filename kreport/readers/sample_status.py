"""What became of each side of a samples file: did it run, was it right, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kreport.model import Correctness, Status
from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.statuses import CORRECT_WORDS, fold_word, status_of

if TYPE_CHECKING:
    from kreport.readers.samples import SampleRows

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class SampleStates:
    """`status`, `correct` and `reason` of each group; `usable` marks the rows that are samples."""

    status: Objects
    correct: Objects
    reason: Objects
    usable: Flags


@dataclass(frozen=True, slots=True)
class _RowWords:
    """What the status column says of each row, as flags. `status` is the `Status` of each code."""

    ran: Flags
    wrong: Flags
    passed: Flags
    status: Objects


def states_of_rows(
    rows: SampleRows, groups: Ints, first: Ints, options: ReadOptions, findings: Findings
) -> SampleStates:
    """Tell the state of every group from the words and latencies of its rows."""
    count = len(first)
    timed = ~np.isnan(rows.latency_ms)
    words = _words(rows, timed, options, findings)
    usable = words.ran & timed
    ran = _any(words.ran, groups, count)
    stopped = ~words.ran
    status = np.full(count, Status.OK.value, dtype=object)
    reason = np.full(count, "", dtype=object)
    backwards = np.flatnonzero(stopped)[::-1]
    status[groups[backwards]] = words.status[backwards]
    reason[groups[backwards]] = rows.texts["reason"].at(backwards)
    _retell_words(rows, groups, backwards, status, reason)
    contradicted = _any(usable, groups, count) & _any(stopped, groups, count)
    contradicted |= _any(stopped & timed & (rows.latency_ms > 0), groups, count)
    for group in np.flatnonzero(contradicted).tolist():
        findings.note(
            "latency-without-run",
            f"samples beside a row that says {status[group]}: the side is invalid, none is used",
            line=int(rows.line[first[group]]),
            value=str(rows.texts["kernel"].at(first[[group]])[0]),
        )
    status[contradicted] = Status.INVALID.value
    usable &= ~contradicted[groups]
    correct = np.full(count, Correctness.UNKNOWN.value, dtype=object)
    correct[_any(words.passed, groups, count) & ran] = Correctness.PASS.value
    correct[_any(words.wrong, groups, count) & ran] = Correctness.FAIL.value
    return SampleStates(status, correct, reason, usable)


def _any(rows: Flags, groups: Ints, count: int) -> Flags:
    return np.bincount(groups[rows], minlength=count) > 0


def _words(rows: SampleRows, timed: Flags, options: ReadOptions, findings: Findings) -> _RowWords:
    count = len(rows.line)
    ran, wrong, passed = timed.copy(), np.zeros(count, bool), np.zeros(count, bool)
    status = np.full(count, Status.MISSING.value, dtype=object)
    if rows.status is not None:
        outcomes = [status_of(text, options.status_words) for text in rows.status.spellings]
        codes = rows.status.codes
        for text, outcome in zip(rows.status.spellings, outcomes, strict=True):
            if not outcome.word_known:
                findings.note(
                    "unknown-status",
                    "no status kreport knows, never taken for ok",
                    column="status",
                    value=text,
                    hint="add it to statuses in the settings",
                )
        wavering = np.array([o.needs_latency for o in outcomes])[codes]
        ran = np.array([o.status is Status.OK for o in outcomes])[codes]
        ran &= ~wavering | timed
        wrong = np.array([o.correct is Correctness.FAIL for o in outcomes])[codes] & ran
        passed = np.array([o.correct is Correctness.PASS for o in outcomes])[codes]
        named = np.array([o.status.value for o in outcomes], dtype=object)
        status = named[codes]
        status[wavering & ~timed] = Status.BLOCKED.value
    if rows.correct is not None:
        checks = [CORRECT_WORDS.get(fold_word(word)) for word in rows.correct.spellings]
        wrong |= np.array([c is Correctness.FAIL for c in checks])[rows.correct.codes] & ran
        passed |= np.array([c is Correctness.PASS for c in checks])[rows.correct.codes]
    return _RowWords(ran, wrong, passed, status)


def _retell_words(
    rows: SampleRows, groups: Ints, stopped: Ints, status: Objects, reason: Objects
) -> None:
    """Keep a status word that says more than its status, where no reason is given."""
    if rows.status is None:
        return
    words = rows.status.at(stopped)
    for row, word in zip(stopped.tolist(), words, strict=True):
        group = groups[row]
        if not reason[group] and word.strip() and fold_word(word) != status[group]:
            reason[group] = f"status: {word.strip()}"
