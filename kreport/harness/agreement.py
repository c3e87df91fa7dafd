"""Whether two outputs agree: the check of a case that brings none of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RTOL = 1e-3
ATOL = 1e-5


def close(expected: object, actual: object) -> bool:
    """Check that two outputs agree within ``rtol 1e-3, atol 1e-5``; see `close_within`."""
    return close_within(RTOL, ATOL)(expected, actual)


def close_within(rtol: float, atol: float = 0.0) -> Callable[[object, object], bool]:
    """Make a check: every element within ``atol + rtol * |expected|``, NaN never agrees.

    Outputs are arrays, tensors of any torch device, numbers, or lists and tuples of those. The
    check raises AssertionError with what differs: kind, shape, or the worst element.
    """

    def check(expected: object, actual: object) -> bool:
        if isinstance(expected, (list, tuple)):
            if not isinstance(actual, (list, tuple)):
                raise AssertionError(f"output is {_kind(actual)}, not a sequence")
            if len(expected) != len(actual):
                raise AssertionError(f"{len(actual)} outputs, not {len(expected)}")
            return all(check(*pair) for pair in zip(expected, actual, strict=True))
        if _close_on_device(expected, actual, rtol, atol):
            return True
        _assert_close(expected, actual, rtol, atol)
        return True

    return check


def _close_on_device(expected: Any, actual: Any, rtol: float, atol: float) -> bool:
    """Whether two tensors agree, found out where they are; False also where that cannot be done.

    Bringing a large tensor to the host takes longer than everything else done to a case.
    """
    if type(expected) is not type(actual) or not hasattr(expected, "isclose"):
        return False
    if (expected.shape, expected.device) != (actual.shape, actual.device):
        return False
    if expected.is_floating_point() and actual.is_floating_point():
        widest = max((expected.float(), expected, actual), key=lambda tensor: tensor.element_size())
        expected, actual = expected.to(widest.dtype), actual.to(widest.dtype)
    elif expected.dtype != actual.dtype:
        return False
    return bool(actual.isclose(expected, rtol=rtol, atol=atol).all())


def _assert_close(expected: object, actual: object, rtol: float, atol: float) -> None:
    import numpy as np

    want, got = np.asarray(_on_host(expected)), np.asarray(_on_host(actual))
    if got.dtype.kind not in "biufc":
        raise AssertionError(f"output is {_kind(actual)}, not numbers")
    if got.shape != want.shape:
        raise AssertionError(f"output has shape {got.shape}, not {want.shape}")
    wide = np.result_type(want, got, np.float64)
    with np.errstate(invalid="ignore"):
        want, got = want.astype(wide), got.astype(wide)
        wrong = ~(np.abs(got - want) <= atol + rtol * np.abs(want)) & (got != want)
    if wrong.any():
        first = tuple(int(place[0]) for place in np.nonzero(np.atleast_1d(wrong)))
        raise AssertionError(
            f"{int(wrong.sum())} of {wrong.size} elements differ, the first at {first}: "
            f"{np.atleast_1d(got)[first]} instead of {np.atleast_1d(want)[first]}"
        )


def _on_host(output: object) -> object:
    # A tensor on a device, or of a type NumPy lacks (bfloat16), without importing torch here.
    if hasattr(output, "detach") and hasattr(output, "cpu"):
        tensor = output.detach().cpu()
        return tensor.double().numpy() if tensor.is_floating_point() else tensor.numpy()
    return output


def _kind(output: object) -> str:
    return type(output).__name__
