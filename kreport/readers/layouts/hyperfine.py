"""Results of hyperfine's ``--export-json``, restated in kreport's own names: times are seconds.

The command, or the name that was given for it, is the kernel. The parameters of ``-L`` and ``-P``
tell its cases apart, and one called ``side`` says whose command it is.
"""

from __future__ import annotations

import json
import re
from typing import Any

from kreport.readers.layouts.foreign import Row, parted

_STATISTICS = ("median", "mean", "min", "max")


def restate(element: Row) -> Row | None:
    """Return one result as a row of one side; None for an object that is none of hyperfine's."""
    command, times, codes = (element.get(key) for key in ("command", "times", "exit_codes"))
    if not (isinstance(command, str) and isinstance(times, list) and "mean" in element):
        return None
    given = element.get("parameters")
    parameters = (
        {name: str(value) for name, value in given.items()} if isinstance(given, dict) else {}
    )
    named, sizes = parted(parameters)
    shape = {name: _number(value) for name, value in sizes.items()}
    row: Row = {"kernel": _template(command, {**named, **sizes}), "shape": shape or None}
    failed = sum(code != 0 for code in codes) if isinstance(codes, list) else 0
    if failed:
        # Measured all the same with --ignore-failure: how long a failure takes is no latency.
        reason = f"the command failed in {failed} of {len(times)} runs"
        return row | named | {"status": "error", "reason": reason}
    numbers = {f"{statistic}_s": element.get(statistic) for statistic in _STATISTICS}
    return row | named | {"status": "ok", **numbers, "samples_s": times}


def _template(command: str, parameters: dict[str, str]) -> str:
    """Put the parameters back as ``{name}``, so that a command is one kernel for all of them."""
    for name, value in parameters.items():
        if value:
            whole_word = rf"(?<!\w){re.escape(value)}(?!\w)"
            command = f"{{{name}}}".join(re.split(whole_word, command))
    return command


def _number(value: str) -> Any:
    """A number where the parameter is one: ``-P n 8 64`` and a shape of 8 are the same."""
    try:
        found = json.loads(value)
    except ValueError:
        return value
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return found if is_number else value
