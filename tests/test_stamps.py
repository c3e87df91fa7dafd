"""Stamps, and the one clock behind them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from kreport import stamps
from kreport.cli.app import run
from kreport.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

BAD = ["1.5", "-1", "yesterday", " 12", "\u00b2", "9" * 15, "9" * 5000]


def test_the_machine_is_asked_where_nothing_fixes_the_clock() -> None:
    assert abs(stamps.now({}).timestamp() - time.time()) < 60
    assert abs(stamps.now({"SOURCE_DATE_EPOCH": ""}).timestamp() - time.time()) < 60


def test_the_environment_fixes_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1774060871")
    assert stamps.now().timestamp() == 1774060871
    assert stamps.now_stamp() == "20260321T024111Z"
    assert stamps.now({"SOURCE_DATE_EPOCH": "0"}).year == 1970


@pytest.mark.parametrize("text", BAD)
def test_a_clock_that_cannot_be_is_refused_with_its_value(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        stamps.now({"SOURCE_DATE_EPOCH": text})
    assert "SOURCE_DATE_EPOCH" in str(caught.value)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    "command",
    ["build", "build --prom out/k.prom", "doctor", "bench suite.py", "config", "trend"],
)
def test_every_command_refuses_it_before_it_writes_anything(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1.5")
    assert run(command.split()) == 2
    assert "SOURCE_DATE_EPOCH" in (said := capsys.readouterr().err)
    assert "'1.5'" in said
    assert list(tmp_path.iterdir()) == []
