"""What became of a case in words: a transition, else its verdict and how far to believe it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.results import CaseDiff


def outcome_text(case: CaseDiff | None, text: Catalogue) -> str:
    """The first transition of a case, else its verdict; "" where there is neither."""
    if case is None:
        return ""
    if case.transitions:
        return text(f"transition.{case.transitions[0]}")
    return verdict_text(case, text)


def verdict_text(case: CaseDiff, text: Catalogue) -> str:
    """The verdict, qualified; "" where a transition says it all."""
    return "" if case.verdict is None else qualified(text(f"verdict.{case.verdict}"), case, text)


def qualified(words: str, case: CaseDiff, text: Catalogue) -> str:
    """Add to words on a change that it is not confirmed, and why."""
    if not case.is_unconfirmed:
        return words
    single = case.pto.old.runs + case.pto.new.runs <= 2
    return text(f"verdict.unconfirmed{'' if single else '_samples'}", verdict=words)
