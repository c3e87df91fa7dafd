"""Canonical columns that every layout fills the same way: identity, run, devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kreport.identity import canonical, canonical_shape, fold_device, stamp_in
from kreport.model import Side
from kreport.readers.findings import Findings
from kreport.readers.headers import Header, fold_name, words
from kreport.readers.options import ReadOptions
from kreport.readers.parameters import is_parameter, parameter_column
from kreport.readers.rows import Table
from kreport.schema import COLUMNS, NUMBERS, TEXT, SampleStore

Objects = npt.NDArray[np.object_]
Array = npt.NDArray[Any]


_TOTALS = words("geomean geo_mean geometric_mean total grand_total overall average summary")
_REDUCTIONS = words("sum mean median min max avg")


@dataclass(frozen=True, slots=True)
class Input:
    """One delimited input on its way to the canonical table."""

    table: Table
    header: Header
    options: ReadOptions
    findings: Findings
    run: str
    """The run of rows that name none."""

    @property
    def count(self) -> int:
        """Rows as wide as the header."""
        return len(self.table.lines)

    @property
    def lines(self) -> npt.NDArray[np.int64]:
        """First physical line of each row."""
        return np.array(self.table.lines, dtype=np.int64)

    def cells(self, role: str) -> Sequence[str] | None:
        """The column of a role; None where the header has none."""
        index = self.header.roles.get(role)
        return None if index is None else self.table.columns[index]

    def name_of(self, role: str) -> str:
        """What the file calls the column of a role."""
        return self.header.names[self.header.roles[role]]


@dataclass(frozen=True, slots=True)
class LayoutRows:
    """What a layout makes of a file: canonical columns, and samples where it holds any.

    Plain arrays of one length, texts as objects: a frame is made once, of all files together.
    """

    columns: Mapping[str, Array]
    samples: SampleStore | None = None

    @property
    def count(self) -> int:
        """Number of canonical rows."""
        return len(self.columns["line"])

    def without_lines(self, lines: frozenset[int]) -> LayoutRows:
        """Return the rows that do not begin on one of these lines."""
        kept = ~np.isin(self.columns["line"], np.fromiter(lines, np.int64))
        return LayoutRows({name: values[kept] for name, values in self.columns.items()})


def text_column(cells: Sequence[str] | None, count: int, fold: Callable[[str], str]) -> Objects:
    """A text column through `fold`, called once a spelling; "" everywhere for no column."""
    if cells is None:
        return np.full(count, "", dtype=object)
    known = {cell: fold(cell) for cell in set(cells)}
    folded = np.empty(count, dtype=object)
    folded[:] = [known[cell] for cell in cells]
    return folded


def fold_text(text: str) -> str:
    """Outer blanks gone, inner blanks and line ends single blanks."""
    return " ".join(text.split())


def json_list(text: str) -> str:
    """Return a cell of limitations as a canonical JSON list; "" for none."""
    text = text.strip()
    if text in ("", "[]", "null"):
        return ""
    return canonical(text) if text[0] == "[" else canonical([text])


def identity_columns(source: Input, also: Sequence[int] = ()) -> dict[str, Objects]:
    """Family, kernel, variant, shape, parameters, ordinal, timer, run and run_at of every row.

    Names are text whatever they look like. A row without a kernel name is set aside. `also` are
    columns that are parameters in this layout although their names suggest another role.
    """
    count, options = source.count, source.options
    text = {
        role: text_column(source.cells(role), count, fold_text)
        for role in ("family", "kernel", "variant_label", "variant_index", "timer", "run_at")
    }
    aliases = options.kernel_aliases
    if aliases:
        text["kernel"] = text_column(
            list(text["kernel"]), count, lambda name: aliases.get(name, name)
        )
    for index in np.flatnonzero(text["kernel"] == ""):
        source.findings.set_aside(
            "no-kernel-name", "the row names no kernel", line=int(source.lines[index])
        )
    text["shape"] = text_column(source.cells("shape"), count, canonical_shape)
    set_aggregates_aside(source, text["kernel"], text["shape"])
    names, columns = _parameters(source, also)
    text["parameters"] = (
        parameter_column(names, columns, count)
        if source.cells("parameters") is None
        else text_column(source.cells("parameters"), count, canonical_shape)
    )
    told_apart = (text["shape"] != "") | (text["variant_label"] != "")
    text["ordinal"] = np.where(told_apart, "", text["variant_index"]).astype(object)
    text["run_at"] = text_column(list(text["run_at"]), count, lambda at: stamp_in(at) or at)
    text["run"] = _runs(source, text["run_at"])
    return text


def set_aggregates_aside(source: Input, kernels: Objects, shapes: Objects) -> None:
    """Set trailers such as ``geomean`` or ``Total`` aside, which look like one more kernel.

    Only the last rows of a file can be trailers; ``sum`` and ``mean``, which are kernels too, only
    where they alone have no shape.
    """
    shaped = bool((shapes != "").any())
    for row in range(source.count - 1, 0, -1):
        word = fold_name(kernels[row])
        if word not in _TOTALS and not (word in _REDUCTIONS and shaped and shapes[row] == ""):
            return
        source.findings.set_aside(
            "aggregate-row",
            "a total of the rows above, not a kernel",
            line=int(source.lines[row]),
            value=kernels[row],
        )


def _parameters(source: Input, also: Sequence[int]) -> tuple[list[str], list[Sequence[str]]]:
    names, columns = [], []
    for index in sorted({*source.header.extra, *also}):
        cells = source.table.columns[index]
        if is_parameter(source.header.names[index], cells):
            names.append(source.header.names[index])
            columns.append(cells)
    return names, columns


def _runs(source: Input, run_at: Objects) -> Objects:
    """The run column, else the stamp in run_at, else the file's own run."""
    named = text_column(source.cells("run"), source.count, fold_text)
    runs = np.where(named != "", named, run_at)
    return np.where(runs != "", runs, source.run).astype(object)


def side_devices(source: Input, side: Side) -> Sequence[str] | None:
    """The device column of a side, else the one both sides share."""
    index = source.header.side_text.get((side, "device"))
    return source.cells("device") if index is None else source.table.columns[index]


def device_texts(cells: Sequence[str] | None, count: int) -> Objects:
    """Devices as written, blanks folded."""
    return text_column(cells, count, fold_text)


def folded_devices(texts: Objects) -> Objects:
    """Devices without their index, as identity."""
    return text_column(list(texts), len(texts), fold_device)


def whole(columns: Mapping[str, Array], count: int) -> dict[str, Array]:
    """Return every canonical column: those not given are "" or NaN, or 0 for provenance."""
    filled = {}
    for name in COLUMNS:
        if name in columns:
            filled[name] = columns[name]
        elif name in TEXT:
            filled[name] = np.full(count, "", dtype=object)
        elif name in NUMBERS:
            filled[name] = np.full(count, np.nan)
        else:
            filled[name] = np.zeros(count, dtype=np.int64)
    return filled
