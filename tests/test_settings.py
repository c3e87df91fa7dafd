"""Settings: precedence, origins, and every fault named at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kreport import settings
from kreport.choices import Gate, Method
from kreport.classify import TierBounds
from kreport.errors import UsageError
from kreport.noise import NoiseLimits
from kreport.verdicts import Question

if TYPE_CHECKING:
    from pathlib import Path


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    (tmp_path / "kreport.toml").write_text('out = "a"\nlang = "zh"\neffect_pct = 5\n')
    loaded = settings.load(
        {"out": "flag", "timer": None},
        cwd=tmp_path,
        environ={"KREPORT_LANG": "en", "KREPORT_OUT": "env", "HOME": "/"},
    )
    assert loaded.settings.out == "flag"
    assert loaded.settings.lang == "en"
    assert loaded.settings.effect_pct == 5.0
    assert loaded.origins["out"] == "--out"
    assert loaded.origins["lang"] == "environment KREPORT_LANG"
    assert loaded.origins["effect_pct"] == str(tmp_path / "kreport.toml")
    assert loaded.origins["timer"] == "default"


def test_sections_group_names_and_paths_belong_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.kreport]\ninputs = ["runs"]\nprevious = "auto"\n'
        "[tool.kreport.tiers]\nparity = 95\n[tool.kreport.archive]\nkeep = 10\n"
        '[tool.kreport.limits]\nrows = 7\n[tool.kreport.statuses]\n"gave up" = "blocked"\n'
    )
    inner = tmp_path / "inner"
    inner.mkdir()
    found = settings.load(cwd=inner, environ={}).settings
    assert found.inputs == (str(tmp_path / "runs"),)
    assert found.previous == "auto"
    assert (found.parity_pct, found.archive_keep, found.max_rows) == (95.0, 10, 7)
    assert found.statuses == {"gave up": "blocked"}


def test_all_faults_are_listed_at_once(tmp_path: Path) -> None:
    (tmp_path / "kreport.toml").write_text(
        'ouut = "x"\nmethod = "guess"\nstrict = "yes"\nfail_on = ["slow"]\nmax_rows = 1.5\n'
        '[statuses]\nmeh = "fine"\n'
    )
    with pytest.raises(UsageError) as caught:
        settings.load(cwd=tmp_path, environ={"KREPORT_EFFECT_PCT": "wide"})
    text = str(caught.value)
    assert "ouut: no such setting (did you mean 'out'?)" in text
    assert "method: must be one of auto, iqr" in text
    assert "strict: must be true or false, found 'yes'" in text
    assert "fail_on: must be some of slower" in text
    assert "max_rows: must be a whole number, found 1.5" in text
    assert "statuses: must map words to ok, pass, fail, blocked, missing, invalid" in text
    assert "KREPORT_EFFECT_PCT: effect_pct: must be a number, found 'wide'" in text


def test_contradictions_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="tiers must fall"):
        settings.load({"close_pct": 95.0}, cwd=tmp_path, environ={})
    with pytest.raises(UsageError, match="exclude each other"):
        settings.load({"strict": True, "lenient": True}, cwd=tmp_path, environ={})


def test_a_broken_settings_file_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "kreport.toml").write_text("= nothing")
    with pytest.raises(UsageError, match=r"kreport\.toml: cannot read the settings"):
        settings.load(cwd=tmp_path, environ={})


def test_a_default_is_the_same_wherever_it_is_asked_for() -> None:
    usual = settings.Settings()
    assert Question.of(usual) == Question()
    assert TierBounds.of(usual) == TierBounds()
    assert Question().limits == NoiseLimits()


def test_every_method_and_gate_is_a_setting(tmp_path: Path) -> None:
    for method in Method:
        found = settings.load({"method": method.value}, cwd=tmp_path, environ={}).settings
        assert Question.of(found).method is method
    gates = [gate.value for gate in Gate]
    assert settings.load({"fail_on": gates}, cwd=tmp_path, environ={}).settings.fail_on == (*gates,)
