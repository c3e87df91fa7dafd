"""``kreport build``: read the inputs, work out the report, write it whole or not at all."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.archive.store import LATEST
from kreport.atomic import lock, write_all
from kreport.classify import TierBounds
from kreport.errors import InputError, NothingComparable
from kreport.lock import Busy
from kreport.pipeline.absence import absent_inputs, require_clock
from kreport.pipeline.changes import changes_in_numbers, since_previous
from kreport.pipeline.other_runs import extras_of
from kreport.pipeline.past import keep, past_runs
from kreport.problems import Severity, of_severity
from kreport.readers import ReadOptions, read_matrix, read_runs
from kreport.report.catalogue import Catalogue
from kreport.report.page.page_render import render_page, render_picture
from kreport.report.problem_lines import show_problems
from kreport.report.render import render
from kreport.report.run.budget import fit
from kreport.report.run.build_view import BuildView, Extras, build_view
from kreport.report.run.case_cells import Place
from kreport.report.run.csv_view import csv_view
from kreport.report.run.json_view import json_view
from kreport.run_report import RunReport, data_stamp, run_report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreport.archive.history import History
    from kreport.model import StateMatrix
    from kreport.schema import RunTable
    from kreport.settings import Settings


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build: the report, its view, and which files really changed."""

    report: RunReport
    view: BuildView
    files: tuple[Path, ...]
    changed: tuple[Path, ...]


def build(settings: Settings) -> Built | Busy:
    """Read, report and write; `Busy` where another build is at work on the same folder.

    Raises:
        InputError: an input cannot be read or trusted; nothing was written.
        NothingComparable: an input or the clock asked for is not there, no row of any input can be
            used, or the example would stand where a report of real data does.
        OutputError: the report cannot be written; the old one still stands.
    """
    out = Path(settings.out)
    if not out.is_dir():
        return _build(settings)  # made only once there is something to put into it
    with lock(out) as answer:
        return answer if isinstance(answer, Busy) else _build(settings)


def _build(settings: Settings) -> Built:
    if uses_example(settings):
        _spare_real_data(settings)
    options = ReadOptions.of(settings)
    inputs = read_inputs(settings, options)
    if settings.timer:
        require_clock(settings.timer, inputs.table.frame["timer"])
    past = past_runs(settings, data_stamp(inputs.table), options)
    report = report_on(inputs, settings, past)
    text = Catalogue(settings.lang)
    place = Place(out=settings.out, root=settings.report_root or ".")
    since = since_previous(inputs.table, inputs.matrix, past, settings, options)
    extras = extras_of(report, inputs.table, past, since, settings, text)
    view = build_view(report, text, place, extras, f"{LATEST}.csv", f"{LATEST}.svg")
    texts = rendered(report, view, text, settings, extras)
    files = {Path(settings.out) / name: content.encode() for name, content in texts.items()}
    if not uses_example(settings):
        # Before the report: killed in between, the archive has a run whose report the next build
        # writes. The other way round, a run whose inputs are gone by then would be lost.
        keep(texts[f"{LATEST}.csv"], texts[f"{LATEST}.json"], report.data_stamp, settings)
    changed = write_all(files)
    if settings.prom:
        from kreport.prometheus import prometheus_text

        changes = changes_in_numbers(since.diff) if since and since.diff else None
        prom = prometheus_text(report, stamps.now().timestamp(), changes).encode()
        write_all({Path(settings.prom): prom})
    return Built(report, view, tuple(files), changed)


def say_built(built: Built | Busy, settings: Settings, *, quiet: bool, everything: bool) -> None:
    """Tell a terminal what the report says, and a pipe where it is."""
    text = Catalogue(settings.lang)
    if isinstance(built, Busy):
        _say(text("console.busy", busy=built))
        return
    report = built.report
    if quiet:
        if report.set_aside:
            _say(text("console.set_aside", n=report.set_aside))
        return
    if everything:
        show_problems(report.problems, None)
    else:
        show_problems(of_severity(report.problems, Severity.ROW))
    if uses_example(settings):
        _say(text("console.example"))
    if sys.stdout.isatty():
        from kreport.report.run.build_console import show_report

        show_report(report, built.view.summary, text, everything=everything)
    for path in built.files:
        sys.stdout.write(f"{path}\n")


def _say(line: str) -> None:
    sys.stderr.write(f"kreport: {line}\n")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a report is made from, as read."""

    table: RunTable
    matrix: StateMatrix | None


def read_inputs(settings: Settings, options: ReadOptions) -> Inputs:
    """Read the inputs that the settings name, or the shipped example.

    Raises:
        InputError: an input cannot be read or trusted.
        NothingComparable: an input is not there, or no row of any input can be used.
    """
    paths, matrix_path = _paths(settings)
    try:
        table = read_runs(paths, options)
        matrix = read_matrix(matrix_path, options) if matrix_path else None
    except InputError as error:
        absent = absent_inputs(error)
        if absent:
            from kreport.health import standing_report

            stays = standing_report(Path(settings.out), stamps.now_stamp())
            raise NothingComparable(f"{absent}; {stays}") from None
        raise
    if table.frame.empty:
        raise NothingComparable(
            f"no row can be used: {table.set_aside} rows set aside in {', '.join(paths)}"
        )
    return Inputs(table, matrix)


def report_on(inputs: Inputs, settings: Settings, past: History | None = None) -> RunReport:
    """Work out the report on what was read, with the bounds of the settings."""
    bounds = TierBounds.of(settings)
    return run_report(inputs.table, inputs.matrix, timer=settings.timer, bounds=bounds, past=past)


def rendered(
    report: RunReport, view: BuildView, text: Catalogue, settings: Settings, extras: Extras
) -> Mapping[str, str]:
    """Fill in every template of the report; the file names are those written."""

    def markdown(shown: BuildView) -> str:
        return render("regression.md", text, settings.templates, view=shown)

    changes = extras.changes_by_case
    return {
        f"{LATEST}.md": fit(view, settings.max_chars, markdown),
        f"{LATEST}.csv": render(
            "regression.csv", text, settings.templates, table=csv_view(report, changes)
        ),
        f"{LATEST}.json": render(
            "regression.json", text, settings.templates, record=json_view(report, changes)
        ),
        f"{LATEST}.html": render_page(report, view, text, extras, settings.templates),
        f"{LATEST}.svg": render_picture(report, text, settings.templates),
    }


def example_folder() -> Path:
    """Return the folder of the shipped example: inside an installed package, else beside it."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "example"
    return inside if inside.is_dir() else package.parent / "fixtures" / "valid" / "example"


def _spare_real_data(settings: Settings) -> None:
    """The example shows what a report is; it must never stand where a real one did."""
    standing = Path(settings.out) / f"{LATEST}.json"
    try:
        files = [source["file"] for source in json.loads(standing.read_text("utf-8"))["inputs"]]
    except (OSError, ValueError, KeyError, TypeError):
        files = []
    inside = example_folder().resolve()
    if any(not Path(file).resolve().is_relative_to(inside) for file in files):
        raise NothingComparable(
            f"no inputs given or configured, and {standing} is a report on other data: "
            "nothing was done"
        )
    if settings.prom:
        raise NothingComparable(
            "no inputs given or configured: a Prometheus file is not written of the example"
        )


def uses_example(settings: Settings) -> bool:
    """Whether neither the command line nor the settings name an input."""
    return not settings.inputs


def _paths(settings: Settings) -> tuple[tuple[str, ...], str]:
    if not uses_example(settings):
        return settings.inputs, settings.matrix
    folder = example_folder()
    if folder.is_relative_to(Path.cwd()):
        folder = folder.relative_to(Path.cwd())
    matrix = next(folder.glob("kernel_state_matrix_*.md"))
    return (str(folder / "runs"),), settings.matrix or str(matrix)
