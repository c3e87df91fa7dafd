"""From cases to kernels: one result per kernel, joined with the kernel-state matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.classify import (
    Classification,
    Contradiction,
    TierBounds,
    classify,
    contradictions,
    tier_of,
)
from kreport.model import Blocker, Correctness, KernelClass, MatrixEntry, Status, Tier
from kreport.stats import geomean, lowest_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.cases import CaseResult
    from kreport.model import StateMatrix

CLOCK_PREFERENCE = ("event_cold", "graph_cold", "event", "graph", "", "host")
"""Quietest first: device events with the L2 flushed repeat best from one process to the next."""

COMPARED_CLASSES = (KernelClass.TILE_FIRST, KernelClass.SCALAR_HEAVY, KernelClass.UNCLASSIFIED)


@dataclass(frozen=True, slots=True)
class KernelResult:
    """One kernel: its class and how close it is to its baseline.

    Ratios are percent and over the cases of `timer` alone; NaN where no case has one. `tier` and
    `geomean_pct` are for kernels that run correctly on both sides, else None and NaN.
    """

    family: str
    name: str
    cases: tuple[CaseResult, ...]
    timer: str
    classification: Classification
    low_pct: float
    high_pct: float
    geomean_pct: float
    tier: Tier | None
    entry: MatrixEntry | None

    @property
    def kernel_class(self) -> KernelClass:
        """The class, decided in `kreport.classify`."""
        return self.classification.kernel_class

    @property
    def blocker(self) -> Blocker | None:
        """Who owns what blocks the kernel."""
        return self.classification.blocker

    @property
    def is_compared(self) -> bool:
        """Whether the kernel counts in the geometric mean and in the tiers."""
        return math.isfinite(self.geomean_pct)

    @property
    def baseline_is_wrong(self) -> bool:
        """Whether the ratio stands against a baseline whose own check fails."""
        return any(
            case.baseline.correct is Correctness.FAIL and case.baseline.status is Status.OK
            for case in self.cases
        )


def worst_first(kernel: KernelResult) -> tuple[tuple[bool, float], str, str]:
    """Sort key of "the worst": by geometric mean, kernels without one last, then by name."""
    return lowest_first(kernel.geomean_pct), kernel.name, kernel.family


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the run table and the matrix do not have in common, by kernel name."""

    csv_only: tuple[str, ...] = ()
    matrix_only: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def best_clock(cases: Sequence[CaseResult]) -> str:
    """Return the quietest clock that any of the cases was measured on."""
    present = {case.key.timer for case in cases}
    known = [clock for clock in CLOCK_PREFERENCE if clock in present]
    return known[0] if known else min(present, default="")


def kernels_of(
    cases: Sequence[CaseResult],
    matrix: StateMatrix | None,
    clock: str,
    bounds: TierBounds,
) -> tuple[KernelResult, ...]:
    """Group cases by kernel, in input order, and class each kernel.

    A kernel that was not measured on `clock` stands on its own best clock; its `timer` says so.
    """
    entries = _entries(matrix)
    grouped: dict[tuple[str, str], list[CaseResult]] = {}
    for case in cases:
        grouped.setdefault((case.key.family, case.key.kernel), []).append(case)
    return tuple(
        _kernel(
            family, name, group, entries.get(("", name), entries.get((family, name))), clock, bounds
        )
        for (family, name), group in grouped.items()
    )


def _entries(matrix: StateMatrix | None) -> dict[tuple[str, str], MatrixEntry]:
    """Look-up by (family, name), and by ("", name) where the name alone is unambiguous."""
    found: dict[tuple[str, str], MatrixEntry] = {}
    names: dict[str, list[MatrixEntry]] = {}
    for entry in matrix.entries if matrix else ():
        found.setdefault((entry.family, entry.name), entry)
        names.setdefault(entry.name, []).append(entry)
    for name, group in names.items():
        if len({entry.family for entry in group}) == 1:
            found[("", name)] = group[0]
    return found


def _kernel(
    family: str,
    name: str,
    cases: Sequence[CaseResult],
    entry: MatrixEntry | None,
    clock: str,
    bounds: TierBounds,
) -> KernelResult:
    stated = entry or _stored_entry(cases[0])
    classification = classify(cases, stated)
    timer = clock if any(case.key.timer == clock for case in cases) else best_clock(cases)
    ratios = [
        case.ratio_pct
        for case in cases
        if case.key.timer == timer and math.isfinite(case.ratio_pct)
    ]
    compared = bool(ratios) and classification.kernel_class in COMPARED_CLASSES
    mean = geomean(ratios) if compared else math.nan
    return KernelResult(
        family=family,
        name=name,
        cases=tuple(cases),
        timer=timer,
        classification=classification,
        low_pct=min(ratios, default=math.nan),
        high_pct=max(ratios, default=math.nan),
        geomean_pct=mean,
        tier=tier_of(mean, bounds) if compared else None,
        entry=entry,
    )


def _stored_entry(case: CaseResult) -> MatrixEntry | None:
    """Matrix row that an earlier report's CSV stands in for: its own class and blocker."""
    stored = case.stored_class
    if not stored:
        return None
    words = {
        KernelClass.TILE_FIRST: "green + tile-first",
        KernelClass.SCALAR_HEAVY: "green but scalar-heavy",
    }
    blocked = f"blocked by {case.stored_blocker}" if case.stored_blocker else ""
    primary = words.get(stored, blocked)  # type: ignore[call-overload]
    return MatrixEntry(name=case.key.kernel, primary_class=primary, scalar_hot_path=None)


def coverage_of(kernels: Sequence[KernelResult], matrix: StateMatrix | None) -> Coverage:
    """Compare what was measured with what the matrix knows, name by name."""
    if matrix is None:
        return Coverage()
    used = {id(kernel.entry) for kernel in kernels}
    measured = {kernel.name for kernel in kernels}
    return Coverage(
        csv_only=tuple(sorted({kernel.name for kernel in kernels if kernel.entry is None})),
        matrix_only=tuple(
            entry.name
            for entry in matrix.entries
            if id(entry) not in used and entry.name not in measured
        ),
        contradictions=tuple(
            found
            for kernel in kernels
            if kernel.entry is not None
            for found in contradictions(kernel.cases, kernel.entry)
        ),
    )
