"""Which kernel is the worst: every list of a report says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kreport.kernels import worst_first
from kreport.pipeline.build import Built, build, say_built
from kreport.settings import Settings

RATIOS = {"one_bad_shape": (10, 90, 90, 90), "evenly_slow": (40, 41), "blocked": ()}


@pytest.fixture
def built(tmp_path: Path) -> Built:
    """Two kernels whose order depends on the mean that is taken, and one that does not run."""
    lines = ["kernel,shape,baseline_status,pto_status,baseline_median_us,pto_median_us"]
    for kernel, ratios in RATIOS.items():
        lines += [f"{kernel},s{i},ok,ok,{ratio},100.0" for i, ratio in enumerate(ratios)]
    lines.append("blocked,s0,ok,blocked,100.0,")
    source = tmp_path / "runs.csv"
    source.write_text("\n".join(lines) + "\n")
    settings = Settings(inputs=(str(source),), out=str(tmp_path / "out"), archive="")
    result = build(settings)
    assert isinstance(result, Built)
    return result


def test_the_table_the_picture_and_the_summary_agree(built: Built) -> None:
    names = [kernel.name for kernel in sorted(built.report.kernels, key=worst_first)]
    assert names == ["evenly_slow", "one_bad_shape", "blocked"]
    assert [kernel.name for kernel in built.report.overview.worst] == names[:2]
    picture = next(path for path in built.files if path.suffix == ".svg").read_text()
    drawn = re.findall(r">(evenly_slow|one_bad_shape)<", picture)
    assert drawn == names[:2]


def test_the_terminal_has_the_same_order_below_ports_that_do_not_run(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    say_built(built, Settings(inputs=("runs.csv",)), quiet=False, everything=False)
    shown = capsys.readouterr().out
    listed = [line.split()[0] for line in shown.splitlines() if line.startswith(tuple(RATIOS))]
    assert listed == ["blocked", "evenly_slow", "one_bad_shape"]
