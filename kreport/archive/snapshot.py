"""Reading archived CSVs of kreport's own into a history, and nothing else of them.

`kreport.readers` reads every layout with care and takes its time; an archive of a thousand reports
that kreport wrote itself needs a dozen known columns of each, of many files in one go. What does
not look exactly like that is left to the readers.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from kreport.archive.history import RunName, blank, coded, positive
from kreport.formula import restore
from kreport.model import CaseKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from kreport.archive.history import History
    from kreport.archive.store import Snapshot

_KEY = (
    "family",
    "kernel",
    "variant_label",
    "shape_summary_json",
    "parameters_json",
    "variant_index",
    "timer",
    "device",
)
_CODES = ("baseline_status", "pto_status", "pto_correct", "kernel_class", "blocker")
_TEXT = (*_KEY, *_CODES, "run")
_NUMBERS = {"baseline_median_ms": "baseline_ms", "pto_median_ms": "pto_ms"}
_CHECKS = {"True": "pass", "False": "fail", "": "unknown"}
_END = "\x1fend of file\x1f"
"""In the first column of a row put after each file; no cell of kreport's own holds a control."""


def read_snapshots(contents: Mapping[Snapshot, bytes]) -> History | None:
    """The runs of archived reports; None unless all are whole CSVs of one and the same header."""
    headers = {content.partition(b"\n")[0] for content in contents.values()}
    if len(headers) != 1:
        return None
    columns = headers.pop().decode("utf-8", "replace").strip().split(",")
    whole = all(content.endswith(b"\n") for content in contents.values())
    if not whole or columns[0] != _KEY[0] or not {*_TEXT, *_NUMBERS} <= set(columns):
        return None
    frame = _one_frame(list(contents.values()), columns)
    if frame is None:
        return None
    ends = np.flatnonzero((frame["family"] == _END).to_numpy())
    if len(ends) != len(contents) or ends[-1] != len(frame) - 1:
        return None
    file_of_row = np.searchsorted(ends, np.arange(len(frame)))
    rows = np.setdiff1d(np.arange(len(frame)), ends, assume_unique=True)
    return _history(list(contents), frame.iloc[rows], file_of_row[rows])


def _one_frame(contents: list[bytes], columns: list[str]) -> pd.DataFrame | None:
    import pandas as pd

    end = (_END + "," * (len(columns) - 1) + "\n").encode()
    parts = [contents[0].partition(b"\n")[0] + b"\n"]
    for content in contents:
        parts += [content.partition(b"\n")[2], end]
    try:
        return pd.read_csv(
            io.BytesIO(b"".join(parts)),
            usecols=[*_TEXT, *_NUMBERS],
            dtype=dict.fromkeys(_TEXT, "category") | dict.fromkeys(_NUMBERS, "float64"),
            keep_default_na=False,
            na_values={name: [""] for name in _NUMBERS},
            encoding="utf-8",
        )
    except (ValueError, pd.errors.ParserError):
        return None


def _history(files: list[Snapshot], frame: pd.DataFrame, file_of_row: np.ndarray) -> History:
    keys, case_of_row = _case_keys(frame)
    last_run = [""] * len(files)
    for file, run in zip(file_of_row.tolist(), frame["run"].tolist(), strict=True):
        last_run[file] = max(last_run[file], run)
    runs = (RunName(restore(r), s.stamp, s.csv.name) for r, s in zip(last_run, files, strict=True))
    made = blank(tuple(runs), keys)
    at = (case_of_row, file_of_row)
    for name, ours in _NUMBERS.items():
        made.medians[ours][at] = positive(frame[name].to_numpy())
    for name in _CODES:
        words = frame[name].cat.categories.tolist()
        if name == "pto_correct":
            words = [_CHECKS.get(word, "") for word in words]
        made.codes[name][at] = coded(name, words)[frame[name].cat.codes.to_numpy()]
    return made


def _case_keys(frame: pd.DataFrame) -> tuple[tuple[CaseKey, ...], np.ndarray]:
    """The cases in the order in which rows first name them, and which one each row is of."""
    spelled = np.zeros(len(frame), dtype=np.int64)
    for name in _KEY:
        codes = frame[name].cat.codes.to_numpy().astype(np.int64)
        mixed = spelled * (len(frame[name].cat.categories) + 1) + codes
        # Renumbered after each column, so that the product of eight never overflows.
        _, spelled = np.unique(mixed, return_inverse=True)
    _, first, case_of_row = np.unique(spelled, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    cells = (frame[name].iloc[first[order]].tolist() for name in _KEY)
    return tuple(map(_case_key, *cells)), place[case_of_row]


def _case_key(
    family: str,
    kernel: str,
    label: str,
    shape: str,
    parameters: str,
    index: str,
    timer: str,
    device: str,
) -> CaseKey:
    cells = (family, kernel, label, shape, parameters, index, timer, device)
    if any(cell.startswith("'") for cell in cells):
        family, kernel, label, shape, parameters, index, timer, device = map(restore, cells)
    shape = "" if shape == "null" else shape
    ordinal = "" if shape or label else index
    return CaseKey(family, kernel, label, shape, parameters, ordinal, timer, device)
