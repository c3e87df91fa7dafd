"""The library that ``import kreport`` offers, and what that import costs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

import kreport


def test_the_public_names_are_these() -> None:
    """Adding or removing a name is a decision, so it changes this list."""
    assert kreport.__all__ == [
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


@pytest.mark.parametrize("name", kreport.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(kreport, name) is not None
    assert name in dir(kreport)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: kreport.summarize([]),
        lambda: kreport.summarize([1.0, float("nan")]),
        lambda: kreport.summarize(["fast"]),
        lambda: kreport.outliers([float("inf")]),
        lambda: kreport.compare([1.0], []),
        lambda: kreport.bench(lambda: None, repeats=0),
        lambda: kreport.bench(lambda: None, timer=lambda: float("nan")),
        lambda: kreport.compile_vs_run(lambda: lambda: None, warmup=-1),
        lambda: kreport.break_even(1.0, float("nan"), 1.0),
        lambda: kreport.FakeClock([]),
        lambda: kreport.FakeClock([float("nan")]),
        lambda: kreport.Suite("s", repeats=0),
    ],
)
def test_what_cannot_be_done_is_one_error_that_can_be_caught(asked: Callable[[], object]) -> None:
    with pytest.raises(kreport.UsageError) as caught:
        asked()
    assert isinstance(caught.value, kreport.KReportError)
    assert isinstance(caught.value, ValueError)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'medain'"):
        _ = kreport.medain


def test_importing_the_library_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'pandas', 'rich', 'jinja2', 'torch', 'kreport.harness', 'kreport.stats'}"
    code = f"import sys, kreport; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
