"""Pairs the cases of two run tables by identity, never by order.

What a file does not say must not keep its cases apart: a column that one table leaves blank
throughout, or a parameter that only one table has, is set aside for both as long as that lets no
two cases of a table fall together. Where nothing at all matches, so is a parameter that is one
value throughout the old table and another throughout the new one: it tells the two sets apart
(a commit, a setting under test) and not their cases. Every such step is noted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kreport.identity import canonical_parameters
from kreport.model import CaseKey
from kreport.schema import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

OPTIONAL = ("family", "variant_label", "ordinal", "device")
"""Identity columns that a file may lack altogether."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """What was left out of the identity: whole columns, and parameters by name."""

    columns: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    """``name: old value, new value`` of parameters that are constant in each table."""

    def of(self, key: CaseKey) -> CaseKey:
        """The key without what was left out."""
        blanked = dict.fromkeys(self.columns, "")
        kept = without_parameters(key.parameters, self.parameters)
        return replace(key, **blanked, parameters=kept)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Cases of both tables under one numbering, in the order of their keys.

    `old` and `new` give the case number of each row of the two frames.
    """

    keys: tuple[CaseKey, ...]
    old: Ints
    new: Ints
    relaxation: Relaxation

    def present(self, rows: Ints) -> NDArray[np.bool_]:
        """Which cases any of these rows belongs to."""
        found = np.zeros(len(self.keys), dtype=bool)
        found[rows] = True
        return found


def pair(old: pd.DataFrame, new: pd.DataFrame) -> Pairing:
    """Number the cases of two run tables; the same identity gets the same number."""
    columns = {name: _codes(old[name], new[name]) for name in IDENTITY}
    relaxation = Relaxation()
    if len(old) and len(new):
        columns, relaxation = _relaxed(columns, len(old))
    number, first = _numbered(columns)
    texts = [
        [columns[name].texts[code] for code in columns[name].codes[first]] for name in IDENTITY
    ]
    keys = [CaseKey(*identity) for identity in zip(*texts, strict=True)]
    order = sorted(range(len(keys)), key=lambda case: _text(keys[case]))
    rank = np.empty(len(keys), dtype=np.int64)
    rank[order] = np.arange(len(keys))
    number = rank[number]
    ordered = tuple(keys[case] for case in order)
    return Pairing(ordered, number[: len(old)], number[len(old) :], relaxation)


def _relaxed(columns: _Columns, old: int) -> tuple[_Columns, Relaxation]:
    """Set aside what keeps cases apart that one of the tables cannot tell apart."""
    blank: list[str] = []
    for name in OPTIONAL:
        blanked = columns[name].blanked(old)
        if blanked is not None and _keeps_cases_apart(columns | {name: blanked}, columns, old):
            columns = columns | {name: blanked}
            blank.append(name)
    names = _one_sided_parameters(columns["parameters"], old)
    trimmed = _without(columns, names, old)
    dropped = names if trimmed is not columns else ()
    relaxation = Relaxation(columns=tuple(blank), parameters=dropped)
    number, _ = _numbered(trimmed)
    if set(number[:old].tolist()) & set(number[old:].tolist()):
        return trimmed, relaxation
    constant = _constant_parameters(trimmed["parameters"], old)
    matched = _without(trimmed, tuple(constant), old)
    if matched is trimmed:
        return trimmed, relaxation
    return matched, replace(
        relaxation,
        parameters=(*dropped, *constant),
        differing=tuple(f"{name}: {told}" for name, told in constant.items()),
    )


def _without(columns: _Columns, names: tuple[str, ...], old: int) -> _Columns:
    """The columns without these parameters; as they are where cases would fall together."""
    if not names:
        return columns
    trimmed = columns["parameters"].mapped(lambda text: without_parameters(text, names))
    relaxed = columns | {"parameters": trimmed}
    return relaxed if _keeps_cases_apart(relaxed, columns, old) else columns


def without_parameters(text: str, names: Iterable[str]) -> str:
    """Canonical parameters without those of these names; text that is no JSON stays as it is."""
    names = set(names)
    if not names or not text.startswith("{"):
        return text
    kept = {name: value for name, value in json.loads(text).items() if name not in names}
    return canonical_parameters(kept)


@dataclass(frozen=True, slots=True)
class _Column:
    """One identity column of both tables, old rows first: `texts[codes[row]]`."""

    codes: Ints
    texts: tuple[str, ...]

    def mapped(self, change: Callable[[str], str]) -> _Column:
        """The column with every distinct text replaced; texts that become equal are one."""
        replaced = [change(text) for text in self.texts]
        codes, texts = pd.factorize(np.array(replaced, dtype=object))
        return _Column(codes.astype(np.int64)[self.codes], tuple(texts))

    def blanked(self, old: int) -> _Column | None:
        """The column as all blank, where one table is and the other is not; else None."""
        filled = np.array([bool(text) for text in self.texts])[self.codes]
        if filled[:old].any() == filled[old:].any():
            return None
        return _Column(np.zeros_like(self.codes), ("",))


_Columns = dict[str, _Column]


def _codes(old: pd.Series[str], new: pd.Series[str]) -> _Column:
    both = np.concatenate([old.to_numpy(dtype=object), new.to_numpy(dtype=object)])
    codes, texts = pd.factorize(both)
    return _Column(codes.astype(np.int64), tuple(texts))


def _one_sided_parameters(column: _Column, old: int) -> tuple[str, ...]:
    """Names of parameters that only one of the tables has."""

    def names(codes: Ints) -> set[str]:
        texts = (column.texts[code] for code in np.unique(codes))
        return {name for text in texts if text.startswith("{") for name in json.loads(text)}

    return tuple(sorted(names(column.codes[:old]) ^ names(column.codes[old:])))


def _constant_parameters(column: _Column, old: int) -> dict[str, str]:
    """Parameters with one value in all old rows and another in all new rows, and the values."""

    def constants(codes: Ints) -> dict[str, str]:
        told = [column.texts[code] for code in np.unique(codes)]
        if not told or not all(text.startswith("{") for text in told):
            return {}
        first, *rest = (json.loads(text) for text in told)
        return {
            name: json.dumps(value, ensure_ascii=False)
            for name, value in first.items()
            if all(name in other and other[name] == value for other in rest)
        }

    before, now = constants(column.codes[:old]), constants(column.codes[old:])
    return {
        name: f"{before[name]}, {now[name]}"
        for name in sorted(before.keys() & now.keys())
        if before[name] != now[name]
    }


def _keeps_cases_apart(relaxed: _Columns, strict: _Columns, old: int) -> bool:
    for part in (slice(None, old), slice(old, None)):
        counts = [_numbered(columns, part)[1].size for columns in (strict, relaxed)]
        if counts[0] != counts[1]:
            return False
    return True


def _numbered(columns: _Columns, part: slice = slice(None)) -> tuple[Ints, NDArray[np.intp]]:
    """Number distinct identities; also the first row of each."""
    combined = np.zeros(columns["kernel"].codes[part].size, dtype=np.int64)
    for name in IDENTITY:
        codes = columns[name].codes[part]
        combined = combined * len(columns[name].texts) + codes
        _, combined = np.unique(combined, return_inverse=True)
    _, first, number = np.unique(combined, return_index=True, return_inverse=True)
    return number.astype(np.int64), first


def _text(key: CaseKey) -> tuple[str, ...]:
    return tuple(getattr(key, name) for name in IDENTITY)
