"""A case as formatted strings: the cells that every output of a report shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.model import Correctness, Notice, Status
from kreport.report import numbers
from kreport.report.case_name import case_name
from kreport.report.diff.verdict_text import outcome_text
from kreport.report.links import relative_link
from kreport.report.text import one_line

if TYPE_CHECKING:
    from kreport.cases import CaseResult, SideResult
    from kreport.kernels import KernelResult
    from kreport.model import Band, BandSource
    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.results import CaseDiff

NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Where the report is written, and the root that its links must stay in."""

    out: str
    root: str


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One row of the report, as plain text; each output escapes it in its own way."""

    kernel: str
    family: str
    shape: str
    clock: str
    device: str
    baseline_status: str
    pto_status: str
    baseline_ms: str
    pto_ms: str
    ratio: str
    band: str
    correctness: str
    kernel_class: str
    class_key: str
    tier: str
    verdict: str
    link: str | None
    notes: tuple[str, ...]
    ratio_pct: float
    """The number behind `ratio`, for ordering; NaN where there is none."""


def case_row(
    case: CaseResult,
    kernel: KernelResult,
    text: Catalogue,
    place: Place,
    change: CaseDiff | None = None,
) -> CaseRow:
    """Format one case of a kernel; `change` is what became of it since an earlier run."""
    return CaseRow(
        kernel=kernel_name(case.key.kernel),
        family=one_line(case.key.family, NAME_LIMIT),
        shape=case_name(case.key),
        clock=one_line(case.key.timer),
        device=one_line(case.key.device, NAME_LIMIT),
        baseline_status=side_status(case.baseline, text),
        pto_status=side_status(case.pto, text),
        baseline_ms=_latency(case.baseline),
        pto_ms=_latency(case.pto),
        ratio=numbers.percent(case.ratio_pct),
        band=band_text(case, text),
        correctness=text(f"correctness.{case.correctness}"),
        kernel_class=text(f"class.{kernel.kernel_class}"),
        class_key=kernel.kernel_class,
        tier=text(f"tier.{kernel.tier}") if kernel.tier else "",
        verdict=outcome_text(change, text),
        link=relative_link(case.report_path, place.out, place.root),
        notes=tuple(notice_text(notice, text) for notice in case.notices),
        ratio_pct=case.ratio_pct,
    )


def case_reasons(case: CaseResult) -> tuple[tuple[str, str], ...]:
    """What a case says about itself in words: (whose words, text whole), empty texts left out."""
    said = (
        ("baseline", case.baseline.reason),
        ("pto", case.pto.reason),
        *(("limitation", limitation) for limitation in case.limitations),
    )
    return tuple((what, body) for what, body in said if body.strip())


def kernel_name(name: str) -> str:
    """Name on one line; a file may leave it empty or hide it behind invisible characters."""
    return one_line(name, NAME_LIMIT) or '""'


def side_status(side: SideResult, text: Catalogue) -> str:
    """Status of a side, or that it ran with a wrong result."""
    if side.status is Status.OK and side.correct is Correctness.FAIL:
        return text("correctness.wrong")
    return text(f"status.{side.status}")


def _latency(side: SideResult) -> str:
    return numbers.latency_with_iqr(side.median_ms, side.q1_ms, side.q3_ms)


def band_text(case: CaseResult, text: Catalogue) -> str:
    """``41.0%..43.5% (samples n=100)``; the word for none where nothing supports a band."""
    if math.isnan(case.ratio_pct):
        return numbers.NOT_AVAILABLE
    return text("word.none") if case.band is None else band_interval(case.band, text)


def band_source(source: BandSource, n: int | None, text: Catalogue) -> str:
    """What a band rests on, with how many of it: ``runs n=12``."""
    shown = text(f"diff_source.{source}")
    return shown if n is None else text("diff.source_count", source=shown, n=n)


def band_interval(band: Band, text: Catalogue) -> str:
    """Write a band of ratios with its source."""
    low, high = numbers.percent(band.low), numbers.percent(band.high)
    return f"{low}..{high} ({band_source(band.source, band.n, text)})"


def notice_text(notice: Notice, text: Catalogue) -> str:
    """Sentence of a notice."""
    return text(f"notice.{notice}")
