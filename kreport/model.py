"""The words of the domain as types: statuses, classes, verdicts, bands. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kreport.problems import Problem


class Side(StrEnum):
    """Which implementation of a kernel: the vendor library or the port."""

    BASELINE = "baseline"
    PTO = "pto"


class Status(StrEnum):
    """Whether a side of a case produced a measurement."""

    OK = "ok"
    BLOCKED = "blocked"
    """Could not run: no entry point, compile or runtime failure, not ported."""
    MISSING = "missing"
    """Not in the file, or in the file without saying."""
    INVALID = "invalid"
    """The file contradicts itself, or the number is impossible."""


class Correctness(StrEnum):
    """Outcome of a side's output check."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


class KernelClass(StrEnum):
    """How far a kernel's port is, decided in `kreport.classify` alone."""

    TILE_FIRST = "tile-first"
    SCALAR_HEAVY = "scalar-heavy"
    BASELINE_BLOCKED = "baseline-blocked"
    PTO_BLOCKED = "PTO-blocked"
    UNCLASSIFIED = "unclassified"


class Blocker(StrEnum):
    """Who owns what blocks a kernel."""

    PTODSL_SURFACE = "PTODSL surface"
    PTOAS_LOWERING = "PTOAS lowering"
    PTO_ISA_BACKEND = "pto-isa/backend"
    CORRECTNESS = "correctness"
    HOST_BASELINE = "host baseline/runtime"
    UNKNOWN = "unknown"


class Tier(StrEnum):
    """How close a kernel that runs on both sides is to its baseline."""

    PARITY = "parity"
    CLOSE = "close"
    MIDDLE = "middle"
    SLOW = "slow"


class Verdict(StrEnum):
    """What can be said about a change between two measurements."""

    FASTER = "faster"
    SLOWER = "slower"
    WITHIN_NOISE = "within noise"
    CANNOT_TELL = "cannot tell"


class Transition(StrEnum):
    """A change between two runs that no latency can express."""

    NEWLY_BLOCKED = "newly blocked"
    UNBLOCKED = "unblocked"
    LOST = "no longer measured"
    """Had a latency and has none now, without being blocked."""
    REGAINED = "measured again"
    BECAME_WRONG = "became wrong"
    BECAME_CORRECT = "became correct"
    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "likely renamed"


class Moved(StrEnum):
    """Which side of a case moved between two runs."""

    NONE = ""
    PTO = "pto"
    BASELINE = "baseline"
    BOTH = "both"
    RUN = "run"
    """The whole run is shifted: the machine, not a kernel."""


class Notice(StrEnum):
    """A closed list of what deserves a footnote on a case. The text lives in the catalogue."""

    NO_LATENCY = "ran without a latency"
    ZERO_LATENCY = "latency of zero"
    STORED_RATIO_DISAGREES = "stored ratio disagrees"
    DEVICES_DIFFER = "sides on different devices"
    DEVICE_UNKNOWN = "device of one side unknown"
    FEW_SAMPLES = "few samples"
    OUTLIERS = "outlying samples"
    SLOW_START = "first samples slow"
    TWO_MODES = "samples in two groups"
    COARSE_CLOCK = "clock resolution is coarse"
    FLAKY = "ran in some runs only"


class BandSource(StrEnum):
    """What a noise band rests on, widest claim first."""

    RUNS = "runs"
    HISTORY = "history"
    SAMPLES = "samples"
    QUARTILES = "quartiles"
    MIN_MAX = "min-max"
    RESOLUTION = "clock resolution"
    MINIMUM_EFFECT = "minimum effect"
    NONE = "none"


def source_label(source: BandSource, n: int | None) -> str:
    """``runs n=12``; the bare source where no count is known."""
    return source.value if n is None else f"{source.value} n={n}"


@dataclass(frozen=True, slots=True)
class Band:
    """The interval inside which a number moves without the code having changed.

    `low` and `high` are in the unit of the number the band belongs to; `n` counts what the
    source is made of (runs or samples), None where the input does not say.
    """

    low: float
    high: float
    source: BandSource
    n: int | None = None

    @property
    def label(self) -> str:
        """``runs n=12``; the bare source where no count is known."""
        return source_label(self.source, self.n)


@dataclass(frozen=True, slots=True)
class CaseKey:
    """Identity of a case: one input shape of one kernel on one clock and device.

    `shape` and `parameters` are canonical JSON text ("" where absent). `ordinal` is the variant
    index where there is no shape to tell variants apart, else "": an order is no identity.
    """

    family: str
    kernel: str
    variant_label: str = ""
    shape: str = ""
    parameters: str = ""
    ordinal: str = ""
    timer: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True)
class MatrixEntry:
    """What kreport uses of one kernel's row of the kernel-state matrix, as the file spells it.

    The fields up to `pto_status` are in all three forms of the file (Markdown, JSON, CSV), the
    rest only where the form carries them.
    """

    name: str
    primary_class: str
    """``green + tile-first``, ``blocked by PTOAS lowering``, ...; "" where the file is silent."""
    scalar_hot_path: bool | None
    """None where the file does not say."""
    baseline_status: str = ""
    pto_status: str = ""
    family: str = ""
    scalar_matches: tuple[str, ...] = ()
    gap_ids: tuple[str, ...] = ()
    report_path: str = ""
    line: int | None = None
    shape: str = ""
    """Canonical shape where the matrix has one row a shape; "" in matrices of one row a kernel."""


@dataclass(frozen=True, slots=True)
class StateMatrix:
    """The kernel-state matrix. `stamp` is ``20260321T032615Z`` or "" where the file has none."""

    entries: tuple[MatrixEntry, ...]
    stamp: str
    file: str
    sha256: str
    problems: tuple[Problem, ...] = ()
    """Rows set aside and notes; a file that cannot be trusted is an `InputError` instead."""
