"""Everything one report says, before any of it is text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.cases import Pool, cases_of, pool_of
from kreport.classify import TierBounds
from kreport.kernels import KernelResult, best_clock, coverage_of, kernels_of
from kreport.overview import overview_of
from kreport.trend.past_bands import PastUse, with_past

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.kernels import Coverage
    from kreport.model import StateMatrix
    from kreport.overview import Overview
    from kreport.problems import Problem
    from kreport.schema import RunTable, Source

STALE_HOURS = 12.0
"""A matrix further than this from its data, either way, describes another state of the code."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """The report on one set of inputs. `clock` is the one that the summary is about."""

    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]
    matrix: StateMatrix | None
    data_stamp: str
    """Newest stamp of the data; "" where neither the files nor their names have one."""
    clock: str
    other_clocks: tuple[str, ...]
    bounds: TierBounds
    kernels: tuple[KernelResult, ...]
    overview: Overview
    coverage: Coverage
    pool: Pool | None = None
    """The runs, where a case has more than one."""
    past: PastUse | None = None
    """What earlier runs gave to the bands; None where there are none."""

    @property
    def set_aside(self) -> int:
        """How many input rows are in no number."""
        return sum(source.set_aside for source in self.sources)

    @property
    def matrix_is_stale(self) -> bool:
        """Whether matrix and data carry stamps that are too far apart to speak of one state."""
        if self.matrix is None:
            return False
        hours = stamps.hours_between(self.data_stamp, self.matrix.stamp)
        return hours is not None and abs(hours) > STALE_HOURS


def run_report(
    table: RunTable,
    matrix: StateMatrix | None,
    *,
    timer: str = "",
    bounds: TierBounds | None = None,
    past: History | None = None,
) -> RunReport:
    """Work out the report on a run table and, where there is one, a kernel-state matrix.

    `past` are earlier runs, from which bands are learnt that the table alone cannot support.
    """
    bounds = bounds or TierBounds()
    widened = with_past(cases_of(table), past)
    cases = widened.cases
    clocks = sorted({case.key.timer for case in cases})
    clock = timer or best_clock(cases)
    kernels = kernels_of(cases, matrix, clock, bounds)
    return RunReport(
        sources=table.sources,
        problems=table.problems + (matrix.problems if matrix else ()),
        matrix=matrix,
        data_stamp=data_stamp(table),
        clock=clock,
        other_clocks=tuple(found for found in clocks if found != clock),
        bounds=bounds,
        kernels=kernels,
        overview=overview_of(kernels, clock, bounds.parity_pct),
        coverage=coverage_of(kernels, matrix),
        pool=pool_of(table, cases),
        past=widened.use,
    )


def data_stamp(table: RunTable) -> str:
    """Return the newest stamp of the inputs; "" where none has one."""
    return max((source.stamp for source in table.sources), default="")
