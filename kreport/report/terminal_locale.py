"""Which characters the user's locale has."""

from __future__ import annotations

import os


def is_ascii() -> bool:
    """Whether the locale that the user set has no more characters than ASCII.

    What Python says of its streams is no answer: it speaks UTF-8 in the C locale too, and sets
    ``LC_CTYPE`` to ``C.UTF-8`` there. No locale at all is no wish: most such terminals know more.
    """
    plain = ("C", "POSIX")
    wish = os.environ.get("LC_ALL", "")
    if not wish and os.environ.get("LC_CTYPE", "") in ("", "C.UTF-8", *plain):
        wish = os.environ.get("LANG", "")
    wish = wish or os.environ.get("LC_CTYPE", "")
    _, dot, codeset = wish.partition(".")
    return wish in plain or (bool(dot) and not codeset.lower().startswith("utf"))
