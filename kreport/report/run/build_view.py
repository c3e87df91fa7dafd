"""The report as a view: everything that its templates show, as plain formatted strings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.problems import Severity
from kreport.report.run.case_cells import CaseRow, Place, case_reasons, case_row, kernel_name
from kreport.report.run.kernel_cells import Group, groups_of
from kreport.report.run.summary_view import SummaryLine, summary_lines
from kreport.report.text import cut, first_line, one_line
from kreport.stats import lowest_first

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kreport.classify import Contradiction
    from kreport.kernels import KernelResult
    from kreport.model import CaseKey
    from kreport.problems import Problem
    from kreport.report.catalogue import Catalogue
    from kreport.run_report import RunReport
    from kreport.trend.series import Trend
    from kreport.verdicts.results import CaseDiff

VALUE_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Reason:
    """A text worth reading whole: why a side is blocked, or what limits it."""

    kernel: str
    what: str
    first: str
    body: str


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One finding in the inputs."""

    place: str
    what: str
    found: str
    done: str


@dataclass(frozen=True, slots=True)
class ContradictionRow:
    """One disagreement between the data and the matrix."""

    kernel: str
    subject: str
    measured: str
    said: str


@dataclass(frozen=True, slots=True)
class BuildView:
    """A report. The totals count everything, also where a budget shortened a list."""

    lang: str
    summary: tuple[SummaryLine, ...]
    groups: tuple[Group, ...]
    rows: tuple[CaseRow, ...]
    rows_total: int
    reasons: tuple[Reason, ...]
    reasons_total: int
    coverage: tuple[str, ...]
    contradictions: tuple[ContradictionRow, ...]
    data_date: str
    matrix_date: str
    problems: tuple[ProblemRow, ...]
    problems_total: int
    shows_clock: bool
    shows_device: bool
    shows_verdict: bool
    how_to_read: tuple[str, ...]
    csv_name: str
    picture: str
    """File name of the ratio plot beside the report; "" where there is none."""


@dataclass(frozen=True, slots=True)
class Extras:
    """What other runs say about a report: changes in lines and by case, classes, courses."""

    changes: Sequence[str] = ()
    changes_by_case: Mapping[CaseKey, CaseDiff] | None = None
    history: Callable[[KernelResult], str] | None = None
    trend: Trend | None = None


def build_view(
    report: RunReport,
    text: Catalogue,
    place: Place,
    extras: Extras = Extras(),
    csv_name: str = "",
    picture: str = "",
) -> BuildView:
    """Format a whole report; nothing is cut but texts that have their whole form elsewhere."""
    changes = extras.changes_by_case or {}
    rows = tuple(
        case_row(case, kernel, text, place, changes.get(case.key))
        for kernel in report.kernels
        for case in kernel.cases
    )
    reasons = _reasons(report.kernels, text)
    problems = tuple(_problem_row(problem, text) for problem in report.problems)
    return BuildView(
        lang=text.lang,
        summary=summary_lines(report, text, extras.changes),
        groups=groups_of(report, text, extras.history or (lambda _kernel: "")),
        rows=rows,
        rows_total=len(rows),
        reasons=reasons,
        reasons_total=len(reasons),
        coverage=_coverage_lines(report, text),
        contradictions=tuple(
            _contradiction_row(found, text) for found in report.coverage.contradictions
        ),
        data_date=stamps.readable(report.data_stamp) or text("word.unknown"),
        matrix_date=_matrix_date(report, text),
        problems=problems,
        problems_total=len(problems),
        shows_clock=bool(report.other_clocks),
        shows_device=len({row.device for row in rows}) > 1,
        shows_verdict=bool(changes),
        how_to_read=tuple(text(f"how.{key}") for key in ("ratio", "band", "class", "geomean")),
        csv_name=csv_name,
        picture=picture,
    )


def worst_rows(view: BuildView, keep: int) -> BuildView:
    """Keep the `keep` worst rows, worst first; rows without a ratio come last."""
    if keep >= len(view.rows):
        return view
    ranked = sorted(view.rows, key=lambda row: lowest_first(row.ratio_pct))
    return replace(view, rows=tuple(ranked[:keep]))


def _reasons(kernels: Sequence[KernelResult], text: Catalogue) -> tuple[Reason, ...]:
    """Every distinct reason and limitation of each kernel, whole, in report order."""
    found: dict[tuple[str, str, str], None] = {}
    for kernel in kernels:
        for case in kernel.cases:
            name = kernel_name(kernel.name)
            for what, body in case_reasons(case):
                found[name, what, body] = None
    return tuple(
        Reason(name, text(f"reason.{what}"), first_line(body), body) for name, what, body in found
    )


def _problem_row(problem: Problem, text: Catalogue) -> ProblemRow:
    hint = f" ({problem.hint})" if problem.hint else ""
    said = text.finding(problem.rule, f"{problem.message}{hint}")
    return ProblemRow(
        place=one_line(problem.where),
        what=one_line(f"{problem.rule}: {said}"),
        found="" if problem.value is None else cut(one_line(problem.value), VALUE_SHOWN),
        done="" if problem.severity is Severity.NOTE else text(f"severity.{problem.severity}"),
    )


def _coverage_lines(report: RunReport, text: Catalogue) -> tuple[str, ...]:
    if report.matrix is None:
        return (text("coverage.no_matrix"),)
    coverage = report.coverage
    lines = [
        text(f"coverage.{key}", n=len(names), names=", ".join(map(kernel_name, names)))
        for key, names in (
            ("csv_only", coverage.csv_only),
            ("matrix_only", coverage.matrix_only),
        )
        if names
    ]
    lines = lines or [text("coverage.complete")]
    if report.matrix_is_stale:
        dates = {
            "matrix": stamps.readable(report.matrix.stamp),
            "data": stamps.readable(report.data_stamp),
        }
        lines.append(text("coverage.stale", **dates))
    return tuple(lines)


def _contradiction_row(found: Contradiction, text: Catalogue) -> ContradictionRow:
    return ContradictionRow(
        kernel=kernel_name(found.kernel),
        subject=text(f"subject.{found.subject}"),
        measured=found.measured,
        said=one_line(found.matrix),
    )


def _matrix_date(report: RunReport, text: Catalogue) -> str:
    stamp = report.matrix.stamp if report.matrix else ""
    return stamps.readable(stamp) or text("word.unknown")
