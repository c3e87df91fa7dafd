"""``python -m bench.speed``: kreport's commands against their floors; writes results.md."""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.speed import inputs
from bench.speed.measure import Pair, paired

RESULTS = Path(__file__).parent / "results.md"
LIBRARIES = "pandas, numpy, jinja2, rich.table, typer, markdown_it"
READ_AND_REDUCE = (
    "import sys, pandas; frame = pandas.read_csv(sys.argv[1]); "
    "keys = ['run', 'family', 'kernel', 'variant_label', 'side', 'timer']; "
    "frame.groupby(keys)['latency_ms'].quantile([0.25, 0.5, 0.75])"
)


@dataclass(frozen=True, slots=True)
class Task:
    """A command, what it cannot be faster than, and how much slower it may be."""

    name: str
    command: list[str]
    floor_name: str
    floor: list[str]
    allowed: str
    runs: int


def tasks(folder: Path) -> Iterator[Task]:
    """Every comparison, its inputs written into `folder`."""
    python = sys.executable
    kreport = [str(Path(python).with_name("kreport"))]
    if not Path(kreport[0]).exists():
        kreport = [python, "-m", "kreport"]
    imports = [python, "-c", f"import {LIBRARIES}"]
    yield Task(
        "--version", [*kreport, "--version"], "python -c pass", [python, "-c", "pass"], "2.0", 21
    )
    yield Task(
        "--help",
        [*kreport, "--help"],
        "python -c 'import typer'",
        [python, "-c", "import typer"],
        "120 ms",
        21,
    )
    out = ["--out", str(folder / "out")]
    small = inputs.wide_run(folder / "small.csv", 107, 1)
    yield Task(
        "build, 107 rows",
        [*kreport, "build", str(small), *out],
        f"import {LIBRARIES}",
        imports,
        "1.4",
        11,
    )
    runs = inputs.samples(folder / "runs.csv", range(95), 53, 100)
    yield Task(
        "build, 1M samples: 95 runs of 53 cases",
        [*kreport, "build", str(runs), *out],
        "pandas.read_csv + groupby quantile",
        [python, "-c", READ_AND_REDUCE, str(runs)],
        "1.5, 250 MB",
        7,
    )
    million = inputs.samples(folder / "million.csv", [1], 5_000, 100)
    yield Task(
        "build, 1M samples: one run of 5,000 cases",
        [*kreport, "build", str(million), *out],
        "pandas.read_csv + groupby quantile",
        [python, "-c", READ_AND_REDUCE, str(million)],
        "1.5, 250 MB",
        7,
    )
    old = folder / "old"
    old.mkdir(exist_ok=True)
    for run in range(10):
        inputs.wide_run(old / f"run_{run:02}.csv", 10_000, run)
    new = inputs.wide_run(folder / "new.csv", 10_000, 99)
    quiet = ["--format", "csv"]
    yield Task(
        "diff, 10,000 cases x 10 runs against 1",
        [*kreport, "diff", str(old), str(new), *quiet],
        f"import {LIBRARIES}",
        imports,
        "3 s",
        5,
    )
    other = inputs.samples(folder / "other.csv", [2], 5_000, 100)
    yield Task(
        "diff, 2 x 1M samples",
        [*kreport, "diff", str(million), str(other), *quiet],
        "pandas.read_csv + groupby quantile of one",
        [python, "-c", READ_AND_REDUCE, str(million)],
        "",
        3,
    )


def row(task: Task, pair: Pair) -> str:
    """One line of the table."""
    return (
        f"| {task.name} | {pair.wall_s * 1e3:.0f} ms | {pair.peak_mb:.0f} MB | {task.floor_name} | "
        f"{pair.floor_s * 1e3:.0f} ms | {pair.ratio:.2f} | {task.allowed} | {pair.runs} |"
    )


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="measure tasks whose name has this")
    only = parser.parse_args().only
    lines = [
        "# Speed of whole processes",
        "",
        "Medians of paired runs, a command and its floor in turn; the ratio is the median of the",
        f"pairs. Python {platform.python_version()}, {platform.machine()}.",
        "",
        "| command | wall | peak memory | floor | floor wall | ratio | allowed | pairs |",
        "| --- | ---: | ---: | --- | ---: | ---: | --- | ---: |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks(Path(folder)):
            if only in task.name:
                lines.append(row(task, paired(task.command, task.floor, task.runs)))
                sys.stdout.write(lines[-1] + "\n")
    if not only:
        RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
