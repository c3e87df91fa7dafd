"""Bars where the terminal can show them, ASCII where its user said that it cannot."""

from __future__ import annotations

import pytest

from kreport.report.run.build_console import bar
from kreport.report.terminal_locale import is_ascii


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ({}, False),
        ({"LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "zh_CN.utf8"}, False),
        ({"LC_ALL": "C"}, True),
        ({"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, True),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),  # what Python itself makes of LANG=C
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "en_GB.ISO-8859-1"}, True),
        ({"LC_CTYPE": "en_GB.UTF-8", "LANG": "C"}, False),
    ],
)
def test_the_locale_decides_on_the_characters_of_bars(
    locale: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert is_ascii() is expected


@pytest.mark.parametrize("ratio_pct", [0.4, 17.0, 50.0, 99.9, 250.0])
def test_an_ascii_bar_is_ascii(ratio_pct: float) -> None:
    assert bar(ratio_pct, ascii_only=True).isascii()
