"""What a user can choose from, and the thresholds that hold where nobody chooses others."""

from __future__ import annotations

from enum import StrEnum

EFFECT_PCT = 8.0
"""The change of a latency that a user cares about."""
MIN_EFFECT_PCT = 1.0
"""Changes of a latency below this are never called a change."""
PARITY_PCT = 90.0
CLOSE_PCT = 70.0
MIDDLE_PCT = 30.0
"""Lower bounds of three tiers, in Baseline / PTO; a port below the last one is slow."""


class Method(StrEnum):
    """How a change is told from noise."""

    AUTO = "auto"
    """Runs where there are several, the rule of disjoint quartiles where there is one a side."""
    IQR = "iqr"
    RUNS = "runs"
    MANN_WHITNEY = "mann-whitney"
    BOOTSTRAP = "bootstrap"

    @property
    def tests_samples(self) -> bool:
        """Whether it is a two-sample test, which needs the samples where runs are few."""
        return self in (Method.MANN_WHITNEY, Method.BOOTSTRAP)


class Gate(StrEnum):
    """What ``--fail-on`` can ask for; `kreport.verdicts.gate` decides which cases trip one."""

    SLOWER = "slower"
    BLOCKED = "blocked"
    INCORRECT = "incorrect"
    REMOVED = "removed"
    UNDECIDED = "undecided"
    UNCONFIRMED = "unconfirmed"
