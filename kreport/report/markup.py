"""The little markup that texts of the catalogue use, as HTML: bold, italic, code."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_SPAN = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`")
_TAGS = ("strong", "em", "code")


def marked(text: str) -> Markup:
    """Turn ``**bold**``, ``*italic*`` and backticks into tags; everything else is escaped."""
    return Markup(_SPAN.sub(_tagged, str(escape(text))))


def breakable(name: str) -> Markup:
    """Let a long name break after its underscores, where a reader would break it."""
    return Markup(str(escape(name)).replace("_", "_<wbr>"))


def _tagged(match: re.Match[str]) -> str:
    at = next(number for number, found in enumerate(match.groups()) if found is not None)
    return f"<{_TAGS[at]}>{match[at + 1]}</{_TAGS[at]}>"
