"""Stable names for the parts of a page that a link can lead to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.kernels import KernelResult

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 80


def anchors_of(kernels: Sequence[KernelResult]) -> dict[int, str]:
    """Give each kernel, by its ``id()``, an anchor made of letters that no address escapes.

    The anchor is the name where that is plain and unique; where it is not, a number follows, so
    that a name can hold anything without leaving its place on the page.
    """
    taken: set[str] = set()
    found = {}
    for kernel in kernels:
        stem = "k-" + (_UNSAFE.sub("-", kernel.name)[:_LONGEST].strip("-") or "kernel")
        anchor, number = stem, 1
        while anchor.lower() in taken:
            number += 1
            anchor = f"{stem}-{number}"
        taken.add(anchor.lower())
        found[id(kernel)] = anchor
    return found
