"""Pairs the cases of two run tables by identity, never by order.

What a file does not say must not keep its cases apart: a column that one table leaves blank
throughout, or a parameter that only one table has, is set aside for both as long as that lets no
two cases of a table fall together. Every such step is noted.
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
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

OPTIONAL = ("family", "variant_label", "ordinal", "device")
"""Identity columns that a file may lack altogether."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """What was left out of the identity: whole columns, and parameters by name."""

    columns: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()

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
    for name in OPTIONAL:
        blanked = columns[name].blanked(old=len(old))
        if blanked is not None and _keeps_cases_apart(columns | {name: blanked}, columns, len(old)):
            columns[name] = blanked
            relaxation = replace(relaxation, columns=(*relaxation.columns, name))
    names = _one_sided_parameters(columns["parameters"], len(old))
    if names:
        trimmed = columns["parameters"].mapped(lambda text: without_parameters(text, names))
        if _keeps_cases_apart(columns | {"parameters": trimmed}, columns, len(old)):
            columns["parameters"] = trimmed
            relaxation = replace(relaxation, parameters=names)
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


def _keeps_cases_apart(
    relaxed: Mapping[str, _Column], strict: Mapping[str, _Column], old: int
) -> bool:
    for part in (slice(None, old), slice(old, None)):
        counts = [_numbered(columns, part)[1].size for columns in (strict, relaxed)]
        if counts[0] != counts[1]:
            return False
    return True


def _numbered(
    columns: Mapping[str, _Column], part: slice = slice(None)
) -> tuple[Ints, NDArray[np.intp]]:
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
