"""What a build learns from the runs before it, and what it must not learn from."""

from __future__ import annotations

from pathlib import Path

import pytest

from kreport.pipeline.build import Built, build
from kreport.settings import Settings


def run(folder: Path, day: int, pto_us: float, status: str = "OK") -> Path:
    path = folder / f"regression_202604{day:02}T060000Z.csv"
    pto = f"{pto_us}" if status == "OK" else ""
    path.write_text(
        "kernel,shape,baseline_us,pto_us,baseline_status,pto_status\n"
        f"gemm,64,10.0,{pto},ok,{'ok' if status == 'OK' else 'blocked'}\n"
    )
    return path


def built(source: Path, tmp_path: Path, **settings: str) -> Built:
    result = build(Settings(inputs=(str(source),), out=str(tmp_path / "out"), **settings))  # type: ignore[arg-type]
    assert isinstance(result, Built)
    return result


def test_medians_alone_get_a_band_from_the_archive(tmp_path: Path) -> None:
    for day in range(1, 9):
        result = built(run(tmp_path, day, 20.0 + day % 3 / 10), tmp_path)
    (row,) = result.view.rows
    assert row.band.endswith("(history n=7)")
    assert row.band != row.ratio


def test_a_confirmed_change_ends_what_can_be_learnt(tmp_path: Path) -> None:
    for day in range(1, 13):
        built(run(tmp_path, day, 40.0 + day % 3 / 10), tmp_path)
    for day in range(13, 25):
        result = built(run(tmp_path, day, 20.0 + day % 3 / 10), tmp_path)
    (row,) = result.view.rows
    assert row.band.endswith("(history n=11)")


def test_a_folder_of_runs_is_a_history_too(tmp_path: Path) -> None:
    past = tmp_path / "past"
    past.mkdir()
    for day in range(1, 8):
        run(past, day, 20.0 + day % 3 / 10)
    result = built(run(tmp_path, 20, 20.0), tmp_path, history=str(past))
    assert result.view.rows[0].band.endswith("(history n=7)")


def test_data_without_a_date_learns_nothing_and_stays_the_same(tmp_path: Path) -> None:
    source = tmp_path / "undated.csv"
    source.write_text("kernel,shape,baseline_us,pto_us,status\ngemm,64,10.0,20.0,OK\n")
    for _ in range(7):
        result = built(source, tmp_path)
    assert result.changed == ()
    assert result.view.rows[0].band == "none"


def test_a_kernel_that_changed_its_class_says_since_when(tmp_path: Path) -> None:
    for day in (1, 2):
        built(run(tmp_path, day, 20.0), tmp_path)
    result = built(run(tmp_path, 3, 0.0, "BLOCKED"), tmp_path)
    notes = [note for group in result.view.groups for row in group.rows for note in row.notes]
    assert any("until 2026-04-02 06:00:00 UTC, PTO-blocked" in note for note in notes)


def test_samples_of_a_real_run_give_the_numbers_of_numpy(shared: Path, tmp_path: Path) -> None:
    """Medians and bands of every case, against pandas and NumPy on the raw file."""
    import numpy as np
    import pandas as pd

    source = shared / "data" / "h200" / "aa_a001.csv.gz"
    result = built(source, tmp_path)
    raw = pd.read_csv(source)
    raw = raw[raw["status"] == "ok"]
    groups = {
        key: np.quantile(part["latency_ms"], (0.25, 0.5, 0.75))
        for key, part in raw.groupby(["kernel", "variant_label", "timer", "side"])
    }
    compared = 0
    for kernel in result.report.kernels:
        for case in kernel.cases:
            key = (kernel.name, case.key.variant_label, case.key.timer)
            sides = [groups.get((*key, side)) for side in ("baseline", "pto")]
            for quartiles, side in zip(sides, (case.baseline, case.pto), strict=True):
                assert (quartiles is None) == (side.status == "blocked")
                if quartiles is None:
                    assert side.reason
                else:
                    assert (side.q1_ms, side.median_ms, side.q3_ms) == tuple(quartiles)
            if sides[0] is not None and sides[1] is not None:
                assert case.band is not None
                assert case.ratio_pct == pytest.approx(sides[0][1] / sides[1][1] * 100)
                assert case.band.low == pytest.approx(sides[0][0] / sides[1][2] * 100)
                assert case.band.high == pytest.approx(sides[0][2] / sides[1][0] * 100)
                assert case.band.label == "samples n=100"
                compared += 1
    assert compared == 51
