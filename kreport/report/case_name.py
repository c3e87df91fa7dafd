"""What a case is called beside its kernel, clock and device: one name for every output."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from kreport.report.shapes import readable_shape
from kreport.report.text import cut, one_line

if TYPE_CHECKING:
    from kreport.model import CaseKey

NAME_LIMIT = 96
DIGEST_BYTES = 4
"""Four bytes: among a thousand cases of one kernel two share a digest once in ten thousand."""


def case_name(key: CaseKey, limit: int | None = NAME_LIMIT) -> str:
    """Label, shape and parameters, or the number of the variant, on one line.

    "" where a case has none of them: its kernel then has no other. What is cut at `limit`
    characters ends in a digest of the whole, so that cases which differ late keep names of
    their own, the same in every run.
    """
    parts = (
        one_line(key.variant_label),
        readable_shape(key.shape, key.parameters),
        f"#{one_line(key.ordinal)}" if key.ordinal else "",
    )
    whole = "; ".join(part for part in parts if part)
    if limit is None or len(whole) <= limit:
        return whole
    digest = blake2b(whole.encode(), digest_size=DIGEST_BYTES).hexdigest()
    return f"{cut(whole, limit - len(digest) - 1)} {digest}"
