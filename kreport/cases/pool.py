"""What it means that a report rests on several runs: how many, from when, and do they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kreport.schema import IDENTITY

if TYPE_CHECKING:
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


def pool_of(table: RunTable) -> Pool | None:
    """Describe the runs of a table; None where no case has more than one."""
    runs = table.frame.groupby(list(IDENTITY), sort=False, observed=True).size()
    if runs.empty or runs.max() < 2:
        return None
    stories = table.frame[[*IDENTITY, *_STATES]].drop_duplicates()
    twice = stories.duplicated(list(IDENTITY), keep="first")
    stamps = sorted(source.stamp for source in table.sources if source.stamp)
    return Pool(
        runs=int(runs.max()),
        first=stamps[0] if stamps else "",
        last=stamps[-1] if stamps else "",
        disagreeing=tuple(dict.fromkeys(stories.loc[twice, "kernel"])),
    )
