"""What a lead wants in ten seconds: counts, parity, the geometric mean and its denominator."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.kernels import worst_first
from kreport.model import Blocker, KernelClass, Tier
from kreport.stats import geomean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kreport.kernels import KernelResult

WORST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Overview:
    """The report in numbers. Ratios are percent.

    `geomean_pct` is over the `compared` kernels alone, each by its own geometric mean, on the
    report's clock; NaN where nothing is compared. `left_out` says why the others are not in it.
    """

    clock: str
    kernels: int
    cases: int
    by_class: Mapping[KernelClass, int]
    by_blocker: Mapping[Blocker, int]
    by_tier: Mapping[Tier, int]
    compared: int
    left_out: Mapping[str, int]
    geomean_pct: float
    parity: int
    parity_pct: float
    worst: tuple[KernelResult, ...]
    partial: tuple[KernelResult, ...]
    against_wrong_baseline: tuple[KernelResult, ...]


OTHER_CLOCK = "another clock"
NO_RATIO = "no ratio"
LEFT_OUT = (
    KernelClass.BASELINE_BLOCKED.value,
    KernelClass.PTO_BLOCKED.value,
    NO_RATIO,
    OTHER_CLOCK,
)


def overview_of(kernels: Sequence[KernelResult], clock: str, parity_pct: float) -> Overview:
    """Count and average kernels; those without a ratio on `clock` are counted apart by reason."""
    compared = [kernel for kernel in kernels if kernel.is_compared and kernel.timer == clock]
    left_out = Counter(_why_left_out(kernel, clock) for kernel in kernels)
    left_out.pop("", None)
    by_class = Counter(kernel.kernel_class for kernel in kernels)
    blockers = Counter(
        kernel.blocker
        for kernel in kernels
        if kernel.kernel_class is KernelClass.PTO_BLOCKED and kernel.blocker is not None
    )
    tiers = Counter(kernel.tier for kernel in compared)
    return Overview(
        clock=clock,
        kernels=len(kernels),
        cases=sum(len(kernel.cases) for kernel in kernels),
        by_class={found: by_class[found] for found in KernelClass},
        by_blocker={found: blockers[found] for found in Blocker if blockers[found]},
        by_tier={found: tiers[found] for found in Tier},
        compared=len(compared),
        left_out={why: left_out[why] for why in LEFT_OUT if left_out[why]},
        geomean_pct=geomean(kernel.geomean_pct for kernel in compared),
        parity=sum(kernel.geomean_pct >= parity_pct for kernel in compared),
        parity_pct=parity_pct,
        worst=tuple(sorted(compared, key=worst_first)[:WORST_SHOWN]),
        partial=tuple(kernel for kernel in kernels if kernel.classification.partial),
        against_wrong_baseline=tuple(kernel for kernel in compared if kernel.baseline_is_wrong),
    )


def _why_left_out(kernel: KernelResult, clock: str) -> str:
    if kernel.is_compared:
        return "" if kernel.timer == clock else OTHER_CLOCK
    blocked = (KernelClass.BASELINE_BLOCKED, KernelClass.PTO_BLOCKED)
    return kernel.kernel_class.value if kernel.kernel_class in blocked else NO_RATIO
