"""From one row a side to one row a case: the two sides of each case found and put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kreport.model import Correctness, Notice, Side, Status
from kreport.readers.canonical import Array, folded_devices, whole
from kreport.readers.devices import join_devices
from kreport.readers.findings import Findings
from kreport.readers.repeats import settle_repeats
from kreport.schema import IDENTITY, SIDE_NUMBERS, SIDE_TEXT

Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]

CASE_TEXT = (*(name for name in IDENTITY if name != "device"), "run")
"""What the two sides of a case have in common; the device may differ."""

SHARED_TEXT = ("run_at", "variant_index", "report_path", "spec", "limitations")
"""Texts of a case that either side may give; the first one does."""


@dataclass(frozen=True, slots=True)
class SideRows:
    """One row a side of a case.

    `texts` has `CASE_TEXT`, `SIDE_TEXT`, "notices" and any of `SHARED_TEXT`; `numbers` any of
    `SIDE_NUMBERS`. Every array has one entry a row; `line` is where the row begins in its file.
    """

    side: Objects
    texts: Mapping[str, Objects]
    numbers: Mapping[str, npt.NDArray[np.float64]]
    line: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Paired:
    """Canonical rows, and for each the row of its baseline and PTO side; -1 for an absent side."""

    columns: dict[str, Array]
    baseline: Ints
    pto: Ints


def pair_sides(rows: SideRows, findings: Findings, skip: frozenset[int]) -> Paired:
    """Put the sides of every case together, in the order in which the file first names them.

    Rows whose line is in `skip` are left out. Sides on the same device (whatever its index) pair
    first, then what is left of a case with one row on each side. A side that the file does not
    have is ``missing``. Repeats of a side collapse; contradicting ones are set aside.
    """
    flat = _flat(rows)
    flat["row"] = np.arange(len(flat))
    flat = flat[~flat["line"].isin(skip)].reset_index(drop=True)
    flat["case"] = flat.groupby(list(CASE_TEXT), sort=False).ngroup()
    flat["site"] = flat.groupby(["case", "device_kind"], sort=False).ngroup()
    flat = _one_row_a_side(flat, findings)
    baseline, pto = _partners(flat)
    return Paired(
        _joined(flat, baseline, pto),
        _original(flat, baseline),
        _original(flat, pto),
    )


def _original(flat: pd.DataFrame, index: Ints) -> Ints:
    return np.append(flat["row"].to_numpy(np.int64), -1)[index]


def _flat(rows: SideRows) -> pd.DataFrame:
    columns: dict[str, Any] = {name: rows.texts[name] for name in rows.texts}
    columns["side"] = rows.side
    columns["device_kind"] = folded_devices(rows.texts["device"])
    columns |= dict(rows.numbers)
    columns["line"] = rows.line
    return pd.DataFrame(columns)


def _one_row_a_side(flat: pd.DataFrame, findings: Findings) -> pd.DataFrame:
    compared = [c for c in flat.columns if c not in ("line", "row", "site", "side", *SHARED_TEXT)]
    kept = settle_repeats(flat, ("site", "side"), compared, [findings])
    return flat if kept.all() else flat[kept].reset_index(drop=True)


def _partners(flat: pd.DataFrame) -> tuple[Ints, Ints]:
    """Row numbers of the baseline and the PTO side of every case; -1 where a side is absent."""
    position = pd.Series(flat.index, index=flat.index, dtype="int64")
    sides = {
        side: position[flat["side"] == side.value].set_axis(
            flat.loc[flat["side"] == side.value, "site"]
        )
        for side in Side
    }
    paired = pd.DataFrame({side.value: rows for side, rows in sides.items()})
    paired = paired.reindex(flat["site"].unique()).fillna(-1).astype("int64")
    lone = paired[(paired == -1).any(axis=1)]
    if not lone.empty:
        paired = pd.concat([paired.drop(index=lone.index), _across_devices(lone, flat)])
    first = paired.replace(-1, len(flat)).min(axis=1)
    paired = paired.iloc[np.argsort(first.to_numpy(), kind="stable")]
    index = paired.to_numpy(np.int64)
    columns = paired.columns
    return (
        index[:, columns.get_loc(Side.BASELINE.value)],
        index[:, columns.get_loc(Side.PTO.value)],
    )


def _across_devices(lone: pd.DataFrame, flat: pd.DataFrame) -> pd.DataFrame:
    """Join what is left of a case where that is one baseline and one PTO row."""
    rows = lone.max(axis=1)
    case = flat["case"].to_numpy()[rows.to_numpy()]
    grouped = lone.assign(case=case).groupby("case", sort=False)
    counts = (lone >= 0).assign(case=case).groupby("case", sort=False).sum()
    single = counts.index[(counts == 1).all(axis=1)]
    joined = grouped[[side.value for side in Side]].max().loc[single]
    return pd.concat([lone[~np.isin(case, single.to_numpy())], joined])


def _joined(flat: pd.DataFrame, baseline: Ints, pto: Ints) -> dict[str, Array]:
    count = len(baseline)
    rows = {Side.BASELINE: baseline, Side.PTO: pto}
    first = np.where(rows[Side.BASELINE] >= 0, rows[Side.BASELINE], rows[Side.PTO])
    other = np.where(rows[Side.PTO] >= 0, rows[Side.PTO], rows[Side.BASELINE])
    columns: dict[str, Any] = {name: flat[name].to_numpy(object)[first] for name in CASE_TEXT}
    for name in SHARED_TEXT:
        if name in flat:
            texts = flat[name].to_numpy(object)
            columns[name] = np.where(texts[first] != "", texts[first], texts[other])
    for side, index in rows.items():
        columns |= _side_columns(flat, side, index)
    devices = join_devices(
        folded_devices(columns["baseline_device"]), folded_devices(columns["pto_device"])
    )
    both = (rows[Side.BASELINE] >= 0) & (rows[Side.PTO] >= 0)
    columns["device"] = devices.joined
    columns["notices"] = _all_notices(
        [_taken(flat, "notices", index, "") for index in rows.values()],
        {Notice.DEVICES_DIFFER: devices.differ, Notice.DEVICE_UNKNOWN: devices.unknown & both},
    )
    lines = flat["line"].to_numpy(np.int64)
    columns["line"] = np.minimum(lines[first], lines[other]) if count else lines
    return whole(columns, count)


_ABSENT = {"status": Status.MISSING.value, "correct": Correctness.UNKNOWN.value}


def _side_columns(flat: pd.DataFrame, side: Side, index: Ints) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for name in SIDE_TEXT:
        columns[f"{side}_{name}"] = _taken(flat, name, index, _ABSENT.get(name, ""))
    for name in SIDE_NUMBERS:
        if name in flat:
            values = flat[name].to_numpy(np.float64)
            padded = np.append(values, np.nan)
            columns[f"{side}_{name}"] = padded[index]
    return columns


def _taken(flat: pd.DataFrame, name: str, index: Ints, absent: str) -> Objects:
    """Cells of a text column by row number; `absent` where the number is -1."""
    padded = np.append(flat[name].to_numpy(object), absent)
    return padded[index]


def _all_notices(
    texts: Sequence[Objects], flags: Mapping[Notice, npt.NDArray[np.bool_]]
) -> Objects:
    joined = np.full(len(texts[0]), "", dtype=object)
    marked = [(notice.value, where.tolist()) for notice, where in flags.items()]
    known: dict[tuple[str, ...], str] = {}
    for row, given in enumerate(zip(*(column.tolist() for column in texts), strict=True)):
        told = (*given, *(name for name, where in marked if where[row]))
        if any(told):
            if told not in known:
                names = {name for text in told for name in text.split(";")}
                known[told] = ";".join(n.value for n in Notice if n.value in names)
            joined[row] = known[told]
    return joined
