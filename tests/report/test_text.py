"""Text from files is harmless wherever it is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kreport.formula import neutralise, restore
from kreport.report import text

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
anything = st.text(
    st.characters() | st.sampled_from("|`\\*_[]<>&~#!-+=@\n\r\t\x1b\u202e\u200b{}"), max_size=40
)


def cells(line: str) -> list[list[object]]:
    tokens = PARSER.parse(f"| a | b |\n| --- | --- |\n{line}\n")
    return [token.children or [] for token in tokens if token.type == "inline"][2:]


@given(anything)
def test_a_markdown_cell_holds_its_text_and_nothing_else(raw: str) -> None:
    found = cells(f"| {text.markdown(raw)} | end |")
    assert len(found) == 2
    assert all(child.type in ("text", "text_special") for child in found[0])  # type: ignore[attr-defined]
    shown = "".join(child.content for child in found[0])  # type: ignore[attr-defined]
    assert shown == text.one_line(raw)


@given(anything)
def test_a_code_block_cannot_be_closed_by_its_text(raw: str) -> None:
    tokens = PARSER.parse(text.code_block(raw) + "\n\nafter\n")
    assert [token.type for token in tokens[:2]] == ["fence", "paragraph_open"]


@given(anything)
def test_clean_text_has_no_controls_and_nothing_invisible(raw: str) -> None:
    shown = text.clean(raw)
    for character in shown:
        assert character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs")
        assert character not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b"
    assert text.clean(shown) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[39m", "red"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\u202e.gnp.lenrek", ".gnp.lenrek"),
        ("{{ 7*7 }}", "{{ 7*7 }}"),
    ],
)
def test_what_a_terminal_would_obey_is_removed(raw: str, shown: str) -> None:
    assert text.clean(raw) == shown


def test_kernel_names_stay_searchable() -> None:
    assert text.markdown("grouped_mat_mul_all_reduce") == "grouped_mat_mul_all_reduce"


def test_links_do_not_come_alive() -> None:
    assert "http:" not in text.markdown("see http://example.invalid/x")
    assert "www." not in text.markdown("www.example.invalid")


def test_first_line_marks_what_it_leaves_out() -> None:
    assert text.first_line("\n  boom: \x07here \nframe 0\n") == "boom: here …"
    assert text.first_line("x" * 500, 10) == "xxxxxxxxx…"
    assert text.first_line(" \n") == ""


@given(anything)
def test_neutralised_text_runs_nowhere_and_comes_back(raw: str) -> None:
    safe = neutralise(raw)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert restore(safe) == raw
