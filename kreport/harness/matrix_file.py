"""A kernel-state matrix out of a set of runs: how each port is built, and whether it runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from kreport.atomic import write_all
from kreport.harness.record import CaseRecord, RunRecord
from kreport.model import Correctness, Side, Status


def write_matrix(path: Path, records: Sequence[RunRecord], generated_at: str) -> None:
    """Write the matrix as JSON. Raises `OutputError` where it cannot be written."""
    write_all({path: matrix_json(records, generated_at).encode()})


def matrix_json(records: Sequence[RunRecord], generated_at: str) -> str:
    """One entry a kernel, as its last run saw it; `generated_at` is ``20260321T024111Z``.

    A kernel has the structure of its worst shape: one scalar port makes it scalar. Who owns what
    blocks a port is for people to say: the class of a blocked one is left empty.
    """
    kernels: dict[tuple[str, str], list[CaseRecord]] = {}
    for case in records[-1].cases:
        kernels.setdefault((case.name.family, case.name.kernel), []).append(case)
    entries = [_entry(family, kernel, cases) for (family, kernel), cases in kernels.items()]
    return json.dumps({"generated_at": generated_at, "kernels": entries}, indent=1) + "\n"


def _entry(family: str, kernel: str, cases: Sequence[CaseRecord]) -> dict[str, object]:
    structures = {case.name.structure for case in cases}
    scalar = True if "scalar" in structures else False if structures == {"tile"} else None
    baseline, pto = (_status(case.sides[side].status for case in cases) for side in Side)
    wrong = any(case.sides[Side.PTO].correct is Correctness.FAIL for case in cases)
    return {
        "name": kernel,
        "family": family,
        "primary_class": _primary_class(baseline, pto, wrong, scalar),
        "scalar_hot_path": scalar,
        "scalar_matches": sorted({match for case in cases for match in case.name.scalar_matches}),
        "baseline_status": baseline,
        "pto_status": pto,
        "baseline_reason": _reason(cases, Side.BASELINE),
        "pto_reason": _reason(cases, Side.PTO),
        "pto_correctness_passes": pto == "ok" and not wrong,
    }


def _status(statuses: Iterable[Status]) -> str:
    return "ok" if Status.OK in set(statuses) else "blocked"


def _primary_class(baseline: str, pto: str, wrong: bool, scalar: bool | None) -> str:
    if pto == "blocked":
        return ""
    if wrong:
        return "blocked by PTO correctness gap"
    if baseline == "blocked":
        return "blocked by host baseline/runtime gap"
    if scalar is None:
        return ""
    return "green but scalar-heavy" if scalar else "green + tile-first"


def _reason(cases: Sequence[CaseRecord], side: Side) -> str:
    return next((case.sides[side].reason for case in cases if case.sides[side].reason), "")
