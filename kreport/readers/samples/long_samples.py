"""Long samples files: the fast way where they are plainly clean, else piece by piece with care."""

from __future__ import annotations

from dataclasses import dataclass

from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.readers.samples.long_file import opened
from kreport.readers.samples.reduced import Reduced, reduce_samples
from kreport.readers.samples.stream import read_plain


@dataclass(frozen=True, slots=True)
class LongSamples:
    """A long samples file that was read and reduced."""

    reduced: Reduced
    sha256: str
    rows: int
    complete: bool


def read_long_samples(
    path: str, run: str, options: ReadOptions, findings: Findings
) -> LongSamples | None:
    """Read a long file of samples; None where it is of another layout.

    Where `findings` refuse the file the answer is None too. Raises InputError where the file is
    beyond the bounds or changes while it is read.
    """
    with opened(path) as long:
        plain = read_plain(long, path, options)
        digest = long.sha256() if plain else ""
    if plain is not None:
        reduced = reduce_samples(plain, run, options, findings)
        return LongSamples(reduced, digest, len(plain.line), complete=True)
    from kreport.readers.samples.pieces import read_pieces  # hardly ever needed

    with opened(path) as long:
        careful = read_pieces(long, path, run, options, findings)
        digest = long.sha256() if careful else ""
    if careful is None:
        return None
    reduced = reduce_samples(careful.rows, run, options, findings)
    return LongSamples(reduced, digest, careful.rows_in_file, careful.complete)
