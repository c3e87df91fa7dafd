"""A long samples file, block by block through the pandas C parser, where it is plainly clean.

The C parser is fast and forgiving: it fills short rows and mends quotes. Afterwards the bytes
that passed are held against the cells that came out, mark by mark. Whatever does not add up, or
would need a message with a line, is left to the careful reader.
"""

from __future__ import annotations

import csv
import gzip
import io
import warnings
import zlib
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from kreport.readers.coded import Coded, coded, constant, joined
from kreport.readers.headers import Header, recognise
from kreport.readers.layouts.known import is_samples, latency_of
from kreport.readers.layouts.side_words import side_of
from kreport.readers.options import ReadOptions
from kreport.readers.refusals import refusal
from kreport.readers.samples.blocks import blocks_of_rows, in_order
from kreport.readers.samples.counted import CountedStream
from kreport.readers.samples.long_file import LongFile
from kreport.readers.samples.rows import TEXT_ROLES, SampleRows, story_columns
from kreport.units import ms_divisor

_LONGEST_FIRST_ROW = 1 << 16
"""Bytes of a header, or of the first row of a block."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """The columns of some rows."""

    texts: dict[str, Coded]
    latency: np.ndarray
    index: np.ndarray


def read_plain(long: LongFile, path: str, options: ReadOptions) -> SampleRows | None:
    """Read a file of samples; None where it is another layout or not plainly clean.

    Raises InputError where it is beyond the bounds.
    """
    try:
        return _read_text(long.stream, path, options)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return None  # the careful reader says what is damaged


def _read_text(source: io.BufferedIOBase, path: str, options: ReadOptions) -> SampleRows | None:
    first = source.readline(_LONGEST_FIRST_ROW)
    header = _header(first, options)
    if header is None:
        return None
    counted = CountedStream(source, path, options.limits)
    pieces: list[_Piece] = []
    rows = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            for piece in in_order(partial(_parsed, header), blocks_of_rows(counted)):
                if piece is None:
                    return None
                pieces.append(piece)
                rows += len(piece.latency)
                if rows > options.limits.max_rows:
                    message = f"more than {options.limits.max_rows:,} rows"
                    raise refusal(path, "too-many-rows", message)
    except (ValueError, pd.errors.ParserError, pd.errors.ParserWarning):
        return None
    return _rows(pieces, header, counted, options)


def _header(first: bytes, options: ReadOptions) -> Header | None:
    """The header of a samples file without quotes, marks or repeated names; else None."""
    try:
        text = first.decode("ascii")
    except UnicodeDecodeError:
        return None
    names = [name.strip() for name in text.rstrip("\n").split(",")]
    if not text.endswith("\n") or set(text) & set('"\r;\t') or len(set(names)) < len(names):
        return None
    header = recognise(names)
    if header.rivals or len(names) > options.limits.max_columns:
        return None
    latency = latency_of(header)
    plain = is_samples(header) and header.has("side") and latency is not None
    if not plain or options.encoding != "utf-8":
        return None
    return header if latency is not None and ms_divisor(latency.unit) is not None else None


def _latency_name(header: Header) -> str:
    latency = latency_of(header)
    assert latency is not None  # `_header` looked
    return header.names[latency.index]


def _parsed(header: Header, block: bytes) -> _Piece | None:
    """The columns of a block of whole rows; None where a cell needs a message."""
    head = block[:_LONGEST_FIRST_ROW].decode("utf-8", "replace")
    if len(next(csv.reader(io.StringIO(head)), [])) != len(header.names):
        return None  # the one long row that the parser lets pass: a short one could balance it
    numeric = {header.names[header.roles["sample_index"]], _latency_name(header)}
    frame = pd.read_csv(
        io.BytesIO(block),
        header=None,
        names=list(header.names),
        index_col=False,
        dtype={name: "float64" if name in numeric else "category" for name in header.names},
        na_values={name: [""] for name in numeric},
        keep_default_na=False,
        encoding="utf-8",
        low_memory=False,
    )
    latency = frame[_latency_name(header)].to_numpy(np.float64)
    index = frame[header.names[header.roles["sample_index"]]].to_numpy(np.float64)
    if (latency <= 0).any() or np.isinf(latency).any() or np.isinf(index).any():
        return None
    texts = {
        name: Coded(frame[name].cat.codes.to_numpy(), tuple(frame[name].cat.categories))
        for name in header.names
        if name not in numeric
    }
    # Categories that look like numbers or truth values come as such, and not as they are spelt.
    odd = [name for name, column in texts.items() if not all(map(_is_text, column.spellings))]
    if odd:
        texts |= _as_spelt(header, block, odd)
    if any(len(column.codes) and column.codes.min() < 0 for column in texts.values()):
        return None
    return _Piece(texts, latency, index)


def _is_text(spelling: object) -> bool:
    return isinstance(spelling, str)


def _as_spelt(header: Header, block: bytes, names: list[str]) -> dict[str, Coded]:
    """Some columns of a block once more, as text; more costly than as categories."""
    frame = pd.read_csv(
        io.BytesIO(block),
        header=None,
        names=list(header.names),
        index_col=False,
        usecols=names,
        dtype="str",
        keep_default_na=False,
        encoding="utf-8",
        low_memory=False,
    )
    return {name: coded(frame[name].tolist()) for name in names}


def _rows(
    pieces: list[_Piece], header: Header, counted: CountedStream, options: ReadOptions
) -> SampleRows | None:
    if not pieces:
        return None
    parts = {name: [piece.texts[name] for piece in pieces] for name in pieces[0].texts}
    latencies, indexes = [piece.latency for piece in pieces], [piece.index for piece in pieces]
    pieces.clear()  # so that no column is in memory twice for longer than it takes to join it
    latency, index = _taken(latencies), _taken(indexes)
    texts = {name: joined(parts.pop(name)) for name in list(parts)}
    if not _adds_up(texts, len(header.names), len(latency), counted):
        return None
    by_role = {
        role: texts[header.names[i]] for role, i in header.roles.items() if header.names[i] in texts
    }
    side = by_role["side"].fold(lambda word: str(side_of(word, options) or ""))
    if "" in side.spellings or any(not name.strip() for name in by_role["kernel"].spellings):
        return None
    measure = latency_of(header)
    divisor = ms_divisor(measure.unit) if measure else None
    nothing = constant("", len(latency))
    return SampleRows(
        {role: by_role.get(role, nothing) for role in (*TEXT_ROLES, "reason")},
        {header.names[i]: texts[header.names[i]] for i in header.extra},
        side,
        by_role.get("status"),
        by_role.get("correct"),
        latency / (divisor or np.nan),
        index,
        _lines(texts, len(latency)),
        story_columns(header),
    )


def _taken(parts: list[np.ndarray]) -> np.ndarray:
    """The parts put together, and let go."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole


def _adds_up(texts: dict[str, Coded], width: int, rows: int, counted: CountedStream) -> bool:
    """Whether every comma, line end and quote that passed is one that the cells account for.

    Long rows stop the parser, so that the commas add up only where no row is short. Cells that
    hold a comma, a quote or a line end are quoted, each inner quote twice, no other cell is. It
    does not see where a quote stands: text after the closing one of such a cell passes.
    """
    inner = dict.fromkeys(',\n"', 0)
    quoted = 0
    for column in texts.values():
        for text, times in zip(column.spellings, column.uses(), strict=True):
            held = {mark: text.count(mark) for mark in inner}
            quoted += times if any(held.values()) else 0
            for mark, count in held.items():
                inner[mark] += count * times
    return (
        counted.count(",") == inner[","] + rows * (width - 1)
        and counted.count("\n") == inner["\n"] + rows
        and counted.count('"') == 2 * inner['"'] + 2 * quoted
        and counted.count("\r") == counted.count("\0") == 0
        and counted.last == b"\n"
    )


def _lines(texts: dict[str, Coded], rows: int) -> np.ndarray:
    """The 1-based line on which each row begins: multi-line cells push later rows down."""
    lines = np.arange(2, rows + 2, dtype=np.int64)
    for column in texts.values():
        ends = np.array([text.count("\n") for text in column.spellings], dtype=np.int64)
        if ends.any():
            pushed = np.cumsum(ends[column.codes])
            lines[1:] += pushed[:-1]
    return lines
