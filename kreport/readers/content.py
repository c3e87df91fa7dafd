"""From a path to text: bounded decompression, hash, encoding, and a file that must hold still."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import stat
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from kreport.identity import shown_path
from kreport.readers.faults import refuse_bytes, refuse_nul
from kreport.readers.findings import Findings
from kreport.readers.options import Limits, ReadOptions
from kreport.readers.refusals import changed, damaged_gzip, refusal, too_large, unreadable

STDIN = "-"
STDIN_NAME = "<stdin>"
GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 1 << 20
_WHOLE = frozenset({"utf-8", "utf-16", "latin-1"})
"""Encodings whose decoders never give half characters."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKERS = re.compile(rb"^(<{7}|>{7}|\|{7})(?=[ \r\n]|\Z)", re.MULTILINE)
_FOREIGN = {
    b"PK\x03\x04": "a zip archive (an .xlsx spreadsheet is one)",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"%PDF": "a PDF",
    b"PAR1": "a Parquet file",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"(\xb5/\xfd": "zstd",
}


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of one input, decompressed. `sha256` is of the bytes as stored."""

    name: str
    data: bytes
    sha256: str


def load(path: str, limits: Limits) -> Content:
    """Read a path (or ``-``) whole, decompressing gzip whatever the name says.

    Raises InputError where the file is absent, unreadable, a folder, too large, damaged, or
    changes while it is being read.
    """
    if path == STDIN:
        return _load_stdin(limits)
    try:
        with Path(path).open("rb") as stream:
            before = os.fstat(stream.fileno())
            raw = _bounded(stream, path, limits)
            after = os.fstat(stream.fileno())
    except OSError as error:
        raise unreadable(path, error) from error
    if _moved(before, after, len(raw)):
        raise changed(path)
    return _unpacked(shown_path(path), raw, limits)


def _load_stdin(limits: Limits) -> Content:
    if sys.stdin is None or sys.stdin.closed:
        raise refusal(STDIN_NAME, "no-stdin", "standard input is closed")
    try:
        raw = _bounded(sys.stdin.buffer, STDIN_NAME, limits)
    except OSError as error:
        raise unreadable(STDIN_NAME, error) from error
    return _unpacked(STDIN_NAME, raw, limits)


def _bounded(stream: BinaryIO, name: str, limits: Limits) -> bytes:
    most = limits.max_text_bytes
    raw = stream.read(most + 1)
    if len(raw) > most:
        raise too_large(name, most)
    return raw


def _moved(before: os.stat_result, after: os.stat_result, read: int) -> bool:
    """Whether a regular file is not what it was, or not what was read; a pipe always is."""
    if not stat.S_ISREG(after.st_mode):
        return False
    changed_since = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
    return changed_since or (read != after.st_size and after.st_size > 0)


def _unpacked(name: str, raw: bytes, limits: Limits) -> Content:
    digest = hashlib.sha256(raw).hexdigest()
    if not raw.startswith(GZIP_MAGIC):
        return Content(name, raw, digest)
    parts: list[bytes] = []
    size, most = 0, limits.max_text_bytes
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                if size > most:
                    raise too_large(name, most)
                parts.append(chunk)
    except (OSError, EOFError, zlib.error) as error:
        raise damaged_gzip(name, error) from error
    return Content(name, b"".join(parts), digest)


def decode(content: Content, options: ReadOptions, findings: Findings) -> str:
    """The text of an input, or "" with a FILE finding where it is none.

    A byte order mark is honoured and removed; then the bytes must be valid in
    `ReadOptions.encoding`. Nothing is replaced and no other encoding is tried.
    """
    data = content.data
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            findings.refuse("not-text", f"this is {what}, not text")
            return ""
    encoding = options.encoding
    if data.startswith(b"\xef\xbb\xbf"):
        data, encoding = data[3:], "utf-8"
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        _report_bytes(data, error, encoding, findings)
        return ""
    except (LookupError, ValueError):
        findings.refuse("unknown-encoding", f"no such encoding of text: {encoding}")
        return ""
    if encoding not in _WHOLE and _SURROGATE.search(text):
        findings.refuse("encoding", f"half characters that no text can hold: not {encoding}")
        return ""
    if "\0" in text:
        offset = text.index("\0")
        line = text.count("\n", 0, offset) + 1
        refuse_nul(line, f"NUL at character {offset}", findings)
        return ""
    return text


def _report_bytes(
    data: bytes, error: UnicodeDecodeError, encoding: str, findings: Findings
) -> None:
    line = data.count(b"\n", 0, error.start) + 1
    where = f"at offset {error.start}"
    refuse_bytes(data[error.start : error.start + 1], where, encoding, findings, line)


def merge_marker_lines(data: bytes) -> list[int]:
    """1-based lines that begin with a version control conflict marker."""
    if not any(marker * 7 in data for marker in (b"<", b">", b"|")):
        return []  # the usual case, ten times faster than the pattern
    return [data.count(b"\n", 0, found.start()) + 1 for found in _MARKERS.finditer(data)]
