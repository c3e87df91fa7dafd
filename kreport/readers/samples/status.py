"""What became of each side of a samples file: did it run, was it right, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kreport.model import Correctness, Status
from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.statuses import CORRECT_WORDS, Outcome, fold_word, status_of

if TYPE_CHECKING:
    from kreport.readers.samples.rows import SampleRows

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
    """What the status column says of each row, as flags, and the status words themselves."""

    ran: Flags
    wrong: Flags
    passed: Flags
    outcomes: tuple[Outcome, ...]

    def status_at(self, rows: SampleRows, where: Ints) -> Objects:
        """Return the `Status` values of rows that did not run."""
        if rows.status is None:
            return np.full(len(where), Status.MISSING.value, dtype=object)
        told = [
            Status.BLOCKED if outcome.needs_latency else outcome.status for outcome in self.outcomes
        ]
        values = np.array([status.value for status in told], dtype=object)
        return np.asarray(values[rows.status.codes[where]], dtype=object)


def states_of_rows(
    rows: SampleRows, groups: Ints, first: Ints, options: ReadOptions, findings: Findings
) -> SampleStates:
    """Tell the state of every group from the words and latencies of its rows."""
    count = len(first)
    timed = ~np.isnan(rows.latency_ms)
    words = _words(rows, timed, options, findings)
    usable = words.ran & timed
    ran = _any(words.ran, groups, count)
    stopped = np.flatnonzero(~words.ran)
    status = np.full(count, Status.OK.value, dtype=object)
    reason = np.full(count, "", dtype=object)
    backwards = stopped[::-1]  # so that the first row of a group has the last word
    status[groups[backwards]] = words.status_at(rows, backwards)
    reason[groups[backwards]] = rows.texts["reason"].at(backwards)
    _retell_words(rows, groups, backwards, status, reason)
    sampled = _any(usable, groups, count)
    if rows.status is None:
        status[~sampled] = Status.MISSING.value
    contradicted = np.zeros(count, dtype=bool)
    contradicted[groups[stopped]] = True
    contradicted &= sampled
    contradicted[groups[stopped[rows.latency_ms[stopped] > 0]]] = True
    _note_contradictions(rows, first, contradicted, status, findings)
    status[contradicted] = Status.INVALID.value
    if contradicted.any():
        usable &= ~contradicted[groups]
    correct = np.full(count, Correctness.UNKNOWN.value, dtype=object)
    correct[_any(words.passed, groups, count) & ran] = Correctness.PASS.value
    correct[_any(words.wrong, groups, count) & ran] = Correctness.FAIL.value
    # A side that runs with a wrong result may say beside its first sample what is wrong.
    told = np.flatnonzero((correct == Correctness.FAIL.value) & (reason == ""))
    reason[told] = rows.texts["reason"].at(first[told])
    return SampleStates(status, correct, reason, usable)


def _note_contradictions(
    rows: SampleRows, first: Ints, contradicted: Flags, status: Objects, findings: Findings
) -> None:
    for group in np.flatnonzero(contradicted).tolist():
        findings.note(
            "latency-without-run",
            f"samples beside a row that says {status[group]}: the side is invalid, none is used",
            line=int(rows.line[first[group]]),
            value=str(rows.texts["kernel"].at(first[[group]])[0]),
        )


def _any(rows: Flags, groups: Ints, count: int) -> Flags:
    """Whether any row of each group is marked; all and none, the usual cases, cost nothing."""
    if rows.all() or not rows.any():
        return np.full(count, bool(rows.size) and bool(rows[0]))
    marked = np.zeros(count, dtype=bool)
    marked[groups[rows]] = True
    return marked


def _words(rows: SampleRows, timed: Flags, options: ReadOptions, findings: Findings) -> _RowWords:
    count = len(rows.line)
    ran, wrong, passed = np.ones(count, bool), np.zeros(count, bool), np.zeros(count, bool)
    outcomes: tuple[Outcome, ...] = ()
    if rows.status is not None:
        words, codes = rows.status.spellings, rows.status.codes
        outcomes = tuple(status_of(text, options.status_words) for text in words)
        _note_unknown(words, outcomes, findings)
        wavering = np.array([o.needs_latency for o in outcomes], dtype=bool)[codes]
        ran = np.array([o.status is Status.OK for o in outcomes], dtype=bool)[codes]
        ran &= ~wavering | timed
        wrong = np.array([o.correct is Correctness.FAIL for o in outcomes], dtype=bool)[codes] & ran
        passed = np.array([o.correct is Correctness.PASS for o in outcomes], dtype=bool)[codes]
    if rows.correct is not None:
        checks = [CORRECT_WORDS.get(fold_word(word)) for word in rows.correct.spellings]
        codes = rows.correct.codes
        wrong |= np.array([c is Correctness.FAIL for c in checks], dtype=bool)[codes] & ran
        passed |= np.array([c is Correctness.PASS for c in checks], dtype=bool)[codes]
    return _RowWords(ran, wrong, passed, outcomes)


def _note_unknown(words: Sequence[str], outcomes: Sequence[Outcome], findings: Findings) -> None:
    for text, outcome in zip(words, outcomes, strict=True):
        if not outcome.word_known:
            findings.note(
                "unknown-status",
                "no status kreport knows, never taken for ok",
                column="status",
                value=text,
                hint="add it to statuses in the settings",
            )


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
