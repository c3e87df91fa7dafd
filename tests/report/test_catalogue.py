"""The texts of a report in every language: complete, filled in alike, used."""

from __future__ import annotations

import ast
import pkgutil
import re
import string
import tomllib
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
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
CHOOSERS = ("classify.py", "overview.py", "cases/result.py", "report/run/case_cells.py")
"""Modules with words, beside enumerations, by which another module chooses a text."""
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


def test_every_text_is_used() -> None:
    """A text that nothing shows is translated for nobody."""
    used = set(keys_in_templates())
    words = enum_words()
    words |= {word for name in CHOOSERS for word in constants(tree_of(PACKAGE / name))}
    known = texts("en").keys()
    for path in PACKAGE.rglob("*.py"):
        tree = tree_of(path)
        said = set(constants(tree))
        used |= said
        for pattern in key_patterns(tree):
            found = {key: re.fullmatch(pattern, key) for key in known}
            used |= {key for key, match in found.items() if match and match[1] in said | words}
    assert known - used == set()


def keys_in_templates() -> Iterator[str]:
    for path in (PACKAGE.parent / "templates").iterdir():
        yield from re.findall(r'\bt\("([^"]+)"', path.read_text("utf-8"))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def constants(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def key_patterns(tree: ast.AST) -> Iterator[str]:
    """``f"class.{found}"``: keys of one part that the code fills in, as patterns with that part."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            pattern = "".join("(.*)" if part is None else re.escape(str(part)) for part in parts)
            if re.match(r"[a-z_]+\\\.", pattern) and parts.count(None) == 1:
                yield pattern


def enum_words() -> set[str]:
    """Values of every enumeration of the package, and their names as keys write them."""
    for module in pkgutil.walk_packages(kreport.__path__, "kreport."):
        if module.name != "kreport.__main__":
            import_module(module.name)
    enums: list[type[Enum]] = [Enum]
    for one in enums:
        enums += one.__subclasses__()
    members = [member for one in enums if one.__module__.startswith("kreport") for member in one]
    return {str(member.value) for member in members} | {one.name.lower() for one in members}


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
