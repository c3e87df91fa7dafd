"""Settings: flag > ``KREPORT_*`` > file > default, each with the place it came from.

The file is the nearest ``kreport.toml``, or ``[tool.kreport]`` of the nearest ``pyproject.toml``,
from the current folder upwards. Paths in it are relative to its own folder. Unknown keys and
wrong values are errors, all listed at once.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kreport import stamps
from kreport.choices import (
    CLOSE_PCT,
    EFFECT_PCT,
    MIDDLE_PCT,
    MIN_EFFECT_PCT,
    PARITY_PCT,
    Gate,
    Method,
)
from kreport.errors import UsageError
from kreport.model import Side
from kreport.statuses import MEANINGS

LANGUAGES = ("en", "zh")
_PATHS = frozenset(
    {
        "inputs",
        "matrix",
        "out",
        "previous",
        "history",
        "archive",
        "templates",
        "report_root",
        "prom",
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user can set. Percentages are in percent, sizes in bytes."""

    inputs: tuple[str, ...] = ()
    """Regression or sample CSVs, folders or globs that ``build`` reads without arguments."""
    matrix: str = ""
    """Kernel-state matrix; "" for none."""
    out: str = "bench/reports"
    previous: str = ""
    """A CSV to report changes against, or ``auto``."""
    history: str = ""
    """A folder of earlier runs that noise is learnt from."""
    archive: str = ""
    """Folder of stamped reports; "" for ``archive`` inside `out`."""
    archive_keep: int = 0
    """Newest reports kept in the archive; 0 keeps all."""
    templates: str = ""
    """Folder whose templates replace the shipped ones of the same name."""
    report_root: str = ""
    """Folder that report links are made relative to; "" for the current folder."""
    prom: str = ""
    """Prometheus text file written after a build; "" for none."""
    max_chars: int = 65_000
    """Longest Markdown report, in characters; a longer one shows its worst rows."""
    lang: str = "en"
    encoding: str = "utf-8"
    strict: bool = False
    """Rows set aside are errors."""
    lenient: bool = False
    """Files that would be refused for a fault of some rows give their sound rows."""
    timer: str = ""
    """Clock that the report is about; "" for the best one present."""
    method: str = Method.AUTO.value
    effect_pct: float = EFFECT_PCT
    """The change a user cares about."""
    min_effect_pct: float = MIN_EFFECT_PCT
    """Changes below this are never called a change."""
    fail_on: tuple[str, ...] = ()
    parity_pct: float = PARITY_PCT
    close_pct: float = CLOSE_PCT
    middle_pct: float = MIDDLE_PCT
    max_file_bytes: int = 1 << 30
    """Largest file of samples, decompressed. Other layouts are held in memory whole and refused
    above 64 MiB or 400,000 rows whatever is set higher."""
    max_rows: int = 5_000_000
    max_columns: int = 1_000
    max_cell_chars: int = 1_000_000
    statuses: Mapping[str, str] = field(default_factory=dict)
    """Extra status words: word -> what it means (`kreport.statuses.MEANINGS`)."""
    side: str = "pto"
    """The side of a file that measures one implementation and names none."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """Extra words of a side column: word -> baseline or pto."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Renamed kernels: old name -> new name."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings in force, and per name where the value came from."""

    settings: Settings
    origins: Mapping[str, str]


_FIELDS = {item.name: item for item in fields(Settings)}
_DEFAULTS = Settings()


def load(
    flags: Mapping[str, object] | None = None,
    *,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Loaded:
    """Combine defaults, the settings file, the environment and `flags` (None values are unset).

    Raises:
        UsageError: unknown keys, wrong types or values out of range, all of them in one message.
    """
    environ = os.environ if environ is None else environ
    faults: list[str] = []
    values: dict[str, Any] = {}
    origins = dict.fromkeys(_FIELDS, "default")

    path, table = _settings_file(cwd or Path.cwd())
    for key, raw in _flatten(table).items():
        _take(key, raw, str(path), values, origins, faults)
    if path is not None:
        _anchor_paths(values, path.parent)
    for variable in sorted(environ):
        if variable.startswith("KREPORT_") and variable != "KREPORT_TRACEBACK":
            key = variable.removeprefix("KREPORT_").lower()
            raw = _from_text(key, environ[variable])
            _take(key, raw, f"environment {variable}", values, origins, faults)
    for key, raw in (flags or {}).items():
        if raw is not None:
            origin = "--" + key.removesuffix("_pct").replace("_", "-")
            _take(key, raw, origin, values, origins, faults)
    if not faults:
        faults += _contradictions(values)
    faults += _clock_fault(environ)
    if faults:
        raise UsageError("\n".join(faults))
    return Loaded(Settings(**values), origins)


def _clock_fault(environ: Mapping[str, str]) -> list[str]:
    """What is wrong with the clock that the environment sets, before anything is written by it."""
    try:
        stamps.now(environ)
    except UsageError as error:
        return [str(error)]
    return []


def _settings_file(start: Path) -> tuple[Path | None, Mapping[str, object]]:
    for folder in (start, *start.parents):
        own = folder / "kreport.toml"
        if own.is_file():
            return own, _parse(own)
        project = folder / "pyproject.toml"
        if project.is_file():
            table = _parse(project).get("tool", {})
            if isinstance(table, Mapping) and "kreport" in table:
                section = table["kreport"]
                return project, section if isinstance(section, Mapping) else {"kreport": section}
    return None, {}


def _parse(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot read the settings: {error}") from None


def _flatten(table: Mapping[str, object]) -> dict[str, object]:
    """Sections are groups of names: ``[tool.kreport.archive] keep`` is ``archive_keep``."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if isinstance(value, Mapping) and name not in {"statuses", "sides", "aliases"}:
            for inner, inner_value in value.items():
                flat[_section_name(name, inner.replace("-", "_"))] = inner_value
        else:
            flat[name] = value
    return flat


def _section_name(section: str, key: str) -> str:
    if section == "tiers":
        return key if key.endswith("_pct") else f"{key}_pct"
    if section == "limits":
        return key if key.startswith("max_") else f"max_{key}"
    return f"{section}_{key}"


def _from_text(key: str, text: str) -> object:
    """Turn an environment variable into the kind of value its setting has."""
    default = getattr(_DEFAULTS, key, None)
    if isinstance(default, bool):
        known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
        return known.get(text.strip().lower(), text)
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            return text
    if isinstance(default, tuple):
        separator = os.pathsep if key in _PATHS else ","
        return [part.strip() for part in text.split(separator) if part.strip()]
    return text


def _take(
    key: str,
    raw: object,
    origin: str,
    values: dict[str, Any],
    origins: dict[str, str],
    faults: list[str],
) -> None:
    if key not in _FIELDS:
        close = difflib.get_close_matches(key, _FIELDS, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        faults.append(f"{origin}: {key}: no such setting{hint}")
        return
    value, rule = _checked(key, raw)
    if rule:
        faults.append(f"{origin}: {key}: {rule}, found {raw!r}")
        return
    values[key] = value
    origins[key] = origin


def _checked(key: str, raw: object) -> tuple[object, str]:
    """Return the value in its own type and "", or None and the rule that is broken."""
    default = getattr(_DEFAULTS, key)
    if isinstance(default, bool):
        return (raw, "") if isinstance(raw, bool) else (None, "must be true or false")
    if isinstance(default, int | float):
        return _checked_number(key, default, raw)
    if isinstance(default, tuple):
        return _checked_list(key, raw)
    if isinstance(default, Mapping):
        return _checked_words(key, raw)
    if not isinstance(raw, str):
        return None, "must be text"
    choices = {"method": tuple(Method), "lang": LANGUAGES, "side": tuple(Side)}.get(key)
    if choices and raw not in choices:
        return None, f"must be one of {', '.join(choices)}"
    return raw, ""


def _checked_number(key: str, default: float, raw: object) -> tuple[object, str]:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None, "must be a number"
    if isinstance(default, int) and not isinstance(raw, int):
        return None, "must be a whole number"
    lowest = 0 if key in {"archive_keep", "min_effect_pct"} else 1e-9
    if not lowest <= raw < float("inf"):
        return None, "must be a number above zero"
    return type(default)(raw), ""


def _checked_list(key: str, raw: object) -> tuple[object, str]:
    items = [raw] if isinstance(raw, str) else raw
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        return None, "must be a list of texts"
    unknown = [item for item in items if key == "fail_on" and item not in tuple(Gate)]
    if unknown:
        return None, f"must be some of {', '.join(Gate)}"
    return tuple(items), ""


def _checked_words(key: str, raw: object) -> tuple[object, str]:
    if not isinstance(raw, Mapping) or not all(isinstance(item, str) for item in raw.values()):
        return None, "must be a table of texts"
    allowed = {"statuses": tuple(MEANINGS), "sides": tuple(Side)}.get(key)
    if allowed and not set(raw.values()) <= set(allowed):
        return None, f"must map words to {', '.join(allowed)}"
    return dict(raw), ""


def _anchor_paths(values: dict[str, Any], folder: Path) -> None:
    for key in _PATHS & values.keys():
        value = values[key]
        if isinstance(value, tuple):
            values[key] = tuple(_anchored(item, folder) for item in value)
        elif value and not (key == "previous" and value == "auto"):
            values[key] = _anchored(value, folder)


def _anchored(path: str, folder: Path) -> str:
    """Make a path of the settings file mean the same from anywhere; short where it can be."""
    if path == "-" or Path(path).is_absolute() or folder == Path.cwd():
        return path
    return str(folder / path)


def _contradictions(values: Mapping[str, Any]) -> list[str]:
    tiers = [values.get(key, getattr(_DEFAULTS, key)) for key in _TIER_KEYS]
    found = []
    if not tiers[0] > tiers[1] > tiers[2]:
        shown = ", ".join(f"{key}={tier:g}" for key, tier in zip(_TIER_KEYS, tiers, strict=True))
        found.append(f"settings: tiers must fall from parity to middle, found {shown}")
    if values.get("strict") and values.get("lenient"):
        found.append("settings: strict and lenient exclude each other")
    return found


_TIER_KEYS = ("parity_pct", "close_pct", "middle_pct")
