"""Every sentence that a report shows, by key, in the languages a team reads.

Texts live in one TOML file a language; ``{name}`` is filled in by the caller. Column names of
CSV and JSON are not texts: they are the same in every language.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FALLBACK = "en"


class Catalogue:
    """Look-up of texts in one language; English stands in for a text not yet translated."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._texts = _texts(lang)
        self._fallback = _texts(FALLBACK)

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of `key`, filled in.

        Raises:
            KeyError: no language has the key, or the text names a value that was not given.
        """
        text = self._texts.get(key) or self._fallback[key]
        return text.format(**values) if values else text

    def finding(self, rule: str, message: str) -> str:
        """Say what is wrong with an input: `message`, or the language's own words for its rule.

        A message has values in it and is English; other languages name the rule and leave the
        values to the column that shows what was found.
        """
        return self._texts.get(f"finding.{rule}", message)


@cache
def _texts(lang: str) -> dict[str, str]:
    path = Path(__file__).parent / f"{lang}.toml"
    return dict(_flat(tomllib.loads(path.read_text("utf-8")), ""))


def _flat(table: dict[str, Any], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        found += _flat(value, f"{name}.") if isinstance(value, dict) else [(name, value)]
    return found
