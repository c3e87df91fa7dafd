"""The first ten seconds of a report: what a lead wants to know, line by line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.model import Notice
from kreport.report import numbers
from kreport.report.run.case_cells import kernel_name
from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.run_report import RunReport
    from kreport.schema import Source

SHA_SHOWN = 12
SOURCES_SHOWN = 6
FOLDERS_LIMIT = 120
KERNELS_NAMED = 8


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One line of the summary, plain text. `is_warning` asks the output to make it stand out."""

    key: str
    label: str
    text: str
    is_warning: bool = False


def summary_lines(
    report: RunReport, text: Catalogue, changes: Sequence[str]
) -> tuple[SummaryLine, ...]:
    """Lines of the summary in the order in which a lead reads them; empty ones are left out."""
    overview = report.overview
    lines = [
        _line("kernels", text, _kernels_text(report, text)),
        _line("parity", text, _parity_text(report, text), bound=_bound(report)),
        _line("geomean", text, _geomean_text(report, text)),
        _line(
            "worst",
            text,
            ", ".join(
                f"{kernel_name(kernel.name)} {numbers.percent(kernel.geomean_pct)}"
                for kernel in overview.worst
            ),
        ),
        _line(
            "pto_blocked",
            text,
            ", ".join(f"{text(f'blocker.{who}')} {n}" for who, n in overview.by_blocker.items()),
        ),
        _line("partial", text, ", ".join(kernel_name(kernel.name) for kernel in overview.partial)),
        _line("unchecked", text, _unchecked_text(report, text)),
        *(_line("changes", text, change) for change in changes or [text("summary.changes_none")]),
        *_pool_lines(report, text),
        _line("data", text, stamps.readable(report.data_stamp) or text("summary.data_unknown")),
        _matrix_line(report, text),
        _line("clock", text, _clock_text(report, text)),
        _line("past", text, _past_text(report, text)),
        _line("samples", text, _samples_text(report, text)),
        *_input_lines(report.sources, text),
    ]
    if report.set_aside:
        shown = text("summary.set_aside_text", n=report.set_aside)
        lines.append(_line("set_aside", text, shown, True))
    return tuple(line for line in lines if line.text)


def _line(
    key: str, text: Catalogue, shown: str, is_warning: bool = False, **values: object
) -> SummaryLine:
    return SummaryLine(key, text(f"summary.{key}", **values), shown, is_warning)


def _kernels_text(report: RunReport, text: Catalogue) -> str:
    counts = ", ".join(
        f"{n} {text(f'class.{found}')}" for found, n in report.overview.by_class.items() if n
    )
    return text(
        "summary.kernels_text",
        n=report.overview.kernels,
        cases=report.overview.cases,
        classes=counts,
    )


def _bound(report: RunReport) -> str:
    return f"{report.bounds.parity_pct:g}%"


def _parity_text(report: RunReport, text: Catalogue) -> str:
    overview = report.overview
    return text("summary.parity_text", k=overview.parity, n=overview.compared)


def _geomean_text(report: RunReport, text: Catalogue) -> str:
    overview = report.overview
    if math.isnan(overview.geomean_pct):
        return text("summary.geomean_none")
    left_out = "".join(
        text("summary.left_out", n=n, why=text(f"left_out.{why}"))
        for why, n in overview.left_out.items()
    )
    shown = text(
        "summary.geomean_text",
        value=numbers.percent(overview.geomean_pct),
        k=overview.compared,
        n=overview.kernels,
        left_out=left_out,
    )
    wrong = len(overview.against_wrong_baseline)
    return shown + text("summary.wrong_baseline", n=wrong) if wrong else shown


def _unchecked_text(report: RunReport, text: Catalogue) -> str:
    """How many rows are compared without anybody's word that their results are right."""
    both = [
        case.correctness
        for kernel in report.kernels
        for case in kernel.cases
        if case.runs_on_both_sides
    ]
    unknown = both.count("unknown")
    return text("summary.unchecked_text", k=unknown, n=len(both)) if unknown else ""


def _pool_lines(report: RunReport, text: Catalogue) -> list[SummaryLine]:
    """Several runs as one: said, and made to stand out where they do not say the same."""
    pool = report.pool
    if pool is None:
        return []
    dates = {"first": stamps.readable(pool.first), "last": stamps.readable(pool.last)}
    key = "summary.pool_dated" if pool.first < pool.last else "summary.pool_text"
    lines = [_line("pool", text, text(key, n=pool.runs, **dates))]
    if pool.disagreeing:
        shown = ", ".join(map(kernel_name, pool.disagreeing[:KERNELS_NAMED]))
        more = len(pool.disagreeing) - KERNELS_NAMED
        if more > 0:
            shown = text("summary.pool_more", names=shown, k=more)
        lines.append(_line("pool", text, text("summary.pool_differs", names=shown), True))
    return lines


def _matrix_line(report: RunReport, text: Catalogue) -> SummaryLine:
    matrix = report.matrix
    if matrix is None:
        stored = any(kernel.cases[0].stored_class for kernel in report.kernels)
        key = "summary.matrix_stored" if stored else "summary.matrix_none"
        return _line("matrix", text, text(key))
    shown = text(
        "summary.matrix_stale" if report.matrix_is_stale else "summary.matrix_text",
        file=one_line(matrix.file),
        date=stamps.readable(matrix.stamp) or text("word.unknown"),
        sha=matrix.sha256[:SHA_SHOWN],
        data=stamps.readable(report.data_stamp),
    )
    return _line("matrix", text, shown, report.matrix_is_stale)


def _clock_text(report: RunReport, text: Catalogue) -> str:
    clock = one_line(report.clock) or text("summary.clock_unknown")
    others = ", ".join(one_line(other) or text("word.unknown") for other in report.other_clocks)
    return text("summary.clock_text", clock=clock, others=others) if others else clock


def _samples_text(report: RunReport, text: Catalogue) -> str:
    cases = [case for kernel in report.kernels for case in kernel.cases]
    outliers, slow = (
        sum(notice in case.notices for case in cases)
        for notice in (Notice.OUTLIERS, Notice.SLOW_START)
    )
    if not outliers + slow:
        return ""
    return text("summary.samples_text", outliers=outliers, slow=slow, n=len(cases))


def _past_text(report: RunReport, text: Catalogue) -> str:
    past = report.past
    if past is None:
        return ""
    dates = {"first": stamps.readable(past.first), "last": stamps.readable(past.last)}
    said = text("summary.past_text", n=past.runs, k=past.cases, **dates)
    return said + (text("summary.past_left_out", n=past.left_out) if past.left_out else "")


def _input_lines(sources: Sequence[Source], text: Catalogue) -> list[SummaryLine]:
    lines = []
    shown_sources = sources
    if len(sources) > SOURCES_SHOWN:
        # Many runs: those with something to say are named, the others counted.
        shown_sources = [one for one in sources if one.set_aside or not one.complete]
        folders = sorted({str(PurePath(source.name).parent) for source in sources})
        total = text(
            "summary.inputs_text",
            n=len(sources),
            rows=sum(source.rows for source in sources),
            folders=one_line(", ".join(folders), FOLDERS_LIMIT),
        )
        lines.append(_line("inputs", text, total))
    for source in shown_sources:
        shown = text(
            "summary.input_set_aside" if source.set_aside else "summary.input_text",
            file=one_line(source.name),
            rows=source.rows,
            k=source.set_aside,
            layout=source.layout,
            sha=source.sha256[:SHA_SHOWN],
        )
        lines.append(_line("inputs", text, shown, bool(source.set_aside)))
        if not source.complete:
            shown = f"{one_line(source.name)}: {text('summary.incomplete')}"
            lines.append(_line("inputs", text, shown, True))
    return lines
