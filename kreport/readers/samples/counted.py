"""A byte stream that counts what passes: the proof that a fast parser saw every cell."""

from __future__ import annotations

import hashlib
import io

import numpy as np

from kreport.errors import InputError
from kreport.readers.options import Limits
from kreport.readers.refusals import refusal, too_large

_MARKS = b',\n\r"\0'


class HashedStream(io.RawIOBase):
    """Passes bytes on and keeps their digest, so that what is parsed is what is hashed."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read into a buffer, and hash what was read."""
        size = self._stream.readinto(buffer)
        self._digest.update(buffer[:size])
        return size

    def sha256(self) -> str:
        """Return the digest of all bytes, reading on to the end first."""
        while self.read(1 << 20):
            pass
        return self._digest.hexdigest()


class CountedStream(io.RawIOBase):
    """Passes text bytes on, counts delimiters, quotes and line ends, and stops at the bounds.

    Raises InputError where more than `Limits.max_bytes` pass, or where one line or cell is longer
    than any that kreport reads.
    """

    def __init__(self, stream: io.BufferedIOBase, name: str, limits: Limits) -> None:
        self._stream = stream
        self._name = name
        self._limits = limits
        self._line_bytes = 0
        self.counts = dict.fromkeys(_MARKS, 0)
        self.size = 0
        self.last = b""

    def count(self, mark: str) -> int:
        """How often one of comma, newline, return, quote and NUL has passed."""
        return self.counts[ord(mark)]

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read into a buffer."""
        chunk = self.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes and count what is in them."""
        chunk = self._stream.read(size)
        self.size += len(chunk)
        if self.size > self._limits.max_bytes:
            raise too_large(self._name, self._limits.max_bytes)
        cells = np.frombuffer(chunk, np.uint8)
        for mark in _MARKS:
            # NumPy counts several times as fast as bytes.count; what is absent is told faster yet.
            self.counts[mark] += int(np.count_nonzero(cells == mark)) if mark in chunk else 0
        self._watch_line(chunk)
        self.last = chunk[-1:] or self.last
        return chunk

    def _watch_line(self, chunk: bytes) -> None:
        end = chunk.rfind(b"\n")
        self._line_bytes = len(chunk) - end - 1 if end >= 0 else self._line_bytes + len(chunk)
        if self._line_bytes > 8 * self._limits.max_cell:
            raise _too_long(self._name, self.counts[ord("\n")] + 1, self._limits)


def _too_long(name: str, line: int, limits: Limits) -> InputError:
    return refusal(
        name,
        "cell-too-large",
        f"a line of more than {8 * limits.max_cell:,} bytes",
        line=line,
    )
