"""A diff as JUnit XML: a test a case, so that any CI server lists what got worse by name."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.choices import Gate
from kreport.model import Verdict
from kreport.report.case_name import case_name
from kreport.report.diff.diff_cells import change_text, diff_row
from kreport.report.run.case_cells import kernel_name
from kreport.report.text import clean, one_line
from kreport.verdicts.gate import trips

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.report.catalogue import Catalogue
    from kreport.verdicts.results import CaseDiff, DiffReport

FAILURES = (Gate.BLOCKED, Gate.INCORRECT, Gate.SLOWER, Gate.REMOVED)
"""What fails a test where no gate was asked for."""
DEFAULT_SUITE = "kernels"

_NOT_XML = re.compile("[\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class JunitCase:
    """One test. `failure` and `skipped` are messages, "" where it is neither; seconds as text."""

    suite: str
    name: str
    seconds: str
    failure: str
    kind: str
    skipped: str
    body: str


@dataclass(frozen=True, slots=True)
class JunitSuite:
    """The tests of one kernel family."""

    name: str
    tests: str
    failures: str
    skipped: str
    cases: tuple[JunitCase, ...]


@dataclass(frozen=True, slots=True)
class JunitView:
    """All suites with their totals."""

    title: str
    tests: str
    failures: str
    skipped: str
    suites: tuple[JunitSuite, ...]


def junit_view(report: DiffReport, text: Catalogue, gates: Sequence[Gate] = ()) -> JunitView:
    """Make a test of every case; it fails where it trips a gate, so it agrees with the exit code.

    Without gates, newly blocked, wrong, removed and confirmed slower cases fail. Cases of which
    nothing can be told are skipped, with the reason.
    """
    gates = tuple(gates) or FAILURES
    families: dict[str, list[JunitCase]] = {}
    for case in report.cases:
        name = _safe(one_line(case.key.family)) or DEFAULT_SUITE
        families.setdefault(name, []).append(_case(case, name, report, text, gates))
    suites = tuple(
        JunitSuite(name, *_counts(cases), tuple(cases)) for name, cases in families.items()
    )
    every = [case for cases in families.values() for case in cases]
    return JunitView(text("diff.title"), *_counts(every), suites)


def _counts(cases: Sequence[JunitCase]) -> tuple[str, str, str]:
    failures = sum(bool(case.failure) for case in cases)
    skipped = sum(bool(case.skipped) for case in cases)
    return str(len(cases)), str(failures), str(skipped)


def _case(
    case: CaseDiff, suite: str, report: DiffReport, text: Catalogue, gates: Sequence[Gate]
) -> JunitCase:
    row = diff_row(case, text, report.effect_pct)
    tripped = [gate for gate in gates if trips(case, gate)]
    transitions = ", ".join(text(f"transition.{transition}") for transition in case.transitions)
    said = "; ".join(part for part in (transitions, row.verdict) if part)
    change = "" if case.verdict is None else change_text(case.pto, text)
    message = _safe(" ".join(part for part in (said, change) if part))
    untold = case.verdict in (None, Verdict.CANNOT_TELL) and not case.transitions
    parts = (kernel_name(case.key.kernel), case_name(case.key), row.clock, row.device)
    seconds = case.pto.new.median_ms / 1000
    return JunitCase(
        suite=suite,
        name=_safe(" ".join(part for part in parts if part)),
        seconds=f"{seconds:.9f}" if math.isfinite(seconds) else "0",
        failure=message if tripped else "",
        kind=", ".join(tripped),
        skipped="" if tripped or not untold else message or text("github.not_compared"),
        body=_safe(_body(case, row.old_pto, row.new_pto, row.band, text)),
    )


def _body(case: CaseDiff, old: str, new: str, band: str, text: Catalogue) -> str:
    lines = [f"{text('diff.old_pto')}: {old}", f"{text('diff.new_pto')}: {new}"]
    lines += [f"{text('diff.band')}: {band}"] if band else []
    return "\n".join([*lines, *filter(None, (clean(case.new_reason).strip(),))])


def _safe(text: str) -> str:
    """Text without the two characters that `clean` leaves and XML forbids."""
    return _NOT_XML.sub("", clean(text))
