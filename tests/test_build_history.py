"""What a build learns from the runs before it, and what it must not learn from."""

from __future__ import annotations

from pathlib import Path

import pytest

from kreport.errors import InputError
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


def summary(result: Built, key: str) -> list[str]:
    return [line.text for line in result.view.summary if line.key == key]


def test_changes_since_an_earlier_file_open_the_report(tmp_path: Path) -> None:
    old = run(tmp_path, 1, 20.0)
    result = built(run(tmp_path, 2, 0.0, "BLOCKED"), tmp_path, previous=str(old))
    changes = summary(result, "changes")
    assert changes[0].startswith("since regression_20260401T060000Z.csv of 2026-04-01 06:00:00 UTC")
    assert "newly blocked: gemm" in changes
    assert result.view.rows[0].verdict == "newly blocked"
    assert ",newly blocked," in (tmp_path / "out" / "regression_latest.csv").read_text()


def test_auto_takes_the_newest_older_run_and_stays_the_same_when_run_again(tmp_path: Path) -> None:
    for day in (1, 2, 3):
        result = built(run(tmp_path, day, 20.0), tmp_path, previous="auto")
    assert summary(result, "changes")[0].startswith("since regression_20260402T060000Z.csv")
    assert (
        built(tmp_path / "regression_20260403T060000Z.csv", tmp_path, previous="auto").changed == ()
    )


def test_auto_says_why_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    first = built(run(tmp_path, 1, 20.0), tmp_path, previous="auto")
    assert summary(first, "changes") == ["no earlier run of these clocks and devices is archived"]
    undated = tmp_path / "undated.csv"
    undated.write_text("kernel,shape,baseline_us,pto_us,status\ngemm,64,10.0,20.0,OK\n")
    later = built(undated, tmp_path, previous="auto")
    assert "nothing dates this data" in summary(later, "changes")[0]


def test_a_step_far_beyond_the_history_is_a_confirmed_slowdown(tmp_path: Path) -> None:
    for day in range(1, 13):
        built(run(tmp_path, day, 20.0 + day % 3 / 10), tmp_path)
    prom = tmp_path / "kreport.prom"
    result = built(run(tmp_path, 13, 30.0), tmp_path, previous="auto", prom=str(prom))
    assert result.view.rows[0].verdict == "slower"
    assert "kreport_regressions 1.0" in prom.read_text()


def samples(folder: Path, name: str, pto_ms: float) -> Path:
    lines = ["run,kernel,side,timer,status,sample_index,latency_ms"]
    for side, level in (("baseline", 10.0), ("pto", pto_ms)):
        lines += [f"r,gemm,{side},host,ok,{i},{level + i / 10}" for i in range(8)]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_verdict_nothing_confirms_is_said_in_words_and_written_for_programs(
    tmp_path: Path,
) -> None:
    old, new = samples(tmp_path, "old", 10.0), samples(tmp_path, "new", 20.0)
    result = built(new, tmp_path, previous=str(old), lang="zh")
    assert result.view.rows[0].verdict == "变慢，未确认（单次运行）"
    page = (tmp_path / "out" / "regression_latest.html").read_text("utf-8")
    assert "变慢，未确认（单次运行）" in page
    assert "unconfirmed" not in page
    assert ",unconfirmed slower," in (tmp_path / "out" / "regression_latest.csv").read_text()


@pytest.mark.parametrize("damage", ["<<<<<<< ours\n", '"', "a,b"])
def test_a_damaged_newest_run_stops_no_night(tmp_path: Path, damage: str) -> None:
    """Compared with nothing, and said; the run that was named by hand is another matter."""
    for day in (1, 2):
        built(run(tmp_path, day, 20.0), tmp_path, previous="auto")
    (newest,) = (tmp_path / "out" / "archive").glob("*20260402*.csv")
    newest.write_text(newest.read_text() + damage)
    result = built(run(tmp_path, 3, 20.0), tmp_path, previous="auto")
    changes = [line.text for line in result.view.summary if line.key == "changes"]
    assert any("the newest archived run is damaged" in line for line in changes)
    with pytest.raises(InputError):
        built(run(tmp_path, 4, 20.0), tmp_path, previous=str(newest), strict=True)
