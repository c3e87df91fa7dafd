"""A real browser: Chromium where it is installed; without it these tests skip, visibly."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kreport.pipeline.build import Built, build
from kreport.settings import Settings

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running Chromium, started once for all tests of a process."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page, and everything that it asked for or complained about."""

    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


class Opener:
    """Opens reports, each in a fresh context."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._contexts: list[Any] = []

    def __call__(self, path: Path, fragment: str = "", width: int = 1280, **options: Any) -> Opened:
        context = self._chromium.new_context(viewport={"width": width, "height": 800}, **options)
        self._contexts.append(context)
        page = context.new_page()
        opened = Opened(page)
        page.on("request", lambda request: opened.requests.append(request.url))
        page.on("console", lambda message: opened.complaints.append(message.text))
        page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        page.on("dialog", lambda dialog: opened.complaints.append(dialog.message))
        page.goto(path.as_uri() + fragment)
        return opened

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def show(chromium: Any) -> Iterator[Opener]:
    """Opens a file in a fresh context; collects its requests and complaints."""
    opener = Opener(chromium)
    yield opener
    opener.close()


def reported(folder: Path, *inputs: Path, **settings: Any) -> Path:
    """Build a report into `folder` and return its page."""
    result = build(Settings(inputs=tuple(map(str, inputs)), out=str(folder), **settings))
    assert isinstance(result, Built)
    return folder / "regression_latest.html"


@pytest.fixture(scope="session")
def example_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the shipped example."""
    return reported(tmp_path_factory.mktemp("page") / "reports")


@pytest.fixture(scope="session")
def history_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the last of six nights, with the courses and verdicts that a history gives."""
    folder = tmp_path_factory.mktemp("history")
    for night in range(1, 7):
        source = folder / f"regression_202604{night:02d}T000000Z.csv"
        lines = ["kernel,shape,baseline_us,pto_us,status"]
        for kernel in range(12):
            pto = 100 + 9 * kernel + night % 2 + 40 * (kernel == 3 and night > 3)
            lines += [f"kernel_{kernel:02},m{64 << m},100.0,{pto + m}.0,OK" for m in range(3)]
        source.write_text("\n".join(lines) + "\n")
        page = reported(folder / "reports", source, previous="auto")
    return page
