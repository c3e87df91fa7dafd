"""Fixtures for all tests; slow tests skip visibly unless they are asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("long", deadline=None, max_examples=5000)
settings.register_profile("deep", deadline=None, max_examples=100_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-slow", action="store_true", help="run the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: run with --run-slow"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of the real data; tests that need it skip visibly where it is not."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the real data is not here")
    return folder


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on the settings of whoever runs it; processes started use this checkout."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in os.environ:
        if name.startswith("KREPORT_"):
            monkeypatch.delenv(name)
