"""What it means that a report rests on several runs: how many, from when, and do they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.schema import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.cases.result import CaseResult
    from kreport.schema import RunTable

_STATES = ("baseline_status", "pto_status", "baseline_correct", "pto_correct")


@dataclass(frozen=True, slots=True)
class Pool:
    """Several runs as one.

    `runs` is how many the best covered case has; `first` and `last` are stamps, "" where nothing
    dates the inputs. `disagreeing` are the kernels of which a side ran, or was right, in some runs
    and not in others.
    """

    runs: int
    first: str
    last: str
    disagreeing: tuple[str, ...]


def pool_of(table: RunTable, cases: Sequence[CaseResult]) -> Pool | None:
    """Describe the runs of a table that was reduced to `cases`; None where none has two."""
    runs = max((case.runs for case in cases), default=0)
    if runs < 2:
        return None
    stories = table.frame[[*IDENTITY, *_STATES]].drop_duplicates()
    twice = stories.duplicated(list(IDENTITY), keep="first")
    stamps = sorted(source.stamp for source in table.sources if source.stamp)
    return Pool(
        runs=runs,
        first=stamps[0] if stamps else "",
        last=stamps[-1] if stamps else "",
        disagreeing=tuple(dict.fromkeys(stories.loc[twice, "kernel"])),
    )
