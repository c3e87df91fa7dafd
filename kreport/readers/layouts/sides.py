"""One row a side: median and quartiles of one implementation, the other in a row of its own."""

from __future__ import annotations

import numpy as np

from kreport.model import Correctness, Notice, Status
from kreport.readers.cases import (
    Input,
    LayoutRows,
    Objects,
    device_texts,
    fold_text,
    identity_columns,
    json_list,
    text_column,
)
from kreport.readers.layouts.side_numbers import read_side_numbers
from kreport.readers.layouts.side_words import side_of_rows
from kreport.readers.outcomes import StoryColumns, Words, checks, joined_notices, look_up, tell
from kreport.readers.pairing import SideRows, pair_sides
from kreport.readers.samples.listed import read_listed_samples

NAME = "sides"


def read(source: Input) -> LayoutRows:
    """Return the canonical rows of a file of one row a side."""
    count, lines = source.count, source.lines
    side = side_of_rows(source)
    texts: dict[str, Objects] = dict(
        identity_columns(source, () if side.parameter is None else (side.parameter,))
    )
    numbers = read_side_numbers(source, None)
    words = _words(source)
    columns_read = StoryColumns(_status_name(source), numbers.median_column)
    story = tell(words, _checks(source), numbers.median_ms, lines, columns_read, source.findings)
    numbers.set_negatives_aside(story.ran, source.findings)
    texts["status"], texts["correct"] = story.status, story.correct
    texts["device"] = device_texts(source.cells("device"), count)
    texts["reason"] = _reasons(source, words, story.status, story.correct)
    for role in ("report_path", "spec"):
        texts[role] = text_column(source.cells(role), count, fold_text)
    texts["limitations"] = text_column(source.cells("limitations"), count, json_list)
    flags = {Notice.NO_LATENCY: story.no_latency, Notice.ZERO_LATENCY: story.zero}
    columns = numbers.columns("", story.usable)
    flags |= read_listed_samples(source, columns, story.usable)
    texts["notices"] = joined_notices(flags, count)
    skip = source.findings.rows()
    rows = SideRows(side.sides, texts, columns, lines)
    return LayoutRows(pair_sides(rows, source.findings, skip).columns)


def _words(source: Input) -> Words | None:
    cells = source.cells("status")
    if cells is None:
        return None
    return look_up(cells, source.lines, source.name_of("status"), source.options, source.findings)


def _status_name(source: Input) -> str:
    return source.name_of("status") if "status" in source.header.roles else "median"


def _checks(source: Input) -> Objects | None:
    cells = source.cells("correct")
    if cells is None:
        return None
    return checks(cells, source.lines, source.name_of("correct"), source.findings)


def _reasons(source: Input, words: Words | None, status: Objects, correct: Objects) -> Objects:
    reasons = text_column(source.cells("reason"), source.count, str.strip)
    if words is not None:
        odd = ~words.plain & (reasons == "")
        odd &= (status != Status.OK.value) | (correct == Correctness.FAIL.value)
        reasons[odd] = [f"status: {word.strip()}" for word in words.texts[odd]]
    return np.asarray(reasons, dtype=object)
