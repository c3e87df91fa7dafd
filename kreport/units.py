"""Units of time: what each spelling is worth in milliseconds, and how column names carry one."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MS_PER_UNIT = {
    "s": 1e3,
    "sec": 1e3,
    "secs": 1e3,
    "second": 1e3,
    "seconds": 1e3,
    "ms": 1.0,
    "msec": 1.0,
    "millisecond": 1.0,
    "milliseconds": 1.0,
    "us": 1e-3,
    "\N{GREEK SMALL LETTER MU}s": 1e-3,  # what case folding makes of the micro sign too
    "usec": 1e-3,
    "microsecond": 1e-3,
    "microseconds": 1e-3,
    "ns": 1e-6,
    "nsec": 1e-6,
    "nanosecond": 1e-6,
    "nanoseconds": 1e-6,
}

_DIVISORS = {1e3: 1e-3, 1.0: 1.0, 1e-3: 1e3, 1e-6: 1e6}
"""What to divide by: 5 us / 1000 is exactly 0.005 ms, 5 us * 0.001 is not."""

_SUFFIX = re.compile(r"^(?P<stem>.*?)[_ .]?[(\[]\s*(?P<unit>[^()\[\]]+?)\s*[)\]]$|^(?P<bare>.*)$")

_LONGEST_NAME = 100

KNOWN_UNITS = "s, ms, us, ns"
"""The units as messages name them."""


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """A column name taken apart: ``baseline_q1_us`` is stem ``baseline_q1`` in unit ``us``.

    `unit` is "" where the name carries none. A name that is nothing but a unit (``us``) has an
    empty stem.
    """

    stem: str
    unit: str


def ms_divisor(unit: str) -> float | None:
    """What a value in `unit` is divided by to be milliseconds; None where the unit is unknown.

    Case does not matter, nor which of the two micro signs it is: ``Us``, ``MS`` and ``mS`` are
    what they look like, for minutes and megaseconds are no units here and no other unit of time
    differs in case alone.
    """
    factor = _MS_PER_UNIT.get(unit.strip().casefold())
    return None if factor is None else _DIVISORS[factor]


def split_unit(name: str) -> NamedUnit:
    """Take the unit of time off a folded column name: ``x_us``, ``x (us)``, ``x[us]``, ``us``."""
    if len(name) > _LONGEST_NAME:
        return NamedUnit(name, "")
    match = _SUFFIX.match(name)
    if match and match["unit"] is not None:
        if ms_divisor(match["unit"]) is not None:
            return NamedUnit(match["stem"].rstrip("_ "), match["unit"])
        return NamedUnit(name, "")
    stem, _, last = name.rpartition("_")
    if len(last) > 1 and ms_divisor(last) is not None:
        return NamedUnit(stem, last)
    if last == "s" and stem.endswith(_SECOND_STEMS):
        return NamedUnit(stem, last)
    return NamedUnit(name, "")


_SECOND_STEMS = (
    *("time", "latency", "median", "mean", "q1", "q3", "min", "max", "samples", "baseline", "pto"),
)
"""Stems after which ``_s`` means seconds; ``tile_s`` is a size."""
