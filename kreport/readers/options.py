"""How inputs are read: encoding, strictness, bounds, and the user's own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kreport.model import Side
from kreport.readers.headers import fold_name
from kreport.settings import Settings
from kreport.statuses import Outcome, parse_status_words

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_WORDS: Mapping[str, Outcome] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds within which an input is read; beyond them it is refused with the bound named."""

    max_bytes: int = 1 << 30
    """Of one file, after decompression."""
    max_text_bytes: int = 64 << 20
    """Of a file that is read with care, in memory: anything but a plainly clean samples file."""
    max_rows: int = 5_000_000
    """Of a samples file, which is read piece by piece."""
    max_table_rows: int = 400_000
    """Of any other file, which is held in memory."""
    max_columns: int = 1_000
    max_cell: int = 1_000_000
    """Characters of one cell: a compiler log fits, a core dump does not."""
    max_files: int = 20_000
    """That a folder or a glob may stand for."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Choices of the user about reading. The defaults never guess."""

    strict: bool = False
    """A row set aside makes the whole input an error."""
    lenient: bool = False
    """A file whose rows cannot all be trusted gives the rows that can; no value is ever made up."""
    encoding: str = "utf-8"
    """Tried after a byte order mark; bytes that do not fit are an error."""
    side: Side = Side.PTO
    """The side of a file that measures one implementation and does not say which."""
    status_words: Mapping[str, Outcome] = field(default_factory=lambda: _NO_WORDS)
    """Folded status words of the user, before the built-in table (`kreport.statuses`)."""
    side_words: Mapping[str, Side] = field(default_factory=lambda: MappingProxyType({}))
    """Words of a side column, folded by `fold_name`, before the built-in ones (`side_of`)."""
    kernel_aliases: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Old name of a kernel -> its name now, applied while reading."""
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, settings: Settings) -> ReadOptions:
        """Return the options that the settings of a command ask for."""
        return cls(
            strict=settings.strict,
            lenient=settings.lenient,
            encoding=settings.encoding,
            side=Side(settings.side),
            status_words=parse_status_words(settings.statuses),
            side_words={fold_name(word): Side(side) for word, side in settings.sides.items()},
            kernel_aliases=settings.aliases,
            limits=Limits(
                max_bytes=settings.max_file_bytes,
                max_text_bytes=min(settings.max_file_bytes, cls().limits.max_text_bytes),
                max_rows=settings.max_rows,
                max_table_rows=min(settings.max_rows, cls().limits.max_table_rows),
                max_columns=settings.max_columns,
                max_cell=settings.max_cell_chars,
            ),
        )
