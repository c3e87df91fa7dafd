"""Kernels whose class is another one now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kreport.verdicts.results import ClassChange

if TYPE_CHECKING:
    from kreport.classify import TierBounds
    from kreport.kernels import KernelResult
    from kreport.model import StateMatrix
    from kreport.schema import RunTable


def class_changes(
    old: RunTable, new: RunTable, matrix: StateMatrix | None, bounds: TierBounds | None
) -> tuple[ClassChange, ...]:
    """Class changes of the kernels that both tables have, by family and name.

    Needs a kernel-state matrix, or tables that kreport wrote with their classes in them; without
    either there is no class to compare.
    """
    if matrix is None and not all(
        table.frame["stored_class"].astype(bool).any() for table in (old, new)
    ):
        return ()
    before, now = (_classed(table, matrix, bounds) for table in (old, new))
    return tuple(
        ClassChange(*name, before[name].classification, now[name].classification)
        for name in sorted(before.keys() & now.keys())
        if before[name].kernel_class is not now[name].kernel_class
    )


def _classed(
    table: RunTable, matrix: StateMatrix | None, bounds: TierBounds | None
) -> dict[tuple[str, str], KernelResult]:
    from kreport.cases import cases_of
    from kreport.classify import TierBounds
    from kreport.kernels import best_clock, kernels_of

    cases = cases_of(table)
    kernels = kernels_of(cases, matrix, best_clock(cases), bounds or TierBounds())
    return {(kernel.family, kernel.name): kernel for kernel in kernels}
