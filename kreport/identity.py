"""What makes two rows the same case: canonical JSON, folded device names, stamps of runs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from kreport.stamps import FORMAT, find

_LONGEST_MOMENT = 40
_DEEPEST = 20
_INDEX = re.compile(r"\s*(?::|#|\bindex\s*|\bid\s*)\s*\d+$")
_NULLS = frozenset({"", "null", "none", "n/a", "nan", "{}", "[]"})
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_FRACTION = re.compile(r"\d[.eE]")
_PLAIN_NUMBER = re.compile(r"^-?\d+\.0+$")
_LARGEST_EXACT = 2**53


class _Refused(ValueError):
    """JSON with a repeated key or a constant no standard knows."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("a key is given twice")
    return found


def _constant(name: str) -> Any:
    raise _Refused(f"{name} is no JSON number")


_decode = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant).decode
_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def whole_characters(value: Any, text: str) -> Any:
    """Return a value parsed from `text` with the half characters in it replaced.

    JSON can escape half of a surrogate pair, which no file can hold.
    """
    return _without_halves(value) if _HALF.search(text) else value


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_halves(inner) for inner in value]
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(inner) for key, inner in value.items()}
    return value


def tidy(value: Any) -> Any:
    """The value with integral floats as integers, all the way down: 8.0 and 8 are one shape."""
    if isinstance(value, dict):
        return {str(key): tidy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [tidy(inner) for inner in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST_EXACT:
        return int(value)
    return value


def canonical(value: Any) -> str:
    """Compact JSON with sorted keys; scalars as bare text; "" for nothing at all."""
    value = tidy(value)
    if value is None or value in ({}, []):
        return ""
    if isinstance(value, str):
        return canonical_shape(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    try:
        return _encode(value)
    except ValueError:  # 1e999 is a number to JSON, and an infinity to Python
        return str(value)


@lru_cache(maxsize=1 << 15)
def canonical_shape(text: str) -> str:
    """A shape cell as identity: JSON objects and lists canonical, other text with blanks folded.

    Text that only looks like JSON stays as it is written: it still tells cases apart.
    """
    text = " ".join(text.split())
    if text.casefold() in _NULLS:
        return ""
    if text[0] in "{[":
        try:
            value = whole_characters(_decode(text), text)
            # most shapes are whole numbers throughout: nothing to tidy, and nothing else is costly
            return canonical(value) if _FRACTION.search(text) or not value else _encode(value)
        except (ValueError, RecursionError):
            return text
    if text[0] == '"' and text[-1] == '"' and len(text) > 1:
        return " ".join(text[1:-1].split())
    return text.split(".")[0] if _PLAIN_NUMBER.match(text) else text


def canonical_parameters(parameters: Mapping[str, Any]) -> str:
    """Parameters as canonical JSON, absent values left out; "" where none is left."""
    kept = {}
    for name, value in parameters.items():
        told = _parameter(value)
        if told not in ("", None, {}, []):
            kept[name] = told
    return canonical(kept)


def _parameter(value: Any) -> Any:
    if not isinstance(value, str):
        return tidy(value)
    text = canonical_shape(value)
    if text[:1] in ("{", "["):
        try:
            inner = whole_characters(_decode(text), text)
            _encode(inner)
        except (ValueError, RecursionError):
            return text
        return inner
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})", text):
        return int(text)
    return text


def fold_device(text: str) -> str:
    """The kind of device without the index: ``npu:4`` and ``npu:0`` are the same silicon."""
    text = " ".join(text.split())
    if text.casefold() in _NULLS or text in ("-", "--"):
        return ""
    return _INDEX.sub("", text) or text


def stamp_in(text: str) -> str:
    """Find the moment in a text as ``20260321T024111Z``; "" where there is none.

    ISO 8601 with an offset (``2026-03-21T10:41:11+08:00``) is turned into UTC. One without an
    offset names no moment: nobody knows whose clock it was.
    """
    found = find(text)
    if found or len(text) > _LONGEST_MOMENT:
        return found
    try:
        moment = datetime.fromisoformat(text.strip())
        return "" if moment.tzinfo is None else moment.astimezone(UTC).strftime(FORMAT)
    except (ValueError, OverflowError):
        return ""


def shown_path(path: str) -> str:
    """A path as messages and reports can hold it: bytes that are no text are replaced."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def run_of_file(name: str) -> str:
    """The run a file without a run column is: the stamp in its name, else the name itself."""
    base = PurePath(shown_path(name)).name
    stamp = stamp_in(base)
    if stamp:
        return stamp
    for suffix in (".gz", ".csv", ".json", ".tsv"):
        base = base.removesuffix(suffix)
    return base


def runs_of_files(paths: Sequence[str]) -> dict[str, str]:
    """The run of each file that names none inside.

    Files of the same name in different folders are different runs and take their folder's name
    with them, unless the name holds a stamp: the same moment is the same run.
    """
    runs = {path: run_of_file(path) for path in paths}
    for depth in range(1, _DEEPEST):
        times = Counter(runs.values())
        shared = [path for path, run in runs.items() if times[run] > 1 and not find(run)]
        if not shared:
            break
        for path in shared:
            folders = PurePath(shown_path(path)).parent.parts[-depth:]
            runs[path] = "/".join((*folders, run_of_file(path)))
    return runs
