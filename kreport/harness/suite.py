"""A suite: the cases that are measured, as a small Python file registers them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import util
from pathlib import Path

from kreport.errors import InputError, UsageError
from kreport.harness.agreement import close
from kreport.harness.clock import Work
from kreport.harness.effort import check_effort
from kreport.model import Side

Kernel = Callable[..., object]
"""One side of a case: takes the case's inputs, gives its output."""
Check = Callable[[object, object], object]
"""``check(expected, actual)``: falsy or AssertionError where the output is wrong."""


class Structure(StrEnum):
    """How a port's hot path is built."""

    TILE = "tile"
    SCALAR = "scalar"


@dataclass(frozen=True, slots=True)
class Case:
    """One input shape of one kernel, with what is needed to run both sides on it."""

    family: str
    kernel: str
    shape: Mapping[str, object]
    inputs: Callable[[Mapping[str, object]], Sequence[object]]
    sides: Mapping[Side, Kernel | None]
    """None: there is no such side, `reasons` says why."""
    reasons: Mapping[Side, str]
    check: Check
    reference: Kernel | None
    label: str
    structure: Structure | None
    """None: not registered, to be found in the source."""

    @property
    def title(self) -> str:
        """The case for people: ``matmul x512x512 weight512x128``."""
        return f"{self.kernel} {self.label or label_of(self.shape)}"

    @property
    def shape_json(self) -> str:
        """The shape as the canonical text that identifies the case in every file."""
        return json.dumps(self.shape, sort_keys=True)


@dataclass(slots=True)
class Suite:
    """Cases and how they are timed, unless the command line says otherwise.

    `device` is a torch device type (``cuda``, ``npu``) whose clocks are wanted too, or "" for a
    suite that runs on the host. `sync` waits until the device of a suite without torch is done.
    """

    name: str
    device: str = ""
    timers: Sequence[str] = ()
    """Empty: ``host``, with a device also ``event`` and ``event_cold``."""
    warmup: int = 20
    repeats: int = 100
    sync: Work | None = None
    cases: list[Case] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        check_effort(self.warmup, self.repeats)
        if not self.timers:
            self.timers = ("host", "event", "event_cold") if self.device else ("host",)

    def case(
        self,
        family: str,
        kernel: str,
        shape: Mapping[str, object],
        *,
        inputs: Callable[[Mapping[str, object]], Sequence[object]],
        baseline: Kernel | None,
        pto: Kernel | None,
        check: Check = close,
        reference: Kernel | None = None,
        label: str = "",
        structure: str | None = None,
        baseline_reason: str = "no baseline",
        pto_reason: str = "not ported",
    ) -> None:
        """Register one shape of one kernel.

        `inputs(shape)` makes the arguments of both sides and is called once, in the process that
        measures; a side must leave its inputs alone. A side that is None counts as blocked for the
        reason given. Outputs are checked against `reference` where there is one, else the port's
        against the baseline's. `structure` is ``tile`` or ``scalar``; None looks for scalar
        operations in the port's source. Raises `UsageError` for a case that is there already.
        """
        case = Case(
            family=family,
            kernel=kernel,
            shape=dict(shape),
            inputs=inputs,
            sides={Side.BASELINE: baseline, Side.PTO: pto},
            reasons={Side.BASELINE: baseline_reason, Side.PTO: pto_reason},
            check=check,
            reference=reference,
            label=label,
            structure=_structure(structure, kernel),
        )
        known = {(old.family, old.kernel, old.label, old.shape_json) for old in self.cases}
        if (case.family, case.kernel, case.label, case.shape_json) in known:
            raise UsageError(f"{case.title}: this case is there already")
        self.cases.append(case)


def _structure(text: str | None, kernel: str) -> Structure | None:
    try:
        return None if text is None else Structure(text)
    except ValueError:
        raise UsageError(f"{kernel}: structure must be tile or scalar, not {text!r}") from None


def label_of(shape: Mapping[str, object]) -> str:
    """A short name for a shape: ``x512x512 weight512x128``."""
    return " ".join(name + "x".join(map(str, _sizes(size))) for name, size in shape.items())


def _sizes(size: object) -> Sequence[object]:
    return size if isinstance(size, (list, tuple)) else (size,)


def load_suite(path: Path) -> Suite:
    """Run a suite file and return the one `Suite` that it made.

    The file's own folder is importable while it runs and after, as for any script. What the file
    raises passes through; `InputError` where it makes no suite, several, or one without cases.
    """
    spec = util.spec_from_file_location("kreport_suite", path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: a suite is a Python file (.py)")
    sys.path.insert(0, str(path.resolve().parent))
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    suites = [value for value in vars(module).values() if isinstance(value, Suite)]
    if len(suites) != 1:
        raise InputError(f"{path}: expected one kreport.Suite, found {len(suites)}")
    if not suites[0].cases:
        raise InputError(f"{path}: the suite has no case (register with suite.case)")
    return suites[0]
