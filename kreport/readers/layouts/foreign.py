"""What the JSON of other tools has in common: parameters, of which some are kreport's columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]

_COLUMNS = ("side", "kernel", "family", "variant_label", "device")


def parted(parameters: Mapping[str, Any]) -> tuple[Row, Row]:
    """Split parameters into those that say what kreport's columns of their names say, and the rest.

    The rest is the shape of a case.
    """
    named = {name: parameters[name] for name in _COLUMNS if name in parameters}
    return named, {name: value for name, value in parameters.items() if name not in named}
