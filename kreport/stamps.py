"""Stamps such as ``20260321T024111Z``: the only clock that a report knows is its data's.

What has to ask the machine for the time asks `now`, and ``SOURCE_DATE_EPOCH`` can answer for it.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kreport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "%Y%m%dT%H%M%SZ"
CLOCK_VARIABLE = "SOURCE_DATE_EPOCH"
_STAMP = re.compile(r"(?<!\d)(\d{8}T\d{6}Z)(?![0-9A-Za-z])")


def parse(stamp: str) -> datetime | None:
    """Read a stamp; None where the text is none or names no real moment."""
    try:
        return datetime.strptime(stamp, FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None


def now(environ: Mapping[str, str] | None = None) -> datetime:
    """The moment in UTC, or the one that ``SOURCE_DATE_EPOCH`` names in whole Unix seconds.

    `environ` stands in for the environment of the process. A variable that is empty is not set.

    Raises:
        UsageError: the variable is not a whole number of seconds, or no date has so many.
    """
    fixed = (os.environ if environ is None else environ).get(CLOCK_VARIABLE, "")
    if not fixed:
        return datetime.now(UTC)
    try:
        if not (fixed.isascii() and fixed.isdigit()):
            raise ValueError
        return datetime.fromtimestamp(int(fixed), UTC)
    except (ValueError, OverflowError, OSError):
        rule = "must be whole seconds since 1970 of a date before the year 10000"
        raise UsageError(f"environment {CLOCK_VARIABLE}: {rule}, found {fixed!r}") from None


def now_stamp() -> str:
    """The stamp of `now`; raises what that raises."""
    return now().strftime(FORMAT)


def find(text: str) -> str:
    """Return the last valid stamp inside a text, such as a file name; "" where there is none."""
    valid = [stamp for stamp in _STAMP.findall(text) if parse(stamp)]
    return valid[-1] if valid else ""


def readable(stamp: str) -> str:
    """Write a stamp for people: ``2026-03-21 02:41:11 UTC``; anything else stays as it is."""
    moment = parse(stamp)
    return stamp if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def hours_between(earlier: str, later: str) -> float | None:
    """Hours from one stamp to the other; None where either is no stamp."""
    start, end = parse(earlier), parse(later)
    return None if start is None or end is None else (end - start).total_seconds() / 3600
