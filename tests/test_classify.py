"""Classes: the first rule that holds, as the domain states them."""

from __future__ import annotations

import pytest

from kreport.cases import CaseResult, cases_of
from kreport.classify import TierBounds, classify, contradictions, tier_of
from kreport.model import Blocker, KernelClass, MatrixEntry, Tier
from tests.tables import row, table

NO_PTO = {"pto_status": "blocked", "pto_correct": "fail", "pto_median_ms": float("nan")}
NO_BASELINE = {
    "baseline_status": "blocked",
    "baseline_correct": "fail",
    "baseline_median_ms": float("nan"),
}


def cases(*variants: dict[str, object]) -> tuple[CaseResult, ...]:
    return cases_of(table(*(row(shape=f"[{i}]", **values) for i, values in enumerate(variants))))


def entry(primary_class: str, scalar: bool | None = False, **values: str) -> MatrixEntry:
    return MatrixEntry("gemm", primary_class, scalar, **values)  # type: ignore[arg-type]


TILE, SCALAR = entry("green + tile-first"), entry("green but scalar-heavy", True)
HOST = entry("blocked by host baseline/runtime gap")

RULES = [
    ("tile", [{}], TILE, KernelClass.TILE_FIRST, None),
    ("scalar", [{}], SCALAR, KernelClass.SCALAR_HEAVY, None),
    ("no matrix", [{}], None, KernelClass.UNCLASSIFIED, None),
    ("pto blocked", [NO_PTO], TILE, KernelClass.PTO_BLOCKED, Blocker.UNKNOWN),
    (
        "pto blocked, owner known",
        [NO_PTO],
        entry("blocked by PTOAS lowering"),
        KernelClass.PTO_BLOCKED,
        Blocker.PTOAS_LOWERING,
    ),
    (
        "backend",
        [NO_PTO],
        entry("blocked by pto-isa/backend capability"),
        KernelClass.PTO_BLOCKED,
        Blocker.PTO_ISA_BACKEND,
    ),
    (
        "both blocked, surface",
        [NO_PTO | NO_BASELINE],
        entry("blocked by PTODSL surface"),
        KernelClass.PTO_BLOCKED,
        Blocker.PTODSL_SURFACE,
    ),
    (
        "both blocked, host",
        [NO_PTO | NO_BASELINE],
        HOST,
        KernelClass.BASELINE_BLOCKED,
        Blocker.HOST_BASELINE,
    ),
    (
        "both blocked, no matrix",
        [NO_PTO | NO_BASELINE],
        None,
        KernelClass.PTO_BLOCKED,
        Blocker.UNKNOWN,
    ),
    ("wrong", [{"pto_correct": "fail"}], TILE, KernelClass.PTO_BLOCKED, Blocker.CORRECTNESS),
    (
        "wrong without a baseline",
        [NO_BASELINE | {"pto_correct": "fail"}],
        HOST,
        KernelClass.PTO_BLOCKED,
        Blocker.CORRECTNESS,
    ),
    ("baseline blocked", [NO_BASELINE], HOST, KernelClass.BASELINE_BLOCKED, Blocker.HOST_BASELINE),
    ("baseline wrong", [{"baseline_correct": "fail"}], TILE, KernelClass.TILE_FIRST, None),
    (
        "class column alone",
        [{}],
        entry("green but scalar-heavy", None),
        KernelClass.SCALAR_HEAVY,
        None,
    ),
    ("silent matrix", [{}], entry("", None), KernelClass.UNCLASSIFIED, None),
    ("pto not measured", [{"pto_status": "missing"}], TILE, KernelClass.UNCLASSIFIED, None),
]


@pytest.mark.parametrize(
    ("variants", "matrix", "kernel_class", "blocker"),
    [rule[1:] for rule in RULES],
    ids=[rule[0] for rule in RULES],
)
def test_first_rule_that_holds(
    variants: list[dict[str, object]],
    matrix: MatrixEntry | None,
    kernel_class: KernelClass,
    blocker: Blocker | None,
) -> None:
    found = classify(cases(*variants), matrix)
    assert (found.kernel_class, found.blocker) == (kernel_class, blocker)
    assert not found.partial


def test_cases_that_run_decide_and_the_kernel_is_partial() -> None:
    found = classify(cases({}, NO_PTO), TILE)
    assert found.kernel_class is KernelClass.TILE_FIRST
    assert found.partial


@pytest.mark.parametrize(
    ("ratio", "tier"),
    [
        (90.0, Tier.PARITY),
        (89.99, Tier.CLOSE),
        (70.0, Tier.CLOSE),
        (69.9, Tier.MIDDLE),
        (30.0, Tier.MIDDLE),
        (29.9, Tier.SLOW),
        (250.0, Tier.PARITY),
    ],
)
def test_tiers_by_their_lower_bounds(ratio: float, tier: Tier) -> None:
    assert tier_of(ratio, TierBounds()) is tier


def test_a_stale_matrix_is_named_subject_by_subject() -> None:
    stale = entry("green + tile-first", True, baseline_status="ok", pto_status="ok")
    found = contradictions(cases(NO_PTO), stale)
    assert [(item.subject, item.measured, item.matrix) for item in found] == [
        ("PTO status", "blocked", "ok"),
        ("hot path", "scalar", "green + tile-first"),
    ]
    wrong = contradictions(cases({"pto_correct": "fail"}), TILE)
    assert [item.subject for item in wrong] == ["correctness"]
    assert contradictions(cases({}), entry("green + tile-first", False, pto_status="ok")) == ()
