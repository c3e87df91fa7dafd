"""The report as a page: the rows that every output shares, with what filters and sorts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.report import numbers
from kreport.report.page.anchors import anchors_of
from kreport.report.page.page_kernels import KERNELS_SHOWN, PageGroup, PageKernels
from kreport.report.page.plot_view import PlotView, plot_view
from kreport.report.run.case_cells import kernel_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kreport.model import KernelClass
    from kreport.overview import Overview
    from kreport.report.catalogue import Catalogue
    from kreport.report.run.build_view import BuildView, Extras, ProblemRow
    from kreport.report.run.summary_view import SummaryLine
    from kreport.run_report import RunReport

PROBLEMS_SHOWN = 200
SHOWN_ELSEWHERE = frozenset({"kernels", "parity", "worst", "changes", "data", "clock", "inputs"})
"""Lines of the summary that have a place of their own on the page."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One of the large numbers at the top, and what it counts."""

    value: str
    what: str


@dataclass(frozen=True, slots=True)
class Worst:
    """One of the kernels furthest behind."""

    name: str
    ratio: str
    anchor: str


@dataclass(frozen=True, slots=True)
class ClassShare:
    """Part of the bar of classes; positions are percent of its width."""

    key: str
    label: str
    count: str
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of kernels; `key` is what it sorts by, "" where it does not."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What one filter offers."""

    key: str
    label: str
    options: tuple[tuple[str, str], ...]
    """Value and label of each."""


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything on the page that `BuildView` does not already have."""

    headlines: tuple[Headline, ...]
    worst: tuple[Worst, ...]
    about: tuple[SummaryLine, ...]
    changes: tuple[SummaryLine, ...]
    facts: tuple[SummaryLine, ...]
    inputs: tuple[SummaryLine, ...]
    classes: tuple[ClassShare, ...]
    plot: PlotView
    choices: tuple[Choice, ...]
    columns: tuple[Column, ...]
    width: str
    """How many columns the table of kernels has."""
    case_heads: tuple[str, ...]
    groups: tuple[PageGroup, ...]
    problems: tuple[ProblemRow, ...]


def page_view(
    report: RunReport,
    view: BuildView,
    text: Catalogue,
    extras: Extras,
) -> PageView:
    """Join the rows of `view` by kernel, cap what does not fit, and draw the plot."""
    anchors = anchors_of(report.kernels)
    kernels = PageKernels(report, view, text, anchors, extras)
    groups = kernels.groups()
    columns = _columns(view, text)
    classes = _class_shares(report.overview.by_class, text)

    def summary(*keys: str) -> tuple[SummaryLine, ...]:
        return tuple(line for key in keys for line in view.summary if line.key == key)

    return PageView(
        headlines=_headlines(report.overview, f"{report.bounds.parity_pct:g}%", text),
        worst=tuple(
            Worst(
                kernel_name(kernel.name),
                numbers.percent(kernel.geomean_pct),
                anchors[id(kernel)],
            )
            for kernel in report.overview.worst
        ),
        about=summary("data", "clock", "runs"),
        changes=summary("changes"),
        facts=tuple(line for line in view.summary if line.key not in SHOWN_ELSEWHERE),
        inputs=summary("inputs"),
        classes=classes,
        plot=plot_view(report, text, KERNELS_SHOWN, lambda kernel: anchors[id(kernel)]),
        choices=_choices(classes, groups, text),
        columns=columns,
        width=str(len(columns)),
        case_heads=kernels.case_heads(),
        groups=groups,
        problems=view.problems[:PROBLEMS_SHOWN],
    )


def _headlines(overview: Overview, bound: str, text: Catalogue) -> tuple[Headline, ...]:
    compared, kernels = overview.compared, overview.kernels
    return (
        Headline(str(kernels), text("page.kernels_of", n=overview.cases)),
        Headline(
            text("page.parity", k=overview.parity, n=compared),
            text("page.parity_of", bound=bound),
        ),
        Headline(
            numbers.percent(overview.geomean_pct),
            text("page.geomean_of", k=compared, n=kernels),
        ),
    )


def _columns(view: BuildView, text: Catalogue) -> tuple[Column, ...]:
    words = ("kernel", "class", "tier", "ratio", "geomean", "baseline_ms", "pto_ms")
    verdict = [Column("verdict", text("word.verdict"))] * view.shows_verdict
    return (
        *(Column(word, text(f"word.{word}")) for word in words),
        *verdict,
        Column("", text("word.notes")),
    )


def _choices(
    classes: Sequence[ClassShare], groups: Sequence[PageGroup], text: Catalogue
) -> tuple[Choice, ...]:
    """What the page can be filtered by; a filter without anything to choose is left out."""
    kernels = [kernel for group in groups for kernel in group.kernels]
    options = {
        "class": tuple((share.key, share.label) for share in classes),
        "family": _alike(sorted({kernel.family for kernel in kernels})),
        "tier": _alike(dict.fromkeys(kernel.tier for kernel in kernels)),
        "verdict": _alike(sorted({each for kernel in kernels for each in kernel.verdicts})),
    }
    return tuple(Choice(key, text(f"word.{key}"), found) for key, found in options.items() if found)


def _alike(values: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((value, value) for value in values if value)


def _class_shares(by_class: Mapping[KernelClass, int], text: Catalogue) -> tuple[ClassShare, ...]:
    """Parts of the bar of classes, in their order, empty ones left out."""
    total = sum(by_class.values()) or 1
    shares, before = [], 0
    for found, count in by_class.items():
        if count:
            x, width = f"{before / total * 100:.2f}", f"{count / total * 100:.2f}"
            shares.append(ClassShare(found, text(f"class.{found}"), str(count), x, width))
        before += count
    return tuple(shares)
