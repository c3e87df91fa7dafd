"""Text from files, made safe for where it is shown: Markdown, a code block, a terminal.

HTML is escaped by Jinja itself (autoescape), CSV formulas in `kreport.formula`.
"""

from __future__ import annotations

import re
from functools import lru_cache

CUT_MARK = "…"

_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|[PX^_][^\x1b]*(?:\x1b\\)?|[@-Z\\-_])"
)
# Bidirectional overrides and isolates, zero-width and invisible characters, line separators:
# they reorder, hide or split what a reader sees.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_MARKDOWN_SPECIAL = re.compile(r"([\\`*\[\]|~!#$])")
_LONE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_BLOCK_MARKER = re.compile(r"^(\s*)([-+>]|\d+[.)])(?=\s|$)")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp):|\b(www)\.")


def clean(text: str) -> str:
    r"""Remove escape sequences, controls and invisible characters; line ends become ``\\n``."""
    if text.isascii() and text.isprintable():
        return text  # nearly every text: nothing in it to remove
    text = _LINE_ENDS.sub("\n", _ANSI.sub("", text))
    text = _CONTROL.sub("", _INVISIBLE.sub("", text))
    # A lone surrogate cannot be written as UTF-8 at all.
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=4096)  # families, clocks, devices and names come again and again
def one_line(text: str, limit: int | None = None) -> str:
    """Clean text on one line; cut at `limit` characters with a visible mark."""
    is_plain = text.isascii() and text.isprintable() and "  " not in text
    line = text.strip() if is_plain else " ".join(clean(text).split())
    return line if limit is None else cut(line, limit)


def first_line(text: str, limit: int = 120) -> str:
    """Return the first line that says anything, marked where something was left out."""
    lines = [line.strip() for line in clean(text).split("\n") if line.strip()]
    if not lines:
        return ""
    head = cut(" ".join(lines[0].split()), limit)
    more = len(lines) > 1 and not head.endswith(CUT_MARK)
    return f"{head} {CUT_MARK}" if more else head


def cut(text: str, limit: int) -> str:
    """Shorten to `limit` characters, the mark included."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + CUT_MARK


def markdown(text: str) -> str:
    """Escape text for the inside of a Markdown paragraph or table cell, on one line.

    Nothing in it can end a cell, start markup, HTML or a link. Underscores between letters mean
    nothing in Markdown and stay, so that kernel names remain searchable.
    """
    line = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _MARKDOWN_SPECIAL.sub(r"\\\1", line)
    line = _LONE_UNDERSCORE.sub(r"\\_", line)
    line = _AUTOLINK.sub(lambda match: f"{match[1]}&#58;" if match[1] else f"{match[2]}&#46;", line)
    return _BLOCK_MARKER.sub(_escape_block_marker, line)


def _escape_block_marker(match: re.Match[str]) -> str:
    marker = match[2]
    if marker[0].isdigit():
        return f"{match[1]}{marker[:-1]}\\{marker[-1]}"
    return f"{match[1]}\\{marker}"


def code_block(text: str) -> str:
    """Wrap text whole in a fenced code block whose fence the text cannot close."""
    body = clean(text).strip("\n")
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{body}\n{fence}"
