"""The texts of a report in every language: complete, filled in alike, used."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path

import pytest

import kreport
from kreport.report.catalogue import Catalogue
from kreport.settings import LANGUAGES
from tests.readers.test_rules import rules_in_code

PACKAGE = Path(kreport.__file__).parent
FOLDER = PACKAGE / "report" / "catalogue"
CHINESE = re.compile("[\u4e00-\u9fff]")
FINDING = "finding."
TERMS = {
    *("Kernel", "Baseline", "baseline", "PTO", "Shape", "Matrix", "ms", "n", "p", "a", "IQR", "x"),
    *("tile-first", "scalar-heavy", "ok", "blocked", "pass", "fail", "variant"),
    *(
        "PTODSL",
        "surface",
        "PTOAS",
        "lowering",
        "pto-isa",
        "backend",
        "host",
        "runtime",
        "hot",
        "path",
    ),
}


def flat(table: dict[str, object], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = str(value)
    return found


def texts(language: str) -> dict[str, str]:
    return flat(tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    """A text that is added to one language is added to all in the same change."""
    found = {key for key in texts(language) if not key.startswith(FINDING)}
    assert found == texts("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fills_in_the_same_values(language: str) -> None:
    english = {key: placeholders(text) for key, text in texts("en").items()}
    found = {key: placeholders(text) for key, text in texts(language).items()}
    assert {key: names for key, names in found.items() if not key.startswith(FINDING)} == english


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_language_but_that_of_the_code_has_words_for_every_rule(language: str) -> None:
    """English says what is wrong with an input where it finds it, with the values."""
    known = {key.removeprefix(FINDING) for key in texts(language) if key.startswith(FINDING)}
    assert known == rules_in_code() | {"snapshot-unreadable"}
    assert Catalogue("en").finding("row-width", "expected 4") == "expected 4"
    assert CHINESE.search(Catalogue("zh").finding("row-width", "expected 4"))


def test_sentences_are_translated() -> None:
    """A Chinese text without a Chinese sign holds terms of the field alone."""
    left = {
        key: text
        for key, text in texts("zh").items()
        if not CHINESE.search(text)
        and not set(re.findall(r"[A-Za-z][A-Za-z-]*", re.sub(r"\{\w+\}", "", text))) <= TERMS
    }
    assert left == {}


def test_no_chinese_outside_its_catalogue() -> None:
    """A sentence in code would be a sentence that one language alone has."""
    files = [*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "templates").iterdir()]
    assert [str(path) for path in files if CHINESE.search(path.read_text("utf-8"))] == []


def test_templates_hold_no_sentence() -> None:
    """Whatever a template says, it looks up: outside tags and expressions no word is left."""
    found = {}
    for path in sorted((PACKAGE.parent / "templates").iterdir()):
        if path.suffix in {".md", ".html", ".svg"}:
            bare = re.sub(
                r"\{\{.*?\}\}|\{[%#].*?[%#]\}|<style.*?</style>",
                " ",
                path.read_text("utf-8"),
                flags=re.S,
            )
            bare = re.sub(r"<[^<>]*>|&\w+;| \w+=\"[^\"]*\"", " ", bare)
            words = re.findall(r"[A-Za-z]{3,}", bare)
            if words:
                found[path.name] = words
    assert found == {}


def test_a_missing_text_is_an_error_and_not_a_hole() -> None:
    with pytest.raises(KeyError):
        Catalogue("zh")("summary.no_such_text")
