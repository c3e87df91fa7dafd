"""Layout 1 and its short forms: one row a case, both sides in columns of their own."""

from __future__ import annotations

import numpy as np

from kreport.model import Notice, Side, Status
from kreport.readers import own_report
from kreport.readers.canonical import (
    Array,
    Input,
    LayoutRows,
    Objects,
    device_texts,
    fold_text,
    folded_devices,
    identity_columns,
    json_list,
    side_devices,
    text_column,
    whole,
)
from kreport.readers.coded import Coded, coded
from kreport.readers.devices import Devices, join_devices
from kreport.readers.headers import Header
from kreport.readers.layouts.side_numbers import SideNumbers, read_side_numbers
from kreport.readers.outcomes import (
    SideStory,
    StoryColumns,
    Words,
    checks,
    joined_notices,
    look_up,
    retold,
    row_words,
    tell,
)
from kreport.readers.ratios import StoredRatio, stored_ratio
from kreport.statuses import Outcome

NAME = "regression"


def read(source: Input) -> LayoutRows:
    """Return the canonical rows of a wide file.

    Rows with a problem are still in it: the caller drops those that `Findings` set aside.
    """
    source = own_report.without_apostrophes(source)
    count, lines = source.count, source.lines
    columns: dict[str, Array] = dict(identity_columns(source, _misnamed(source.header)))
    shared_words = row_words(source)
    numbers, stories = {}, {}
    for side in Side:
        numbers[side] = read_side_numbers(source, side)
        stories[side] = _story(source, side, numbers[side], shared_words)
        numbers[side].set_negatives_aside(stories[side].ran, source.findings)
        columns |= numbers[side].columns(f"{side}_", stories[side].usable)
        columns[f"{side}_status"] = stories[side].status
        columns[f"{side}_correct"] = stories[side].correct
        columns[f"{side}_device"] = device_texts(side_devices(source, side), count)
        columns[f"{side}_reason"] = _reasons(source, side, stories[side], shared_words)
    devices = join_devices(
        folded_devices(columns["baseline_device"]),
        folded_devices(columns["pto_device"]),
    )
    columns["device"] = devices.joined
    columns["limitations"] = text_column(source.cells("limitations"), count, json_list)
    for role in ("report_path", "spec"):
        columns[role] = text_column(source.cells(role), count, fold_text)
    ratio = stored_ratio(source, numbers[Side.BASELINE].median_ms, numbers[Side.PTO].median_ms)
    columns["stored_ratio_pct"] = ratio.pct
    columns["notices"] = notices = _notices(stories, ratio, devices)
    if own_report.recognises(source.header):
        columns |= own_report.columns(source, notices)
    columns["line"] = lines
    return LayoutRows(whole(columns, count))


def _notices(stories: dict[Side, SideStory], ratio: StoredRatio, devices: Devices) -> Objects:
    baseline, pto = stories[Side.BASELINE], stories[Side.PTO]
    flags = {
        Notice.NO_LATENCY: baseline.no_latency | pto.no_latency,
        Notice.ZERO_LATENCY: baseline.zero | pto.zero,
        Notice.STORED_RATIO_DISAGREES: ratio.disagrees,
        Notice.DEVICES_DIFFER: devices.differ,
        Notice.DEVICE_UNKNOWN: devices.unknown,
    }
    return joined_notices(flags, len(devices.joined))


def _misnamed(header: Header) -> tuple[int, ...]:
    """Columns called ``backend`` or ``provider`` are parameters where both sides have columns."""
    index = header.roles.get("side")
    return () if index is None else (index,)


def _story(source: Input, side: Side, numbers: SideNumbers, shared: Words | None) -> SideStory:
    """A side's own status column decides; else the row's, which speaks of the port first."""
    header, findings = source.header, source.findings
    index = header.side_text.get((side, "status"))
    column = f"{side} status"
    words = shared
    if index is not None:
        column = header.names[index]
        cells = coded(source.table.columns[index])
        words = look_up(cells, source.lines, column, source.options, findings)
    elif shared is not None:
        column = source.name_of("status")
        if side is Side.BASELINE:
            words = _baseline_words(shared, numbers)
    names = StoryColumns(column, numbers.median_column)
    return tell(words, _checks(source, side), numbers.median_ms, source.lines, names, findings)


def _baseline_words(shared: Words, numbers: SideNumbers) -> Words:
    """What a row's status says of the baseline: all when it is good, nothing when it is bad."""
    measured = numbers.median_ms > 0  # beside a bad status anything else is a placeholder
    known = len(shared.outcomes)
    codes = np.where(shared.good(), shared.cells.codes, np.where(measured, known, known + 1))
    cells = Coded(codes, (*shared.cells.spellings, "", ""))
    return Words(cells, (*shared.outcomes, Outcome(Status.OK), Outcome(Status.MISSING)))


def _checks(source: Input, side: Side) -> Coded | None:
    header = source.header
    index = header.side_text.get((side, "correct"), header.roles.get("correct"))
    if index is None:
        return None
    cells = coded(source.table.columns[index])
    return checks(cells, source.lines, header.names[index], source.findings)


def _reasons(source: Input, side: Side, story: SideStory, shared: Words | None) -> Objects:
    """The side's reason whole; a status word that says more than its status is kept in front."""
    index = source.header.side_text.get((side, "reason"))
    own = source.table.columns[index] if index is not None else None
    if own is None and side is Side.PTO:
        own = source.cells("reason")
    reasons = text_column(own, source.count, str.strip)
    status_index = source.header.side_text.get((side, "status"))
    if status_index is None and side is Side.PTO and shared is not None:
        reasons = retold(shared, story, reasons)
    return reasons
