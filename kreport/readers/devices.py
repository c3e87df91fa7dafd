"""One device for a case out of the devices of its two sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Objects = npt.NDArray[np.object_]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Devices:
    """`joined` is the device of the case; ``A / B`` where the sides ran on different ones.

    `unknown` marks cases of which one side says where it ran and the other does not.
    """

    joined: Objects
    differ: Flags
    unknown: Flags


def join_devices(baseline: Objects, pto: Objects) -> Devices:
    """Join folded device names (index gone) of two sides, row by row."""
    same = baseline == pto
    unknown = ~same & ((baseline == "") | (pto == ""))
    differ = ~same & ~unknown
    joined = np.where(baseline != "", baseline, pto).astype(object)
    joined[differ] = [f"{a} / {b}" for a, b in zip(baseline[differ], pto[differ], strict=True)]
    return Devices(joined, differ, unknown)
