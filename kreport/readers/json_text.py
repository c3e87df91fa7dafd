"""JSON as it should be: repeated keys and non-standard constants are found, not swallowed."""

from __future__ import annotations

import json
import re
from typing import Any

from kreport.identity import whole_characters
from kreport.readers.findings import Findings

_NAMES = ("name", "kernel", "kernel_name", "variant_label")


class _Constant:
    """Stands for NaN or an infinity until its object is known."""

    def __init__(self, name: str) -> None:
        self.name = name


def parse_json(text: str, findings: Findings) -> Any:
    """The value; None with a FILE finding where the text is no JSON.

    ``NaN`` and ``Infinity`` are read as null with a note that names the kernel. A repeated key
    keeps its last value, as everywhere, with a note that gives both.
    """

    def pairs(given: list[tuple[str, Any]]) -> dict[str, Any]:
        return _object(given, findings)

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=_Constant)
    except json.JSONDecodeError as error:
        findings.refuse("json", f"not JSON: {error.msg}".lower(), line=error.lineno)
        return None
    except (RecursionError, ValueError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error).lower()
        findings.refuse("json", f"not JSON that can be read: {what}")
        return None
    if isinstance(value, _Constant):
        value = None
    return whole_characters(value, text)


def _object(given: list[tuple[str, Any]], findings: Findings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    owner = next((str(v) for k, v in given if k in _NAMES and isinstance(v, str)), None)
    for key, value in given:
        if isinstance(value, _Constant):
            findings.note(
                "json-constant",
                f"{value.name} is no JSON number: read as no value",
                column=key,
                value=owner,
            )
            value = None  # noqa: PLW2901 - the stand-in must not leave this function
        if isinstance(value, list):
            value = [None if isinstance(v, _Constant) else v for v in value]  # noqa: PLW2901
        if key in found:
            findings.note(
                "repeated-key",
                f"a key given twice, first {found[key]!r}, then {value!r}: the last counts",
                column=key,
                value=owner,
            )
        found[key] = value
    return found


def element_lines(text: str, key: str, count: int) -> list[int | None]:
    """The 1-based lines on which the elements of the list under `key` begin; None if not found."""
    start = re.search(rf'"{re.escape(key)}"\s*:\s*\[', text)
    decoder = json.JSONDecoder()
    lines: list[int | None] = []
    position = start.end() if start else len(text)
    line, counted = 1, 0
    try:
        while len(lines) < count:
            while text[position] in " \t\r\n,":
                position += 1
            line += text.count("\n", counted, position)
            counted = position
            lines.append(line)
            _, position = decoder.raw_decode(text, position)
    except (ValueError, IndexError, RecursionError):
        return [None] * count
    return lines
