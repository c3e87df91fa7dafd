"""Inputs for reader tests: text written to a file, and the real data where it is at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write text or bytes under a name and give the path back."""

    def _write(content: str | bytes, name: str = "run.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return _write


@pytest.fixture
def real_data() -> Path:
    """The field's own files; the test is skipped where they are not there."""
    folder = SHARED / "data" / "pto-kernels"
    if not folder.is_dir():
        pytest.skip("the real data is not here")
    return folder
