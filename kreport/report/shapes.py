"""Shapes and parameters as people write them: ``x 128×128, weight 128×256``."""

from __future__ import annotations

import json
from functools import lru_cache

from kreport.report.text import cut, one_line


@lru_cache(maxsize=4096)  # kernels share their shapes, and several outputs show them
def readable_shape(shape: str, parameters: str = "", limit: int | None = None) -> str:
    """Write canonical shape JSON, and the parameters that join it, on one line."""
    parts = [_readable(text) for text in (shape, parameters) if text]
    line = one_line("; ".join(part for part in parts if part))
    return line if limit is None else cut(line, limit)


def _readable(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, dict):
        return ", ".join(f"{name} {_dimensions(part)}" for name, part in value.items())
    return _dimensions(value)


def _dimensions(value: object) -> str:
    if isinstance(value, list) and all(isinstance(part, int | float | str) for part in value):
        return "×".join(str(part) for part in value) or "scalar"
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
