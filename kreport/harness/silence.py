"""Noticing text that a side writes while it is timed: what was timed then is writing."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_LIBC = ctypes.CDLL(None)
_SHOWN_BYTES = 40


class Printed(Exception):
    """A side wrote text while it was timed."""


def silently(take: Callable[[], T]) -> T:
    """Do something that must not print; raises `Printed` where it did.

    Seen through Python and C alike, but only where stdout and stderr go to one file, as they do in
    a measuring process.
    """
    before = _bytes_printed()
    answer = take()
    printed = _bytes_printed() - before
    if printed:
        head = os.pread(1, _SHOWN_BYTES, before)
        raise Printed(f"{printed} bytes to stdout or stderr while it was timed, beginning {head!r}")
    return answer


def _bytes_printed() -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    _LIBC.fflush(None)
    return os.fstat(1).st_size
