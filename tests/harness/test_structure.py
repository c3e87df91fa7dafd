"""How a port is built, read from its source: scalar operations count, talk about them does not."""

from __future__ import annotations

from functools import partial, wraps

import pytest

from kreport import Suite
from kreport.errors import UsageError
from kreport.harness.structure import named, scalar_matches


def load_scalar(array, index):
    return array[index]


def store_scalar(array, index, value):
    array[index] = value


def tile_port(x):
    """Has no load_scalar in it, only talk of one."""
    return x  # not even a store_scalar here


def scalar_port(x):
    for index in range(len(x)):
        store_scalar(x, index, load_scalar(x, index) + load_scalar(x, 0))
    return x


def launcher(x):
    return inner(x)


def inner(x):
    return scalar_port(x) if x else launcher(x)


def decorated(function):
    @wraps(function)
    def around(*arguments):
        return function(*arguments)

    return around


class Compiled:
    """What a kernel compiler returns: the function it was given is its ``fn``."""

    def __init__(self, function):
        self.fn = function


MATCHES = ("test_structure.py:load_scalarx2", "test_structure.py:store_scalarx1")


@pytest.mark.parametrize(
    "port",
    [
        scalar_port,
        launcher,
        partial(scalar_port),
        decorated(scalar_port),
        Compiled(scalar_port),
        decorated(Compiled(launcher).fn),
        lambda x: launcher(x) + 0,
    ],
    ids=["itself", "called", "partial", "decorated", "compiled", "nested", "lambda"],
)
def test_scalar_operations_are_found_however_the_port_is_wrapped(port: object) -> None:
    assert scalar_matches(port) == MATCHES


def test_comments_and_docstrings_do_not_count() -> None:
    assert scalar_matches(tile_port) == ()


@pytest.mark.parametrize("port", [len, None, 3], ids=["builtin", "no port", "no function"])
def test_without_source_nothing_is_claimed(port: object) -> None:
    assert scalar_matches(port) is None


def case_with(port, structure=None):
    suite = Suite("structures")
    suite.case(
        "f", "k", {"x": 1}, inputs=lambda _: [[]], baseline=None, pto=port, structure=structure
    )
    return suite.cases[0]


@pytest.mark.parametrize(
    ("port", "registered", "expected"),
    [
        (scalar_port, None, ("scalar", MATCHES)),
        (tile_port, None, ("tile", ())),
        (scalar_port, "tile", ("tile", MATCHES)),
        (tile_port, "scalar", ("scalar", ())),
        (len, None, ("", ())),
        (None, None, ("", ())),
    ],
)
def test_what_is_registered_wins_over_what_is_found(port, registered, expected) -> None:
    assert named(case_with(port, registered)) == expected


def test_a_structure_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="tile or scalar, not 'vector'"):
        case_with(tile_port, "vector")
