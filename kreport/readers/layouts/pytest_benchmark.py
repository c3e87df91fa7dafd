"""Benchmarks of pytest-benchmark's JSON, restated in kreport's own names: times are seconds.

The test is the kernel, its group (or file and class) the family, its parameters the shape. A
parameter or an ``extra_info`` called ``side`` says whose code it times. Rounds are samples where
the file keeps them (``--benchmark-json``, ``--benchmark-save-data``), else their quartiles count.
"""

from __future__ import annotations

from typing import Any

from kreport.readers.layouts.foreign import Row, parted

_STATISTICS = ("median", "mean", "q1", "q3", "min", "max")


def restate(element: Row) -> Row | None:
    """Return one benchmark as a row of one side; None for an object that is none of the tool's."""
    name, fullname, stats = (element.get(key) for key in ("name", "fullname", "stats"))
    if not (isinstance(name, str) and isinstance(fullname, str) and isinstance(stats, dict)):
        return None
    parameters = _object(element.get("params"))
    told, _ = parted(_object(element.get("extra_info")))
    named, shape = parted(parameters)
    numbers = {f"{statistic}_s": stats.get(statistic) for statistic in _STATISTICS}
    return {
        "kernel": name.partition("[")[0] if parameters else name,
        "family": element.get("group") or fullname.rpartition("::")[0],
        "shape": shape or None,
        **told,
        **named,
        **numbers,
        "n": stats.get("rounds"),
        "samples_s": stats.get("data"),
    }


def _object(value: Any) -> Row:
    return value if isinstance(value, dict) else {}
