"""The plain word that a CSV has for what changed in a case, in the report's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.model import Verdict

if TYPE_CHECKING:
    from kreport.report.catalogue import Catalogue

UNCONFIRMED = "unconfirmed "


def verdict_text(word: str, text: Catalogue) -> str:
    """Put the plain word of a case (``slower``, ``newly blocked``) into the report's language."""
    if not word:
        return ""
    plain = word.removeprefix(UNCONFIRMED)
    if plain not in set(Verdict):
        return text(f"transition.{plain}")
    shown = text(f"verdict.{plain}")
    return shown if plain == word else text("verdict.unconfirmed", verdict=shown)
