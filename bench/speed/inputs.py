"""Inputs of the speed benchmark: written once into a folder, the same bytes each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

FAMILIES = ("gmm", "attention", "moe", "norm", "ffn")
WIDE_HEADER = (
    "run,family,kernel,variant_label,shape_summary_json,baseline_status,pto_status,"
    "baseline_correct,pto_correct,timer,baseline_n,baseline_median_ms,baseline_q1_ms,"
    "baseline_q3_ms,pto_n,pto_median_ms,pto_q1_ms,pto_q3_ms\n"
)
SAMPLE_HEADER = (
    "run,family,kernel,variant_label,shape_summary_json,side,timer,status,sample_index,"
    "latency_ms,reason\n"
)


def wide_run(path: Path, cases: int, run: int) -> Path:
    """One run of `cases` cases as medians with quartiles."""
    if path.exists():
        return path
    rng = np.random.default_rng(run)
    medians = np.exp(rng.normal(0, 0.02, (cases, 2))) * (0.05 + 0.001 * np.arange(cases))[:, None]
    with path.open("w") as file:
        file.write(WIDE_HEADER)
        medians[:, 1] *= 1.7
        for case, (baseline, pto) in enumerate(medians.tolist()):
            file.write(
                f"r{run:03},{_name(case)},ok,ok,True,True,event,100,{baseline!r},"
                f"{baseline * 0.98!r},{baseline * 1.03!r},100,{pto!r},{pto * 0.98!r},"
                f"{pto * 1.03!r}\n"
            )
    return path


def samples(path: Path, runs: Sequence[int], cases: int, per_side: int) -> Path:
    """Raw samples in one file: `runs` x `cases` x two sides x `per_side` rows."""
    if path.exists():
        return path
    with path.open("w") as file:
        file.write(SAMPLE_HEADER)
        for run in runs:
            rng = np.random.default_rng(run)
            for case in range(cases):
                for side, factor in (("baseline", 1.0), ("pto", 1.7)):
                    centre = (0.05 + 0.001 * case) * factor
                    latencies = centre * np.exp(rng.normal(0, 0.03, per_side))
                    file.writelines(_sample_rows(run, case, side, latencies))
    return path


def _sample_rows(run: int, case: int, side: str, latencies: np.ndarray) -> Iterator[str]:
    head = f"r{run:03},{_name(case)},{side},event,ok,"
    for index, latency in enumerate(latencies.tolist()):
        yield f"{head}{index},{latency:.6f},\n"


def _name(case: int) -> str:
    kernel, variant = divmod(case, 5)
    family = FAMILIES[kernel % len(FAMILIES)]
    size = 2 ** (5 + variant)
    return f'{family},kernel_{kernel:05},m{size},"{{""x"": [{size}, 128], ""out"": [{size}, 64]}}"'
