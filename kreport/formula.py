"""Text cells that a spreadsheet would run, made harmless in a way that reading can undo."""

from __future__ import annotations

import re

_RUNS_AS_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_STARTS = "'=+-@\t\r"
"""What such text may begin with: a look at one character spares nearly every cell the pattern."""
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r]")


def neutralise(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Only ever used on text columns: a number keeps its sign and stays a number. Text that already
    looks neutralised gets one apostrophe more, so that `restore` is exact.
    """
    return f"'{text}" if text[:1] in _STARTS and _RUNS_AS_FORMULA.match(text) else text


def restore(text: str) -> str:
    """Undo `neutralise`."""
    return text[1:] if _NEUTRALISED.match(text) else text
