"""The only place where a kernel's class, blocker and tier are decided.

The run table is the authority for what ran, the kernel-state matrix for how the code is built and
who owns a blocker. Where they contradict, the contradiction is a result of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kreport.choices import CLOSE_PCT, MIDDLE_PCT, PARITY_PCT
from kreport.model import Blocker, Correctness, KernelClass, Side, Status, Tier
from kreport.statuses import status_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.cases import CaseResult
    from kreport.model import MatrixEntry
    from kreport.settings import Settings


class Rule(StrEnum):
    """Which rule decided a class. The text of each lives in the catalogue."""

    BOTH_BLOCKED_BY_HOST = "both sides blocked, the host owns it"
    PTO_BLOCKED = "every PTO side blocked"
    PTO_WRONG = "PTO runs but its check fails"
    BASELINE_BLOCKED = "every baseline side blocked"
    SCALAR_HOT_PATH = "scalar hot path"
    TILE_HOT_PATH = "hot path on tiles"
    NOT_MEASURED = "PTO side not measured"
    NOT_IN_MATRIX = "not in the matrix"


@dataclass(frozen=True, slots=True)
class TierBounds:
    """Lower bounds of the tiers, in percent of Baseline / PTO."""

    parity_pct: float = PARITY_PCT
    close_pct: float = CLOSE_PCT
    middle_pct: float = MIDDLE_PCT

    @classmethod
    def of(cls, settings: Settings) -> TierBounds:
        """The bounds that the settings of a command ask for."""
        return cls(settings.parity_pct, settings.close_pct, settings.middle_pct)


@dataclass(frozen=True, slots=True)
class Classification:
    """A kernel's class, who owns its blocker, and the rule that decided."""

    kernel_class: KernelClass
    rule: Rule
    blocker: Blocker | None = None
    partial: bool = False
    """Some cases are blocked and others are not; the class is from those that run."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The matrix and the run table say different things about a kernel."""

    kernel: str
    subject: str
    """What they disagree on: ``baseline status``, ``PTO status``, ``correctness``, ``hot path``."""
    measured: str
    matrix: str


_BLOCKER_WORDS = (
    ("ptodsl", Blocker.PTODSL_SURFACE),
    ("ptoas", Blocker.PTOAS_LOWERING),
    ("pto-isa", Blocker.PTO_ISA_BACKEND),
    ("backend", Blocker.PTO_ISA_BACKEND),
    ("correctness", Blocker.CORRECTNESS),
    ("host", Blocker.HOST_BASELINE),
    ("baseline", Blocker.HOST_BASELINE),
)


def matrix_blocker(entry: MatrixEntry | None) -> Blocker | None:
    """Who the matrix says owns the blocker; None where it names none."""
    if entry is None or "block" not in entry.primary_class.lower():
        return None
    text = entry.primary_class.lower()
    return next((blocker for word, blocker in _BLOCKER_WORDS if word in text), Blocker.UNKNOWN)


def scalar_hot_path(entry: MatrixEntry | None) -> bool | None:
    """Whether the matrix says that the hot path is scalar; None where it does not say."""
    if entry is None:
        return None
    if entry.scalar_hot_path is not None:
        return entry.scalar_hot_path
    return _hot_path_by_class(entry)


def _hot_path_by_class(entry: MatrixEntry) -> bool | None:
    text = entry.primary_class.lower()
    if "scalar-heavy" in text:
        return True
    return False if "tile-first" in text else None


def classify(cases: Sequence[CaseResult], entry: MatrixEntry | None) -> Classification:
    """Decide a kernel's class from its cases (at least one) and its row of the matrix.

    The first rule that holds decides. A side counts as blocked only when it is blocked in every
    case; cases that run decide for the kernel, which is then `partial`.
    """
    pto = _side_state(cases, Side.PTO)
    baseline = _side_state(cases, Side.BASELINE)
    partial = _mixed(cases, Side.PTO) or _mixed(cases, Side.BASELINE)
    owner = matrix_blocker(entry)
    if pto is Status.BLOCKED:
        if baseline is Status.BLOCKED and owner is Blocker.HOST_BASELINE:
            return Classification(
                KernelClass.BASELINE_BLOCKED, Rule.BOTH_BLOCKED_BY_HOST, Blocker.HOST_BASELINE
            )
        stale = owner in (None, Blocker.HOST_BASELINE, Blocker.CORRECTNESS)
        blocker = Blocker.UNKNOWN if stale else owner
        return Classification(KernelClass.PTO_BLOCKED, Rule.PTO_BLOCKED, blocker, partial)
    if any(_ran_wrong(case) for case in cases):
        return Classification(KernelClass.PTO_BLOCKED, Rule.PTO_WRONG, Blocker.CORRECTNESS, partial)
    if baseline is Status.BLOCKED:
        return Classification(
            KernelClass.BASELINE_BLOCKED, Rule.BASELINE_BLOCKED, Blocker.HOST_BASELINE, partial
        )
    if pto is not Status.OK:
        return Classification(KernelClass.UNCLASSIFIED, Rule.NOT_MEASURED, partial=partial)
    scalar = scalar_hot_path(entry)
    if scalar is None:
        return Classification(KernelClass.UNCLASSIFIED, Rule.NOT_IN_MATRIX, partial=partial)
    if scalar:
        return Classification(KernelClass.SCALAR_HEAVY, Rule.SCALAR_HOT_PATH, partial=partial)
    return Classification(KernelClass.TILE_FIRST, Rule.TILE_HOT_PATH, partial=partial)


def tier_of(ratio_pct: float, bounds: TierBounds) -> Tier:
    """Tier of a finite ratio in percent."""
    if ratio_pct >= bounds.parity_pct:
        return Tier.PARITY
    if ratio_pct >= bounds.close_pct:
        return Tier.CLOSE
    return Tier.MIDDLE if ratio_pct >= bounds.middle_pct else Tier.SLOW


def contradictions(cases: Sequence[CaseResult], entry: MatrixEntry) -> tuple[Contradiction, ...]:
    """Name what a matrix row says that these cases, at least one, do not bear out."""
    name = cases[0].key.kernel
    found = []
    for side, label, said in (
        (Side.BASELINE, "baseline status", entry.baseline_status),
        (Side.PTO, "PTO status", entry.pto_status),
    ):
        measured = _side_state(cases, side)
        outcome = status_of(said)
        silent = not outcome.word_known or Status.MISSING in (outcome.status, measured)
        claims = Status.BLOCKED if outcome.needs_latency else outcome.status
        if not silent and claims is not measured:
            found.append(Contradiction(name, label, measured, said))
    pto = _side_state(cases, Side.PTO)
    owner = matrix_blocker(entry)
    wrong = any(_ran_wrong(case) for case in cases)
    checked = any(case.pto.correct is not Correctness.UNKNOWN for case in cases)
    if pto is Status.OK and checked and wrong != (owner is Blocker.CORRECTNESS):
        measured_text = "fail" if wrong else "pass"
        found.append(Contradiction(name, "correctness", measured_text, entry.primary_class))
    by_words = _hot_path_by_class(entry)
    if None not in (entry.scalar_hot_path, by_words) and entry.scalar_hot_path != by_words:
        says = "scalar" if entry.scalar_hot_path else "tile"
        found.append(Contradiction(name, "hot path", says, entry.primary_class))
    return tuple(found)


def _side_state(cases: Sequence[CaseResult], side: Side) -> Status:
    """Status of a side over all cases: it runs if any case does, else what hides least."""
    statuses = [_status(case, side) for case in cases]
    for status in (Status.OK, Status.BLOCKED, Status.INVALID):
        if status in statuses:
            return status
    return Status.MISSING


def _mixed(cases: Sequence[CaseResult], side: Side) -> bool:
    statuses = {_status(case, side) for case in cases}
    return Status.OK in statuses and len(statuses) > 1


def _status(case: CaseResult, side: Side) -> Status:
    return case.pto.status if side is Side.PTO else case.baseline.status


def _ran_wrong(case: CaseResult) -> bool:
    return case.pto.status is Status.OK and case.pto.correct is Correctness.FAIL
