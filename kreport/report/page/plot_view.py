"""The ratio plot as a view: one line a kernel, a dot per shape, the noise band as a bar.

Everything that a template draws is computed here, as strings: positions are percent of the width
of the drawing area, heights are pixels of the picture that stands alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.kernels import worst_first
from kreport.model import KernelClass
from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.page.log_axis import LogAxis, Mark, axis_for, marks_on
from kreport.report.run.case_cells import kernel_name
from kreport.report.text import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kreport.cases import CaseResult
    from kreport.classify import TierBounds
    from kreport.kernels import KernelResult
    from kreport.report.catalogue import Catalogue
    from kreport.run_report import RunReport

LINE_PX, HEAD_PX, TOP_PX, FOOT_PX = 20, 34, 96, 28
NAME_SHOWN = 42
DOTS_SHOWN = 40
NAMED_DOTS = 300
"""A plot with more lines than this leaves the shapes of its dots to the table."""
SHAPE_SHOWN = 48


@dataclass(frozen=True, slots=True)
class Dot:
    """One shape. `side` says that the ratio lies ``below`` or ``above`` the axis."""

    x: str
    title: str
    side: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The noise band of one shape."""

    x: str
    width: str


@dataclass(frozen=True, slots=True)
class PlotMark:
    """A labelled line across the plot; heights of its label in the page and in the picture."""

    x: str
    label: str
    page_y: str
    label_y: str
    line_y: str


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One kernel. `counts` is False where its result is wrong and its ratio therefore hollow."""

    name: str
    short_name: str
    anchor: str
    value: str
    dots: tuple[Dot, ...]
    bars: tuple[Bar, ...]
    counts: bool
    y: str
    text_y: str


@dataclass(frozen=True, slots=True)
class PlotGroup:
    """The kernels of one class; `aside` says what it has that is not drawn."""

    key: str
    title: str
    aside: str
    lines: tuple[PlotLine, ...]
    title_y: str


@dataclass(frozen=True, slots=True)
class Zone:
    """Name of a tier between two marks."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class PlotView:
    """The whole plot; `height` is that of the picture that stands alone."""

    title: str
    subtitle: str
    description: str
    marks: tuple[PlotMark, ...]
    zones: tuple[Zone, ...]
    groups: tuple[PlotGroup, ...]
    lines: int
    height: str
    foot_y: str


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all lines of one plot share."""

    axis: LogAxis
    text: Catalogue
    anchor_of: Callable[[KernelResult], str]
    share: float
    """Part of each class that is drawn."""
    names_dots: bool


def plot_view(
    report: RunReport,
    text: Catalogue,
    most_lines: int,
    anchor_of: Callable[[KernelResult], str] = lambda _kernel: "",
) -> PlotView:
    """Lay the plot out; above `most_lines` kernels each class keeps its worst ones and says so."""
    bounds = report.bounds
    marks = (bounds.middle_pct, bounds.close_pct, bounds.parity_pct, 100.0)
    ratios = [ratio for kernel in report.kernels for ratio in (kernel.low_pct, kernel.high_pct)]
    axis = axis_for([ratio for ratio in ratios if math.isfinite(ratio)], marks)
    drawn = sum(math.isfinite(kernel.low_pct) for kernel in report.kernels)
    share = min(1.0, most_lines / drawn) if drawn else 1.0
    ground = _Ground(axis, text, anchor_of, share, min(drawn, most_lines) <= NAMED_DOTS)
    groups, y = [], TOP_PX
    for found in KernelClass:
        members = [kernel for kernel in report.kernels if kernel.kernel_class is found]
        if members:
            groups.append(_group(found, members, ground, y))
            y += HEAD_PX + LINE_PX * len(groups[-1].lines)
    return PlotView(
        title=text("plot.title"),
        subtitle=stamps.readable(report.data_stamp) or text("summary.data_unknown"),
        description=text("plot.description", n=drawn),
        marks=tuple(map(_mark, marks_on(axis, marks))),
        zones=_zones(axis, bounds, text),
        groups=tuple(groups),
        lines=sum(len(group.lines) for group in groups),
        height=str(y + FOOT_PX),
        foot_y=str(y + 6),
    )


def _group(
    found: KernelClass,
    members: Sequence[KernelResult],
    ground: _Ground,
    y: int,
) -> PlotGroup:
    text = ground.text
    with_ratio = sorted(
        (kernel for kernel in members if math.isfinite(kernel.low_pct)), key=worst_first
    )
    kept = with_ratio[: max(math.floor(len(with_ratio) * ground.share), 1)]
    asides = []
    if len(kept) < len(with_ratio):
        asides.append(text("plot.cut", k=len(kept), n=len(with_ratio)))
    if len(with_ratio) < len(members):
        asides.append(text("plot.no_ratio", n=len(members) - len(with_ratio)))
    return PlotGroup(
        key=found.value,
        title=f"{text(f'class.{found}')} ({len(members)})",
        aside="; ".join(asides),
        lines=tuple(
            _line(kernel, ground, y + HEAD_PX + LINE_PX * position)
            for position, kernel in enumerate(kept)
        ),
        title_y=str(y + 22),
    )


def _mark(mark: Mark) -> PlotMark:
    top = TOP_PX - 26 + 11 * mark.row
    return PlotMark(mark.x, mark.label, str(25 + 11 * mark.row), str(top), str(top + 4))


def _line(kernel: KernelResult, ground: _Ground, y: int) -> PlotLine:
    name = kernel_name(kernel.name)
    cases = _spread(
        sorted(
            (
                case
                for case in kernel.cases
                if case.key.timer == kernel.timer and math.isfinite(case.ratio_pct)
            ),
            key=lambda case: case.ratio_pct,
        )
    )
    return PlotLine(
        name=name,
        short_name=cut(name, NAME_SHOWN),
        anchor=ground.anchor_of(kernel),
        value=numbers.percent_range(kernel.low_pct, kernel.high_pct),
        dots=tuple(_dot(case, ground) for case in cases),
        bars=tuple(_bar(case, ground.axis) for case in cases if case.band is not None),
        counts=kernel.is_compared,
        y=str(y),
        text_y=str(y + 14),
    )


def _spread(cases: Sequence[CaseResult]) -> Sequence[CaseResult]:
    """At most `DOTS_SHOWN` of the cases, evenly over their order, both ends among them."""
    if len(cases) <= DOTS_SHOWN:
        return cases
    step = (len(cases) - 1) / (DOTS_SHOWN - 1)
    return [cases[round(position * step)] for position in range(DOTS_SHOWN)]


def _dot(case: CaseResult, ground: _Ground) -> Dot:
    axis, ratio = ground.axis, numbers.percent(case.ratio_pct)
    shape = case_name(case.key, SHAPE_SHOWN) if ground.names_dots else ""
    title = ground.text("plot.dot", shape=shape, ratio=ratio) if shape else ""
    return Dot(axis.at(case.ratio_pct), title, axis.side(case.ratio_pct))


def _bar(case: CaseResult, axis: LogAxis) -> Bar:
    band = case.band
    assert band is not None
    low, high = axis.position(band.low), axis.position(band.high)
    return Bar(f"{low:.2f}", f"{max(high - low, 0.3):.2f}")


def _zones(axis: LogAxis, bounds: TierBounds, text: Catalogue) -> tuple[Zone, ...]:
    """Names of the tiers, each in the middle of its part of the axis."""
    edges = (axis.low_pct, bounds.middle_pct, bounds.close_pct, bounds.parity_pct, axis.high_pct)
    names = ("slow", "middle", "close", "parity")
    return tuple(
        Zone(f"{(axis.position(low) + axis.position(high)) / 2:.2f}", text(f"tier.{name}"))
        for name, low, high in zip(names, edges, edges[1:], strict=False)
    )
