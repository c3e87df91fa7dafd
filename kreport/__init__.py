"""kreport: reports on ported accelerator kernels that a team can believe.

The names below are the library: measure with `bench`, reduce with `summarize`, ask with `compare`.
All of them raise `UsageError` for what they cannot do, and nothing else of kreport's own.
They are imported when they are first used, so that ``import kreport`` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself costs a start 7 ms
if TYPE_CHECKING:
    from kreport.errors import KReportError as KReportError
    from kreport.errors import UsageError as UsageError
    from kreport.harness.clock import FakeClock as FakeClock
    from kreport.harness.compile_cost import CompileCost as CompileCost
    from kreport.harness.compile_cost import break_even as break_even
    from kreport.harness.compile_cost import compile_vs_run as compile_vs_run
    from kreport.harness.measure import Measurement as Measurement
    from kreport.harness.measure import bench as bench
    from kreport.harness.suite import Suite as Suite
    from kreport.stats import Comparison as Comparison
    from kreport.stats import Summary as Summary
    from kreport.stats import compare as compare
    from kreport.stats import outliers as outliers
    from kreport.stats import summarize as summarize

__version__ = "0.1.0"

_HOME = {
    "Comparison": "kreport.stats",
    "CompileCost": "kreport.harness.compile_cost",
    "FakeClock": "kreport.harness.clock",
    "KReportError": "kreport.errors",
    "Measurement": "kreport.harness.measure",
    "Suite": "kreport.harness.suite",
    "Summary": "kreport.stats",
    "UsageError": "kreport.errors",
    "bench": "kreport.harness.measure",
    "break_even": "kreport.harness.compile_cost",
    "compare": "kreport.stats",
    "compile_vs_run": "kreport.harness.compile_cost",
    "outliers": "kreport.stats",
    "summarize": "kreport.stats",
}
"""Which module each public name lives in. No module directly under `kreport` may bear one of these
names: importing it would put the module where the function is expected."""

__all__ = [
    "Comparison",
    "CompileCost",
    "FakeClock",
    "KReportError",
    "Measurement",
    "Suite",
    "Summary",
    "UsageError",
    "__version__",
    "bench",
    "break_even",
    "compare",
    "compile_vs_run",
    "outliers",
    "summarize",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
