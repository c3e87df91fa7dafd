"""What the runs of a side agree on: the one rule that reports and comparisons share.

Counts in, words out, so that the order of the runs cannot matter.
"""

from __future__ import annotations

from functools import lru_cache

from kreport.model import Correctness, Status

STATUSES = tuple(Status)
CHECKS = tuple(Correctness)
"""The order in which both are counted."""

_RUNNING = STATUSES.index(Status.OK)
_TELLING = (Status.BLOCKED, Status.INVALID, Status.MISSING)
"""Who wins a tie: a block is said of the port, a fault of the file, and an absence says nothing."""


@lru_cache(maxsize=4096)
def agreed_status(counts: tuple[int, ...]) -> Status:
    """Most runs decide; a side that ran in half of them or fewer does not count as running.

    `counts` says how many runs have each of `STATUSES`, at least one in all. Of the statuses that
    are not running the most frequent one counts, and in a tie the one that hides least.
    """
    if counts[_RUNNING] * 2 > sum(counts):
        return Status.OK
    return max(_TELLING, key=lambda status: counts[STATUSES.index(status)])


@lru_cache(maxsize=4096)
def agreed_check(counts: tuple[int, ...]) -> Correctness:
    """One failed check is a wrong result, however many runs passed.

    `counts` says how many runs have each of `CHECKS`; without any, the check is unknown.
    """
    for outcome in (Correctness.FAIL, Correctness.PASS):
        if counts[CHECKS.index(outcome)]:
            return outcome
    return Correctness.UNKNOWN


@lru_cache(maxsize=4096)
def usual_check(counts: tuple[int, ...]) -> Correctness:
    """What runs that others are held against usually were: wrong only if most checks failed.

    One failure among the old runs would else excuse every failure of the new ones, and take the
    case out of the comparison of latencies. `counts` as for `agreed_check`.
    """
    failed, passed = (counts[CHECKS.index(c)] for c in (Correctness.FAIL, Correctness.PASS))
    return Correctness.PASS if passed and failed <= passed else agreed_check(counts)
