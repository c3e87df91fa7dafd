"""Layout 2: one row a sample. Reduced to one summary a side as soon as it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.identity import canonical_parameters, canonical_shape, fold_device, stamp_in
from kreport.model import Notice, Side
from kreport.readers.canonical import fold_text
from kreport.readers.coded import Coded, combined, constant, groups_of
from kreport.readers.findings import Findings
from kreport.readers.options import ReadOptions
from kreport.readers.outcomes import joined_notices
from kreport.readers.pairing import Paired, SideRows, pair_sides
from kreport.readers.parameters import is_parameter
from kreport.readers.samples.order import settle_order
from kreport.readers.samples.reduction import (
    GroupedSamples,
    group_samples,
    shape_notices,
    summaries,
)
from kreport.readers.samples.rows import TEXT_ROLES, SampleRows
from kreport.readers.samples.status import GroupStory, tell_groups, words_of_rows
from kreport.schema import SampleStore

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NAME = "samples"


@dataclass(frozen=True, slots=True)
class Reduced:
    """Paired summaries, and the samples behind them: group ``g`` is row ``g`` before pairing."""

    paired: Paired
    samples: GroupedSamples

    def store(self) -> SampleStore:
        """Return the samples by canonical row and side; none for a side that did not run."""
        columns = self.paired.columns
        slices = np.full((len(columns["line"]), 2), -1, dtype=np.int64)
        for place, (side, rows) in enumerate(
            ((Side.BASELINE, self.paired.baseline), (Side.PTO, self.paired.pto))
        ):
            believed = columns[f"{side}_median_ms"] > 0
            slices[:, place] = np.where(believed, rows, -1)
        flat = slices.ravel()
        start = np.append(self.samples.start, 0)[flat]
        stop = np.append(self.samples.stop, 0)[flat]
        return SampleStore(self.samples.values, start, stop)


def reduce_samples(rows: SampleRows, run: str, options: ReadOptions, findings: Findings) -> Reduced:
    """Reduce samples to one canonical row a case and run.

    A blocked side is a row without latency. Samples beside a row that says the side did not run
    contradict it: the side is ``invalid``. Two samples of the same index that differ make all
    samples of their side ambiguous: they are set aside.
    """
    keys = _keys(rows, run, options)
    groups, first = groups_of(list(keys.values()))
    dropped = settle_order(rows, groups, first, findings)
    if dropped.any():
        rows = rows.without(dropped)
        keys = _keys(rows, run, options)
        groups, first = groups_of(list(keys.values()))
    count = len(first)
    said = words_of_rows(rows, options, findings)
    samples, earliest = _sampled(rows, groups, said.sampled, count)
    numbers = summaries(samples)
    told = tell_groups(rows, said, groups, first, numbers, findings)
    notices = shape_notices(samples, numbers, earliest)
    side_rows = _side_rows(rows, keys, first, told, numbers, notices)
    return Reduced(pair_sides(side_rows, findings, frozenset()), samples)


def _keys(rows: SampleRows, run: str, options: ReadOptions) -> dict[str, Coded]:
    """The columns that tell one side of one case in one run from all others."""
    texts = {role: rows.texts[role].fold(fold_text) for role in TEXT_ROLES}
    aliases = options.kernel_aliases
    texts["kernel"] = texts["kernel"].fold(lambda name: aliases.get(name, name))
    shape = rows.texts["shape"].fold(canonical_shape)
    parameters = {
        name: column
        for name, column in rows.parameters.items()
        if is_parameter(name, column.spellings)
    }
    names = tuple(parameters)
    return {
        "family": texts["family"],
        "kernel": texts["kernel"],
        "variant_label": texts["variant_label"],
        "shape": shape,
        "parameters": combined(
            list(parameters.values()),
            lambda *cells: canonical_parameters(dict(zip(names, cells, strict=True))),
        )
        if names
        else constant("", len(rows.line)),
        "ordinal": combined(
            [shape, texts["variant_label"], texts["variant_index"]],
            lambda shape, label, index: "" if shape or label else index,
        ),
        "timer": texts["timer"],
        "run": combined(
            [texts["run"], texts["run_at"]],
            lambda named, at: named or stamp_in(at) or at or run,
        ),
        "device_kind": texts["device"].fold(fold_device),
        "side": rows.side,
    }


def _sampled(
    rows: SampleRows, groups: Ints, sampled: npt.NDArray[np.bool_], count: int
) -> tuple[GroupedSamples, Floats]:
    """The samples of each group, and its earliest one."""
    index, latency_ms = rows.sample_index, rows.latency_ms
    if not sampled.all():  # copies of a million rows are megabytes
        index, latency_ms, groups = index[sampled], latency_ms[sampled], groups[sampled]
    return (
        group_samples(latency_ms, groups, count),
        _first_sample(index, latency_ms, groups, count),
    )


def _first_sample(index: Floats, latency_ms: Floats, groups: Ints, count: int) -> Floats:
    """The earliest sample of each group: by index where the file counts, else by row."""
    first = np.full(count, np.nan)
    place = np.nan_to_num(index, nan=np.inf)
    stays = groups[1:] == groups[:-1]
    if np.where(stays, place[1:] >= place[:-1], groups[1:] > groups[:-1]).all():
        begins = np.flatnonzero(np.append(True, ~stays)[: len(groups)])
        first[groups[begins]] = latency_ms[begins]
        return first
    backwards = np.lexsort((np.arange(len(place)), place))[::-1]
    first[groups[backwards]] = latency_ms[backwards]
    return first


def _side_rows(
    rows: SampleRows,
    keys: Mapping[str, Coded],
    first: Ints,
    told: GroupStory,
    numbers: Mapping[str, Floats],
    notices: dict[Notice, npt.NDArray[np.bool_]],
) -> SideRows:
    texts = {name: keys[name].at(first) for name in keys if name not in ("side", "device_kind")}
    texts["run_at"] = rows.texts["run_at"].fold(lambda at: stamp_in(at) or fold_text(at)).at(first)
    for role in ("variant_index", "device", "report_path", "spec"):
        texts[role] = rows.texts[role].fold(fold_text).at(first)
    story = told.story
    texts["status"], texts["correct"], texts["reason"] = story.status, story.correct, told.reason
    flags = {
        Notice.NO_LATENCY: story.no_latency,
        Notice.ZERO_LATENCY: story.zero,
        **{notice: where & story.usable for notice, where in notices.items()},
    }
    texts["notices"] = joined_notices(flags, len(first))
    shown = {name: np.where(story.usable, values, np.nan) for name, values in numbers.items()}
    return SideRows(keys["side"].at(first), texts, shown, rows.line[first])
