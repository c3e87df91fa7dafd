"""Hints at renamed kernels: removed and added cases that are alike in everything but the name."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.model import CaseKey

ALIKE = 0.6
"""Similarity of names (Ratcliff and Obershelp, 0 to 1) from which a rename is likely."""


def likely_renames(
    removed: Sequence[CaseKey], added: Sequence[CaseKey]
) -> Mapping[CaseKey, CaseKey]:
    """Pair removed with added cases of like names and otherwise the same identity, best first.

    Spelling alone (case, separators) makes names equal. The result has both directions.
    """
    by_rest: dict[CaseKey, list[CaseKey]] = {}
    for key in added:
        by_rest.setdefault(_rest(key), []).append(key)
    candidates = [
        (-_likeness(old.kernel, new.kernel), old.kernel, new.kernel, old, new)
        for old in removed
        for new in by_rest.get(_rest(old), ())
    ]
    found: dict[CaseKey, CaseKey] = {}
    for likeness, _, _, old, new in sorted(candidates, key=lambda item: item[:3]):
        if -likeness >= ALIKE and old not in found and new not in found:
            found[old], found[new] = new, old
    return found


def _rest(key: CaseKey) -> CaseKey:
    """The identity without name, family and label, which change along with a name."""
    return replace(key, kernel="", family="", variant_label="" if key.shape else key.variant_label)


def _likeness(old: str, new: str) -> float:
    one, other = ("".join(filter(str.isalnum, name.casefold())) for name in (old, new))
    if one == other:
        return 1.0
    return float(difflib.SequenceMatcher(None, one, other, autojunk=False).ratio())
