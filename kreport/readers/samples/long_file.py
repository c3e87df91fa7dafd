"""A file too long for memory: hashed as it passes, and found out where it does not hold still."""

from __future__ import annotations

import gzip
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from kreport.readers.content import GZIP_MAGIC
from kreport.readers.refusals import changed, unreadable
from kreport.readers.samples.counted import HashedStream

LONG_FILE = 4 << 20
"""Bytes, as stored, from which a file is worth the machinery."""


class LongFile:
    """An open file: `stream` gives its bytes, decompressed."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._hashed = HashedStream(file)
        stream: io.BufferedIOBase = io.BufferedReader(self._hashed, 1 << 20)
        if file.peek(2)[:2] == GZIP_MAGIC:
            stream = gzip.GzipFile(fileobj=cast(IO[bytes], stream))
        self.stream = stream

    def sha256(self) -> str:
        """Return the digest of the bytes as stored, reading on to the end."""
        return self._hashed.sha256()


def is_long(path: str) -> bool:
    """Whether a path is a file of some size; a pipe, which cannot be opened twice, is not."""
    try:
        found = Path(path).stat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size >= LONG_FILE


@contextmanager
def opened(path: str) -> Iterator[LongFile]:
    """Open a long file; InputError where that fails, or where it changes in the meantime."""
    try:
        with Path(path).open("rb") as file:
            before = os.fstat(file.fileno())
            yield LongFile(file)
            after = os.fstat(file.fileno())
    except OSError as error:
        raise unreadable(path, error) from error
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise changed(path)
