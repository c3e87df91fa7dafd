"""How numbers are written, in one place, so that every output shows the same digits."""

from __future__ import annotations

import math
from decimal import Decimal

NOT_AVAILABLE = "n/a"


def significant(value: float, digits: int = 4) -> str:
    """Write with this many significant digits, never in exponent form."""
    if not math.isfinite(value):
        return NOT_AVAILABLE
    if value != 0 and abs(value) >= 10 ** (digits - 1):
        return f"{value:.0f}"
    text = f"{value:#.{digits}g}"
    return f"{Decimal(text):f}" if "e" in text else text


def latency(value_ms: float) -> str:
    """Write a latency in milliseconds, without its unit: ``0.1059``."""
    return significant(value_ms)


def latency_with_iqr(median_ms: float, q1_ms: float, q3_ms: float) -> str:
    """``0.1059 [0.1012, 0.1101]``: the median and, where known, the quartiles; milliseconds."""
    if not math.isfinite(median_ms):
        return NOT_AVAILABLE
    if not (math.isfinite(q1_ms) and math.isfinite(q3_ms)):
        return latency(median_ms)
    return f"{latency(median_ms)} [{latency(q1_ms)}, {latency(q3_ms)}]"


def percent(value_pct: float, *, signed: bool = False) -> str:
    """Write a percentage with one decimal, or more where one would round it away to nothing."""
    if not math.isfinite(value_pct):
        return NOT_AVAILABLE
    sign = "+" if signed else ""
    if value_pct != 0 and abs(value_pct) < 0.95:
        return f"{Decimal(f'{value_pct:{sign}.2g}'):{sign}f}%"
    text = f"{value_pct:{sign}.1f}%"
    return text.replace("-0.0%", "0.0%").replace("+0.0%", "0.0%")


def percent_range(low_pct: float, high_pct: float) -> str:
    """Write a range of ratios: ``71.0%..87.4%``, or one number where both ends read the same."""
    low, high = percent(low_pct), percent(high_pct)
    return low if low == high else f"{low}..{high}"


def count(value: float) -> str:
    """Write a whole number of things."""
    return NOT_AVAILABLE if math.isnan(value) else f"{value:.0f}"
