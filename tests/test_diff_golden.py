"""A whole diff as it is printed: Markdown, terminal at two widths, CSV, in both languages.

``UPDATE_GOLDEN=1`` writes the golden files anew: read the difference before you keep it.
"""

from __future__ import annotations

import io
import math
import os
from pathlib import Path

import pytest

from kreport.pipeline.diff import diff, read_diff
from kreport.settings import Settings

GOLDEN = Path(__file__).parent / "golden" / "diff"
HEAD = (
    "family,kernel,variant_label,shape_summary_json,baseline_status,pto_status,baseline_correct,"
    "pto_correct,baseline_median_ms,baseline_q1_ms,baseline_q3_ms,baseline_n,pto_median_ms,"
    "pto_q1_ms,pto_q3_ms,pto_n,timer,pto_reason"
)
KERNELS = (
    *("matmul_tile", "softmax_rows", "rms_norm", "rope", "token_permute", "top_k_gate"),
    *("swiglu", "layer_norm", "flash_decode", "scatter_add", "cumsum"),
)
BLOCKED = "compile failed: no intrinsic for cumsum\nstack dump follows\n  at lower.py:12"


def cells(kernel: int, run: int, factor: float) -> str:
    """Both sides' latencies, scattering by half a percent in a fixed way."""
    level = 0.02 * 1.4**kernel
    told = []
    for side in (0, 1):
        median = level * (1 + side) * (1 + 0.005 * math.sin(7 * kernel + 3 * run + 11 * side))
        median *= factor if side else 1.0
        told.append(f"{median:.6f},{median * 0.985:.6f},{median * 1.02:.6f},100")
    return ",".join(told)


def write_run(path: Path, run: int, *, new: bool) -> None:
    factors = {"softmax_rows": 1.12, "swiglu": 0.81} if new else {}
    lines = [HEAD]
    for i, kernel in enumerate(KERNELS):
        if kernel == ("flash_decode" if new else "scatter_add"):
            continue
        if kernel == "cumsum" and new:
            status, correct, reason = "blocked", "", BLOCKED
            numbers = cells(i, run, 1.0).split(",")
            numbers[4:] = ["", "", "", ""]
            told = ",".join(numbers)
        else:
            status, reason = "ok", ""
            correct = "false" if kernel == "top_k_gate" and new else "true"
            told = cells(i, run, factors.get(kernel, 1.0))
        shape = '"{""x"": [128, ' + str(64 * (i + 1)) + ']}"'
        lines.append(
            f'ops,{kernel},base,{shape},ok,{status},true,{correct},{told},event_cold,"{reason}"'
        )
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for run in range(8):
        write_run(tmp_path / "old" / f"run_{run}.csv", run, new=False)
    for run in range(2):
        write_run(tmp_path / "new" / f"run_{run}.csv", 20 + run, new=True)
    return tmp_path


class Screen(io.StringIO):
    """Standard output that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


OUTPUTS = (
    ("diff.md", "md", "en", 0),
    ("diff_zh.md", "md", "zh", 0),
    ("diff.csv", "csv", "en", 0),
    ("diff_terminal.txt", "console", "en", 80),
    ("diff_pipe.txt", "console", "en", 0),
)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("name", "output", "lang", "width"), OUTPUTS)
def test_a_diff_is_printed_like_this(
    monkeypatch: pytest.MonkeyPatch, name: str, output: str, lang: str, width: int
) -> None:
    screen = Screen() if width else io.StringIO()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    settings = Settings(lang=lang)
    assert diff(read_diff("old", "new", settings), settings, output, everything=False) == 0
    found = "".join(f"{line.rstrip()}\n" for line in screen.getvalue().splitlines())
    golden = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")
