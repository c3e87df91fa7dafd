"""The kernels of a page: each with its cells, what they sort by, and what unfolds below them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from kreport.model import KernelClass, Tier
from kreport.report.run.case_cells import CaseRow, case_reasons
from kreport.report.run.explain_view import class_lines, places
from kreport.report.run.kernel_cells import KernelRow, grouped_kernels
from kreport.report.text import clean, first_line
from kreport.stats import lowest_first

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kreport.cases import CaseResult
    from kreport.kernels import KernelResult
    from kreport.model import CaseKey
    from kreport.report.catalogue import Catalogue
    from kreport.report.page.trend_plot import TrendPicture
    from kreport.report.run.build_view import BuildView, Extras
    from kreport.run_report import RunReport
    from kreport.trend.series import CaseTrend, Trend

KERNELS_SHOWN = 1_000
CASES_SHOWN = 5_000
REASON_CHARACTERS = 200_000
"""Beyond these a page says how much it shows and where the rest is."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, and its rank where words have an order that is not the alphabet's."""

    text: str
    rank: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line or several under one label."""

    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageCase:
    """One shape; `cells` follow `PageKernels.case_heads`."""

    shape: str
    cells: tuple[str, ...]
    link: str | None


@dataclass(frozen=True, slots=True)
class PageReason:
    """A reason: `body` is "" where only its first line found room."""

    what: str
    first: str
    body: str


@dataclass(frozen=True, slots=True)
class PageKernel:
    """One kernel; `cells` follow the columns of the page after the name."""

    anchor: str
    name: str
    family: str
    class_key: str
    tier: str
    verdicts: tuple[str, ...]
    cells: tuple[Cell, ...]
    facts: tuple[Fact, ...]
    cases: tuple[PageCase, ...]
    cases_cut: str
    trends: tuple[TrendPicture, ...]
    reasons: tuple[PageReason, ...]


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Kernels that a reader looks at together; `cut` says how many have no room."""

    title: str
    lead: str
    cut: str
    kernels: tuple[PageKernel, ...]


class PageKernels:
    """Joins the kernels of a report with the rows that its view has already formatted."""

    def __init__(
        self,
        report: RunReport,
        view: BuildView,
        text: Catalogue,
        anchors: Mapping[int, str],
        extras: Extras,
    ) -> None:
        self._report, self._view, self._text = report, view, text
        self._anchors = anchors
        self._trend = extras.trend
        self._courses = _courses(extras.trend)
        self._matrix_file = PurePath(report.matrix.file).name if report.matrix else ""
        self._names = _short_names([source.name for source in report.sources])
        self._rows = _rows_by_kernel(report.kernels, view.rows)
        shown = max(min(len(report.kernels), KERNELS_SHOWN), 1)
        self._share = shown / max(len(report.kernels), 1)
        self._cases_each = max(CASES_SHOWN // shown, 5)
        self._reason_room = REASON_CHARACTERS

    def case_heads(self) -> tuple[str, ...]:
        """Titles of the columns of a shape, after the shape itself."""
        keys = ["baseline_ms", "pto_ms", "ratio", "band", "baseline", "pto", "correctness"]
        keys += ["clock"] * self._view.shows_clock + ["device"] * self._view.shows_device
        keys += ["verdict"] * self._view.shows_verdict
        return (*(self._text(f"word.{key}") for key in keys), self._text("page.read_at"))

    def groups(self) -> tuple[PageGroup, ...]:
        """The groups of the view, each kernel with its cases and reasons."""
        members = grouped_kernels(self._report)
        found = []
        for group in self._view.groups:
            kept = max(math.floor(group.total * self._share), 1)
            pairs = zip(members[group.key][:kept], group.rows[:kept], strict=True)
            kernels = tuple(self._kernel(kernel, row) for kernel, row in pairs)
            cut = "" if kept >= group.total else self._cut("lead.rows_cut", kept, group.total)
            title = f"{group.title} ({group.total})"
            found.append(PageGroup(title, group.lead, cut, kernels))
        return tuple(found)

    def _cut(self, key: str, shown: int, total: int) -> str:
        return self._text(key, k=shown, n=total, csv=self._view.csv_name)

    def _kernel(self, kernel: KernelResult, row: KernelRow) -> PageKernel:
        pairs = list(zip(kernel.cases, self._rows[id(kernel)], strict=True))
        verdicts = tuple(sorted({cells.verdict for _, cells in pairs} - {""}))
        total = len(pairs)
        if total > self._cases_each:
            pairs.sort(key=lambda pair: lowest_first(pair[0].ratio_pct))
            pairs = pairs[: self._cases_each]
        return PageKernel(
            anchor=self._anchors[id(kernel)],
            name=row.name,
            family=row.family,
            class_key=row.class_key,
            tier=row.tier,
            verdicts=verdicts,
            cells=self._cells(kernel, row, verdicts),
            facts=self._facts(kernel, row),
            cases=tuple(
                self._case(cells, places(case.origins, self._names, most=1))
                for case, cells in pairs
            ),
            cases_cut="" if len(pairs) == total else self._cut("page.cases_cut", len(pairs), total),
            trends=self._trends(case for case, _ in pairs),
            reasons=self._reasons(kernel),
        )

    def _cells(
        self, kernel: KernelResult, row: KernelRow, verdicts: tuple[str, ...]
    ) -> tuple[Cell, ...]:
        rank = str(list(Tier).index(kernel.tier)) if kernel.tier else ""
        return (
            Cell(row.kernel_class, str(list(KernelClass).index(kernel.kernel_class))),
            Cell(row.tier, rank),
            *(Cell(text) for text in (row.ratio, row.geomean, row.baseline_ms, row.pto_ms)),
            *[Cell("; ".join(verdicts))] * self._view.shows_verdict,
            Cell("; ".join(_said(kernel, row))),
        )

    def _facts(self, kernel: KernelResult, row: KernelRow) -> tuple[Fact, ...]:
        why = class_lines(kernel, self._matrix_file, self._text)
        facts = (
            Fact(self._text("word.family"), (row.family,) if row.family else ()),
            Fact(self._text("word.tier"), (row.tier,) if row.tier else ()),
            Fact(self._text("word.band"), (row.band,) if len(kernel.cases) > 1 else ()),
            Fact(self._text("page.why"), tuple(why)),
        )
        return tuple(fact for fact in facts if fact.lines)

    def _case(self, row: CaseRow, read_at: str) -> PageCase:
        cells = [row.baseline_ms, row.pto_ms, row.ratio, row.band]
        cells += [row.baseline_status, row.pto_status, row.correctness]
        cells += [row.clock] * self._view.shows_clock + [row.device] * self._view.shows_device
        cells += [row.verdict] * self._view.shows_verdict
        cells.append("; ".join((read_at, *row.notes)))
        return PageCase(row.shape, tuple(cells), row.link)

    def _trends(self, cases: Iterable[CaseResult]) -> tuple[TrendPicture, ...]:
        if self._trend is None:
            return ()
        from kreport.report.page.trend_plot import trend_picture

        history, found = self._trend.history, []
        for case in cases:
            if case.key in self._courses:
                picture = trend_picture(self._courses[case.key], history, self._text)
                found += [picture] if picture else []
        return tuple(found)

    def _reasons(self, kernel: KernelResult) -> tuple[PageReason, ...]:
        """Every distinct reason and limitation, whole while the page has room for it."""
        found = dict.fromkeys(said for case in kernel.cases for said in case_reasons(case))
        reasons = []
        for what, body in found:
            self._reason_room -= len(body)
            whole = clean(body).strip("\n") if self._reason_room >= 0 else ""
            reasons.append(PageReason(self._text(f"reason.{what}"), first_line(body), whole))
        return tuple(reasons)


def _said(kernel: KernelResult, row: KernelRow) -> tuple[str, ...]:
    """What the last column says: the state of a kernel that is not compared, then its notes."""
    if kernel.is_compared:
        return row.notes
    blocker = (row.blocker,) if kernel.kernel_class is KernelClass.PTO_BLOCKED else ()
    return (row.state, *blocker, *row.notes)


def _courses(trend: Trend | None) -> dict[CaseKey, CaseTrend]:
    return {case.key: case for case in trend.cases} if trend else {}


def _rows_by_kernel(
    kernels: Sequence[KernelResult], rows: Sequence[CaseRow]
) -> dict[int, Sequence[CaseRow]]:
    """Cut the flat list of rows, which follows the kernels' order, into one part a kernel."""
    found, start = {}, 0
    for kernel in kernels:
        found[id(kernel)] = rows[start : start + len(kernel.cases)]
        start += len(kernel.cases)
    return found


def _short_names(files: Sequence[str]) -> dict[str, str]:
    """File names without their folders, where that leaves no two alike."""
    short = {file: PurePath(file).name for file in files}
    return short if len(set(short.values())) == len(short) else {}
