"""How a port's code is built: as registered, or by looking for scalar operations in its source."""

from __future__ import annotations

import inspect
import io
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kreport.harness.suite import Case, Structure
from kreport.model import Side

SCALAR_OPERATIONS = ("load_scalar", "store_scalar", "scalar_select")


def named(case: Case) -> tuple[str, tuple[str, ...]]:
    """Structure (``tile``, ``scalar`` or "" for unknown) and scalar operations of a case's port.

    What was registered wins over what the source shows; the operations found are listed either way.
    """
    matches = scalar_matches(case.sides[Side.PTO])
    if case.structure is not None:
        return case.structure.value, matches or ()
    if matches is None:
        return "", ()
    return (Structure.SCALAR if matches else Structure.TILE).value, matches


def scalar_matches(kernel: object) -> tuple[str, ...] | None:
    """Scalar operations that a callable's source uses: ``norm.py:load_scalarx2``, sorted.

    Looks at the callable itself and, through the names it uses, at every function of the same
    folder and below; comments and strings do not count. None where no source can be had.
    """
    sources = list(_reachable(kernel))
    if not sources:
        return None
    found: Counter[tuple[str, str]] = Counter()
    for path, text in sources:
        found.update((path.name, name) for name in _names(text) if name in SCALAR_OPERATIONS)
    return tuple(f"{file}:{name}x{times}" for (file, name), times in sorted(found.items()))


def _reachable(kernel: object) -> Iterator[tuple[Path, str]]:
    """File and source of the callable and of every function it can get to in its folder."""
    home: Path | None = None
    waiting, met = [kernel], set[int]()
    while waiting:
        function = _unwrapped(waiting.pop())
        if id(function) in met or not inspect.isfunction(function):
            continue
        met.add(id(function))
        try:
            path, text = Path(inspect.getfile(function)).resolve(), inspect.getsource(function)
        except (OSError, TypeError):
            continue
        home = home or path.parent
        if home not in path.parents:
            continue
        yield path, text
        visible = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        waiting += [
            visible[name]
            for name in _names(text)
            if name in visible and name not in SCALAR_OPERATIONS
        ]


def _unwrapped(kernel: object) -> object:
    """The Python function inside partials, decorators and compiled kernels (their ``fn``)."""
    for _ in range(10):
        inner = next(
            (
                getattr(kernel, name)
                for name in ("__wrapped__", "func", "fn")
                if callable(getattr(kernel, name, None))
            ),
            None,
        )
        if inner is None:
            break
        kernel = inner
    return kernel


def _names(source: str) -> Iterator[str]:
    """Names used in source text, those being defined left out."""
    before = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(inspect.cleandoc(source)).readline):
            if token.type == tokenize.NAME:
                if before != "def":
                    yield token.string
                before = token.string
    except (tokenize.TokenError, IndentationError):
        return
