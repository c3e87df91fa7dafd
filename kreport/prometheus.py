"""The last build as a Prometheus text file, for node_exporter's textfile collector.

A number that is not known is left out, never written as 0 or NaN: an alert on absence works, an
alert on an invention does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport import __version__, stamps

if TYPE_CHECKING:
    from kreport.run_report import RunReport


@dataclass(frozen=True, slots=True)
class Changes:
    """What a build found against its previous run, in cases."""

    regressions: int
    """Confirmed slower, newly blocked or newly wrong."""
    suppressed: int
    """Would have been alarms by the rule of disjoint IQRs, and are within the noise band."""


@dataclass(frozen=True, slots=True)
class _Gauge:
    name: str
    help: str
    samples: Mapping[str, float]
    """Label text (``{class="tile-first"}`` or "") to value."""


def prometheus_text(report: RunReport, finished_at: float, changes: Changes | None = None) -> str:
    """The text format (version 0.0.4) of a finished build.

    `finished_at` is Unix seconds; `changes` is None where no previous run was given,
    and its numbers are then left out.
    """
    lines: list[str] = []
    for gauge in _gauges(report, finished_at, changes):
        samples = {label: v for label, v in gauge.samples.items() if math.isfinite(v)}
        if samples:
            lines.append(f"# HELP kreport_{gauge.name} {gauge.help}")
            lines.append(f"# TYPE kreport_{gauge.name} gauge")
            lines += [f"kreport_{gauge.name}{label} {value!r}" for label, value in samples.items()]
    return "\n".join(lines) + "\n"


def _gauges(report: RunReport, finished_at: float, changes: Changes | None) -> Iterator[_Gauge]:
    overview = report.overview
    data = stamps.parse(report.data_stamp)
    dated = data.timestamp() if data else math.nan
    yield _one("build_info", "Version of kreport.", 1.0, f'{{version="{__version__}"}}')
    yield _one("last_success_timestamp_seconds", "When the last good build ended.", finished_at)
    yield _one("data_timestamp_seconds", "When the reported data was measured.", dated)
    yield _one("data_age_seconds", "Age of the data when the build ended.", finished_at - dated)
    yield _counts("kernels", "Kernels by class.", "class", overview.by_class.items())
    yield _counts(
        "blocked_kernels", "Blocked kernels by owner.", "blocker", overview.by_blocker.items()
    )
    yield _one("cases", "Rows of the report.", float(overview.cases))
    yield _one("rows_set_aside", "Input rows that are in no number.", float(report.set_aside))
    yield _one("parity_kernels", "Kernels at parity.", float(overview.parity))
    yield _one("compared_kernels", "Kernels in the geometric mean.", float(overview.compared))
    yield _one("geomean_percent", "Geometric mean of Baseline / PTO.", overview.geomean_pct)
    if changes is not None:
        yield _one("regressions", "Cases that got worse.", float(changes.regressions))
        yield _one("alarms_suppressed", "Alarms within noise.", float(changes.suppressed))


def _one(name: str, help_text: str, value: float, label: str = "") -> _Gauge:
    return _Gauge(name, help_text, {label: value})


def _counts(name: str, help_text: str, label: str, counts: Iterable[tuple[str, int]]) -> _Gauge:
    samples = {f'{{{label}="{_escaped(key)}"}}': float(n) for key, n in counts}
    return _Gauge(name, help_text, samples)


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
