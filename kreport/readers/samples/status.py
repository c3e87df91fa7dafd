"""What became of each side of a samples file: its rows' words and latencies made one story."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.model import Correctness, Status
from kreport.readers.coded import Coded
from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.readers.outcomes import (
    SideStory,
    Words,
    checks,
    claimed_status,
    either,
    look_up,
    retold,
    settle,
)
from kreport.readers.samples.rows import SampleRows

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class RowWords:
    """What the rows say: their status words and output checks, None for absent columns."""

    words: Words | None
    checks: Coded | None
    ran: Flags
    """Whether the row claims that the side ran; all do where there is no status column."""
    sampled: Flags
    """Whether the row is a sample: it claims to have run, and has a latency."""


@dataclass(frozen=True, slots=True)
class GroupStory:
    """The story of the side that each group is of, and its reason."""

    story: SideStory
    reason: Objects


def words_of_rows(rows: SampleRows, options: ReadOptions, findings: Findings) -> RowWords:
    """Look the words of a samples file up, with a note of those nobody knows."""
    words, checked = None, None
    if rows.status is not None:
        words = look_up(rows.status, rows.line, rows.columns.status, options, findings)
    if rows.correct is not None:
        checked = checks(rows.correct, rows.line, rows.columns.correct, findings)
    ran = np.ones(len(rows.line), bool) if words is None else words.ran(rows.latency_ms)
    return RowWords(words, checked, ran, ran & ~np.isnan(rows.latency_ms))


def tell_groups(
    rows: SampleRows,
    said: RowWords,
    groups: Ints,
    first: Ints,
    numbers: dict[str, Floats],
    findings: Findings,
) -> GroupStory:
    """Tell the story of every group; `numbers` are the summaries of its samples.

    A group speaks through its first row that did not run, else through its first row. Its median
    is its latency. Beside a row that did not run any latency is a contradiction, so that there it
    is the largest of all its rows.
    """
    speaker, latency_ms = first.copy(), numbers["median_ms"].copy()
    stopped = np.flatnonzero(~said.ran)
    speaker[groups[stopped[::-1]]] = stopped[::-1]  # so that the first of a group has the last word
    latency_ms[groups[stopped]] = numbers["max_ms"][groups[stopped]]
    np.fmax.at(latency_ms, groups[stopped], rows.latency_ms[stopped])
    words = None if said.words is None else said.words.at(speaker)
    own_ms = latency_ms if words is None else rows.latency_ms[speaker]
    correct = either(
        None if said.words is None else _worst(said.words.correct(), groups, len(first)),
        None if said.checks is None else _worst(said.checks, groups, len(first)),
    )
    status = claimed_status(words, own_ms)
    story = settle(status, correct, latency_ms, rows.line[first], rows.columns, findings)
    bad = (story.status != Status.OK.value) | (story.correct == Correctness.FAIL.value)
    given = rows.texts["reason"]
    own = given.at(speaker)
    reason = np.where(bad, np.where(own != "", own, given.at(first)), "").astype(object)
    return GroupStory(story, reason if words is None else retold(words, story, reason))


def _worst(correct: Coded, groups: Ints, count: int) -> Objects:
    """A group has failed where any of its rows has, and passed where any has and none failed."""
    worst = np.full(count, Correctness.UNKNOWN.value, dtype=object)
    for outcome in (Correctness.PASS.value, Correctness.FAIL.value):
        told = np.array([*(text == outcome for text in correct.spellings), False])
        if told[:-1].all() and len(told) > 1:  # the usual case needs no look at the rows
            worst[:] = outcome
        elif told.any():
            worst[groups[told[correct.codes]]] = outcome
    return worst
