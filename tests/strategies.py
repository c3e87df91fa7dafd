"""Hypothesis strategies for inputs: run tables that are sound, the faults of the field, and bytes.

A generated table knows what reading it must give (`SoundTable.expected`), so that no test needs
the code under test to say what is right.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from hypothesis import strategies as st

UNITS = {"ms": 1.0, "us": 1e-3, "ns": 1e-6, "s": 1e3}

names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")),
    min_size=1,
    max_size=12,
).filter(lambda name: name.strip() == name and "\0" not in name)
"""Names without blanks inside; anything else a file can hold, quotes and commas included."""

shapes = st.from_regex(r"[a-z]{1,5}_[0-9]{1,3}", fullmatch=True)
"""Shapes that stay as they are when they are made canonical."""

latencies = st.floats(min_value=1e-3, max_value=1e6, allow_nan=False).map(
    lambda v: float(f"{v:.9g}")
)
missing = st.sampled_from(["", "-", "N/A", "nan", "null", "None", "--"])


@dataclass(frozen=True)
class Case:
    """One sound row: names, and latencies as written; None where a side has no latency."""

    kernel: str
    shape: str
    baseline: float | None
    pto: float | None
    absent: str


@dataclass(frozen=True)
class SoundTable:
    """Rows that nothing is wrong with, and how they are written down."""

    cases: tuple[Case, ...]
    unit: str
    order: tuple[int, ...]
    newline: str
    bom: bool

    @property
    def header(self) -> list[str]:
        """Column names in the order written."""
        plain = ["kernel", "shape", f"baseline_{self.unit}", f"pto_{self.unit}"]
        return [plain[index] for index in self.order]

    def row(self, case: Case) -> list[str]:
        """The cells of a case in the order written."""
        cells = [case.kernel, case.shape]
        cells += [case.absent if v is None else repr(v) for v in (case.baseline, case.pto)]
        return [cells[index] for index in self.order]

    def rows(self) -> list[list[str]]:
        """Header and cells."""
        return [self.header, *(self.row(case) for case in self.cases)]

    def encode(self, rows: list[list[str]] | None = None) -> bytes:
        """The file."""
        stream = io.StringIO()
        csv.writer(stream, lineterminator=self.newline).writerows(rows or self.rows())
        return (b"\xef\xbb\xbf" if self.bom else b"") + stream.getvalue().encode()


@st.composite
def sound_tables(draw: st.DrawFn) -> SoundTable:
    """Wide tables of distinct cases, in any column order, unit, line end, with or without BOM."""
    keys = draw(st.lists(st.tuples(names, shapes), min_size=1, max_size=8, unique=True))
    cases = tuple(
        Case(kernel, shape, *draw(st.tuples(*[st.none() | latencies] * 2)), draw(missing))
        for kernel, shape in keys
    )
    return SoundTable(
        cases,
        draw(st.sampled_from(sorted(UNITS))),
        tuple(draw(st.permutations(range(4)))),
        draw(st.sampled_from(["\n", "\r\n"])),
        draw(st.booleans()),
    )


FAULTS = {
    "negative-latency": "-1.5",
    "not-a-number": "quick",
    "number-with-comma": "1,5",
    "unknown-unit": "15 ticks",
}
"""A cell that sets its row aside, by the rule that says so."""

_PLAIN = rb""", "" " \\ ` | ; nan -inf 1e309 0 -0.0 1_0 ok blocked null {} {"a":NaN} [[[[ \ud800
    1,5 us kernel pto side =1+1""".split()
_ODD = [b"\n", b"\r", b"\r\n", b"\0", b"\t", b"\xff", b"\xef\xbb\xbf", b"<<<<<<< x\n", b"\x1b[31m"]
tokens = st.sampled_from([*_PLAIN, *_ODD, "\u202e".encode(), "\u2028".encode(), b"9" * 320])
"""Pieces that readers stumble over."""


@st.composite
def mutations(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """A seed with some of its bytes replaced, removed, repeated or broken by a token."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.sampled_from([0, 0, 1, 3, 40])))
        data[start:stop] = draw(
            tokens | st.binary(max_size=4) | st.just(bytes(data[start:stop]) * 2)
        )
    return bytes(data)
