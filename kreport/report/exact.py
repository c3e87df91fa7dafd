"""Numbers for other programs: every digit, and nothing where there is none."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def csv_number(value: float) -> str:
    """Every digit, so that reading gives the same number; "" where there is none."""
    return repr(float(value)) if math.isfinite(value) else ""


def json_number(value: float) -> float | None:
    """The number as strict JSON can have it: null where there is none."""
    return value if math.isfinite(value) else None


def json_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record whose floats are fit for strict JSON."""
    return {
        name: json_number(value) if isinstance(value, float) else value
        for name, value in record.items()
    }
