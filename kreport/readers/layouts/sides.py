"""One row a side: median and quartiles of one implementation, the other in a row of its own."""

from __future__ import annotations

from kreport.model import Notice
from kreport.readers.canonical import (
    Input,
    LayoutRows,
    Objects,
    device_texts,
    fold_text,
    identity_columns,
    json_list,
    text_column,
)
from kreport.readers.coded import Coded, coded
from kreport.readers.layouts.side_numbers import read_side_numbers
from kreport.readers.layouts.side_words import side_of_rows
from kreport.readers.outcomes import (
    StoryColumns,
    checks,
    joined_notices,
    retold,
    row_words,
    tell,
)
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
    words = row_words(source)
    columns_read = StoryColumns(_status_name(source), numbers.median_column)
    story = tell(words, _checks(source), numbers.median_ms, lines, columns_read, source.findings)
    numbers.set_negatives_aside(story.ran, source.findings)
    texts["status"], texts["correct"] = story.status, story.correct
    texts["device"] = device_texts(source.cells("device"), count)
    reasons = text_column(source.cells("reason"), count, str.strip)
    texts["reason"] = reasons if words is None else retold(words, story, reasons)
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


def _status_name(source: Input) -> str:
    return source.name_of("status") if "status" in source.header.roles else "median"


def _checks(source: Input) -> Coded | None:
    cells = source.cells("correct")
    if cells is None:
        return None
    return checks(coded(cells), source.lines, source.name_of("correct"), source.findings)
