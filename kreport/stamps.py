"""Stamps such as ``20260321T024111Z``: the only clock that a report knows is its data's."""

from __future__ import annotations

import re
from datetime import UTC, datetime

FORMAT = "%Y%m%dT%H%M%SZ"
_STAMP = re.compile(r"(?<!\d)(\d{8}T\d{6}Z)(?![0-9A-Za-z])")


def parse(stamp: str) -> datetime | None:
    """Read a stamp; None where the text is none or names no real moment."""
    try:
        return datetime.strptime(stamp, FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None


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
