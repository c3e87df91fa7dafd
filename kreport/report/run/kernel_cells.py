"""A kernel as formatted strings, and the groups that a report puts kernels in."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport.classify import Rule
from kreport.kernels import worst_first
from kreport.model import KernelClass, Notice, Status, Tier
from kreport.report import numbers
from kreport.report.run.case_cells import NAME_LIMIT, band_interval, kernel_name, notice_text
from kreport.report.text import first_line, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kreport.kernels import KernelResult
    from kreport.report.catalogue import Catalogue
    from kreport.run_report import RunReport


REASON_LIMIT = 100
COMMON_NOTICES = frozenset({Notice.OUTLIERS, Notice.SLOW_START})
"""Nearly every set of samples has some: counted in the summary, not repeated at each kernel."""


@dataclass(frozen=True, slots=True)
class KernelRow:
    """One kernel, as plain text."""

    name: str
    family: str
    kernel_class: str
    class_key: str
    tier: str
    blocker: str
    ratio: str
    geomean: str
    band: str
    baseline_ms: str
    pto_ms: str
    cases: str
    state: str
    reason: str
    notes: tuple[str, ...]
    geomean_pct: float

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands in the last cell of a kernel that has no ratio: why, and what to know."""
        return (self.reason, *self.notes) if self.reason else self.notes


@dataclass(frozen=True, slots=True)
class Group:
    """Kernels that a reader looks at together. `kind` picks the columns of its table."""

    key: str
    title: str
    lead: str
    kind: str
    shows_blocker: bool
    rows: tuple[KernelRow, ...]
    total: int


def groups_of(
    report: RunReport, text: Catalogue, history: Callable[[KernelResult], str]
) -> tuple[Group, ...]:
    """Format the kernels of every group; drop empty groups."""
    bounds = {
        "close": numbers.percent(report.bounds.close_pct),
        "middle": numbers.percent(report.bounds.middle_pct),
    }
    return tuple(
        Group(
            key=key,
            title=text(f"title.{key}"),
            lead=text(f"lead.{key}", **bounds),
            kind="ratio" if key in _RATIO_GROUPS else "state",
            shows_blocker=key == "pto_blocked",
            rows=tuple(
                kernel_row(kernel, text, report.clock, history(kernel)) for kernel in members
            ),
            total=len(members),
        )
        for key, members in grouped_kernels(report).items()
    )


def grouped_kernels(report: RunReport) -> dict[str, list[KernelResult]]:
    """Put every kernel into exactly one group, the worst first inside each; no group is empty."""
    members: dict[str, list[KernelResult]] = {}
    for kernel in report.kernels:
        members.setdefault(group_key(kernel), []).append(kernel)
    return {key: sorted(members[key], key=worst_first) for key in GROUP_KEYS if key in members}


_RATIO_GROUPS = ("high", "middle", "slow")
GROUP_KEYS = (
    *_RATIO_GROUPS,
    "no_ratio",
    "baseline_blocked",
    "pto_blocked",
    "unclassified",
)


def group_key(kernel: KernelResult) -> str:
    """Group of a kernel: by what blocks it, else by its tier."""
    by_class = {
        KernelClass.BASELINE_BLOCKED: "baseline_blocked",
        KernelClass.PTO_BLOCKED: "pto_blocked",
        KernelClass.UNCLASSIFIED: "unclassified",
    }
    if kernel.tier is None:
        return by_class.get(kernel.kernel_class, "no_ratio")
    return {Tier.MIDDLE: "middle", Tier.SLOW: "slow"}.get(kernel.tier, "high")


def kernel_row(kernel: KernelResult, text: Catalogue, clock: str, history: str = "") -> KernelRow:
    """Format one kernel. Latencies and ratios are those on the kernel's own clock."""
    measured = [case for case in kernel.cases if case.key.timer == kernel.timer]
    return KernelRow(
        name=kernel_name(kernel.name),
        family=one_line(kernel.family, NAME_LIMIT),
        kernel_class=text(f"class.{kernel.kernel_class}"),
        class_key=kernel.kernel_class,
        tier=text(f"tier.{kernel.tier}") if kernel.tier else "",
        blocker=text(f"blocker.{kernel.blocker}") if kernel.blocker else "",
        ratio=numbers.percent_range(kernel.low_pct, kernel.high_pct),
        geomean=numbers.percent(kernel.geomean_pct),
        band=_band(kernel, text),
        baseline_ms=_latency_range([case.baseline.median_ms for case in measured]),
        pto_ms=_latency_range([case.pto.median_ms for case in measured]),
        cases=str(len(kernel.cases)),
        state=_state(kernel, text),
        reason=first_line(_reason(kernel), REASON_LIMIT),
        notes=_notes(kernel, text, clock) + ((history,) if history else ()),
        geomean_pct=kernel.geomean_pct,
    )


def _band(kernel: KernelResult, text: Catalogue) -> str:
    """Hull of the bands of the kernel's cases, with the source of the widest."""
    bands = [case.band for case in kernel.cases if case.key.timer == kernel.timer and case.band]
    if not bands:
        return text("word.none") if math.isfinite(kernel.low_pct) else numbers.NOT_AVAILABLE
    widest = max(bands, key=lambda band: band.high - band.low)
    hull = replace(
        widest, low=min(band.low for band in bands), high=max(band.high for band in bands)
    )
    return band_interval(hull, text)


def _latency_range(medians_ms: Sequence[float]) -> str:
    finite = [median for median in medians_ms if math.isfinite(median)]
    if not finite:
        return numbers.NOT_AVAILABLE
    low, high = numbers.latency(min(finite)), numbers.latency(max(finite))
    return low if low == high else f"{low}..{high}"


def _state(kernel: KernelResult, text: Catalogue) -> str:
    """``baseline blocked, PTO ok (0.7783 ms)``: what runs, with the port's own latency."""
    baseline = text(f"status.{_common_status([case.baseline.status for case in kernel.cases])}")
    pto_status = _common_status([case.pto.status for case in kernel.cases])
    if kernel.classification.rule is Rule.PTO_WRONG:
        return text("state.wrong", baseline=baseline)
    latency = _latency_range(
        [case.pto.median_ms for case in kernel.cases if case.key.timer == kernel.timer]
    )
    form = "both" if latency == numbers.NOT_AVAILABLE else "with_latency"
    return text(
        f"state.{form}", baseline=baseline, pto=text(f"status.{pto_status}"), latency=latency
    )


def _common_status(statuses: Sequence[Status]) -> Status:
    return Status.OK if Status.OK in statuses else Counter(statuses).most_common(1)[0][0]


def _reason(kernel: KernelResult) -> str:
    """Reason of the side that decided the class, from the first case that gives one."""
    pto_first = kernel.kernel_class is KernelClass.PTO_BLOCKED
    for case in kernel.cases:
        sides = (case.pto, case.baseline) if pto_first else (case.baseline, case.pto)
        for side in sides:
            if side.reason:
                return side.reason
    return ""


def _notes(kernel: KernelResult, text: Catalogue, clock: str) -> tuple[str, ...]:
    notes = []
    if kernel.classification.partial:
        stuck = sum(not case.runs_on_both_sides for case in kernel.cases)
        notes.append(text("notice.partial", blocked=stuck, total=len(kernel.cases)))
    if kernel.baseline_is_wrong:
        notes.append(text("notice.wrong_baseline"))
    if kernel.timer != clock:
        shown = one_line(kernel.timer) or text("word.unknown")
        notes.append(text("notice.other_clock", clock=shown))
    seen = {notice for case in kernel.cases for notice in case.notices} - COMMON_NOTICES
    return (*notes, *(notice_text(notice, text) for notice in Notice if notice in seen))
