"""The page and the picture without a browser: size, caps, positions, languages, and one truth."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kreport.errors import UsageError
from kreport.pipeline.build import Built, build
from kreport.report.page.log_axis import axis_for, marks_on
from kreport.settings import Settings

MARKS = (30.0, 70.0, 90.0, 100.0)
VOID = {"meta", "link", "input", "br", "wbr"}
CLOSED_BY_OTHERS = {"tr", "td", "th", "li", "dt", "dd", "p", "option", "tbody", "thead"}


class Page(HTMLParser):
    """Rows of tables, and whether tags are nested as they should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self._building: list[list[list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._building.append([])
        elif tag == "tr":
            self._building[-1].append([])
        elif tag in {"td", "th"}:
            self._building[-1][-1].append("")
        if tag not in VOID | CLOSED_BY_OTHERS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        if tag in CLOSED_BY_OTHERS:
            return
        assert self.open.pop() == tag
        if tag == "table":
            self.tables.append(self._building.pop())

    def handle_data(self, data: str) -> None:
        if self._building and self._building[-1] and self._building[-1][-1]:
            self._building[-1][-1][-1] += data.replace("\n", " ")


def built(folder: Path, *inputs: Path, **settings: object) -> Built:
    result = build(Settings(inputs=tuple(map(str, inputs)), out=str(folder), **settings))  # type: ignore[arg-type]
    assert isinstance(result, Built)
    return result


def generated(path: Path, kernels: int, shapes: int, reason: str = "") -> Path:
    lines = [
        "kernel,shape,baseline_us,baseline_q1_us,baseline_q3_us,pto_us,pto_q1_us,pto_q3_us,status"
    ]
    for kernel in range(kernels):
        pto = 100.0 + kernel * 400 / kernels
        lines += [
            f"grouped_matmul_{kernel:05},m{64 << shape}_n1024,100.0,99.0,101.0,"
            f"{pto + shape:.3f},{pto - 1:.3f},{pto + 1:.3f},OK"
            for shape in range(shapes)
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def latest(folder: Path, form: str) -> str:
    return (folder / f"regression_latest.{form}").read_text("utf-8")


def kernel_rows(page: Page) -> dict[str, list[str]]:
    """Cells of every kernel by its name."""
    width = len(page.tables[-1][0]) if page.tables else 0
    table = next(t for t in page.tables if t[0][0] == "Kernel" and "Geomean" in t[0])
    width = len(table[0])
    return {
        row[0].strip(): [cell.strip() for cell in row] for row in table[1:] if len(row) == width
    }


def markdown_tables(text: str) -> list[list[list[str]]]:
    tables: list[list[list[str]]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type == "inline" and tables and token.level == 4:
            tables[-1][-1].append("".join(child.content for child in token.children or []))
    return tables


def test_the_page_and_the_markdown_have_the_same_numbers(tmp_path: Path) -> None:
    built(tmp_path)
    page = kernel_rows(Page(latest(tmp_path, "html")))
    compared = 0
    for table in markdown_tables(latest(tmp_path, "md")):
        head = table[0]
        if "Geomean" not in head:
            continue
        for row in table[1:]:
            cells = dict(zip(head, row, strict=True))
            shown = page[cells["Kernel"]]
            for column, at in (("Class", 1), ("Baseline / PTO", 3), ("Geomean", 4), ("PTO ms", 6)):
                assert shown[at] == cells[column]
                compared += 1
    assert compared > 20


def test_the_picture_has_the_numbers_of_the_page(tmp_path: Path) -> None:
    built(tmp_path)
    page = latest(tmp_path, "html")
    listed = dict(re.findall(r'<li><a href="#[^"]+">([^<]+)</a>.*?<i>([^<]+)</i>', page, re.S))
    texts = [
        "".join(element.itertext())
        for element in ElementTree.fromstring(latest(tmp_path, "svg")).iter()
        if element.get("class") in {"name", "value"}
    ]
    pairs = dict(zip(texts[::2], texts[1::2], strict=True))
    assert pairs
    assert {name: html.unescape(value) for name, value in listed.items() if name in pairs} == pairs


def test_tags_are_nested_and_ids_are_unique(tmp_path: Path) -> None:
    built(tmp_path)
    text = latest(tmp_path, "html")
    page = Page(text)
    assert page.open == []
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("kernels", "shapes"), [(1000, 1), (200, 5)])
def test_a_thousand_rows_are_less_than_a_megabyte(
    kernels: int, shapes: int, tmp_path: Path
) -> None:
    built(tmp_path, generated(tmp_path / "long.csv", kernels, shapes))
    assert (tmp_path / "regression_latest.html").stat().st_size < 1_000_000
    rows = kernel_rows(Page(latest(tmp_path, "html")))
    assert len(rows) == kernels


def test_above_the_cap_the_page_says_where_the_rest_is(tmp_path: Path) -> None:
    built(tmp_path, generated(tmp_path / "long.csv", 1200, 1))
    text = latest(tmp_path, "html")
    cuts = re.findall(
        r"Showing (\d+) of (\d+) rows, worst first; all are in <code>(.*?)</code>", text
    )
    assert sum(int(total) for _, total, _ in cuts) == 1200
    assert {file for _, _, file in cuts} == {"regression_latest.csv"}
    assert len(kernel_rows(Page(text))) <= 1000
    assert "grouped_matmul_01199" in text, "the worst kernel survives the cut"
    assert "<b>1200</b>" in text, "the head counts everything"


def test_many_shapes_of_one_kernel_are_cut_and_counted(tmp_path: Path) -> None:
    lines = ["kernel,shape,baseline_us,pto_us,status"]
    lines += [f"wide,s{n},100.0,{100 + n}.0,OK" for n in range(6000)]
    source = tmp_path / "wide.csv"
    source.write_text("\n".join(lines) + "\n")
    built(tmp_path, source)
    text = latest(tmp_path, "html")
    assert "The worst 5000 of 6000 shapes; all are in <code>regression_latest.csv</code>." in text
    assert text.count("<circle") < 100, "a line is no place for thousands of dots"


def test_long_reasons_are_whole_until_the_page_is_full(tmp_path: Path) -> None:
    head = "family,kernel,baseline_status,pto_status,baseline_median_ms,pto_median_ms,pto_reason"
    lines = [f"f,k{n},ok,blocked,1.0,,begin {n} {'x' * 9_000} end {n}" for n in range(100)]
    source = tmp_path / "reasons.csv"
    source.write_text("\n".join([head, *lines]) + "\n")
    built(tmp_path, source)
    text = latest(tmp_path, "html")
    whole = len(re.findall(r"end \d+</pre>", text))
    assert 10 < whole < 30
    assert text.count("whole in <code>regression_latest.csv</code>") == 100 - whole
    assert len(text) < 1_000_000


def test_chinese_renders_whole_and_leaves_data_alone(tmp_path: Path) -> None:
    built(tmp_path / "en", lang="en")
    built(tmp_path / "zh", lang="zh")
    assert latest(tmp_path / "zh", "csv") == latest(tmp_path / "en", "csv")
    assert latest(tmp_path / "zh", "json") == latest(tmp_path / "en", "json")
    page = latest(tmp_path / "zh", "html")
    assert '<html lang="zh">' in page
    assert "怎么读这份报告" in page
    english = {"Noise band", "Summary", "worst first", "kernels in", "Unfold", "rule:", "Read at"}
    assert [text for text in english if text in page] == []


@given(
    ratios=st.lists(st.floats(1e-3, 1e6), max_size=8),
    marks=st.lists(st.floats(5, 200), min_size=1, max_size=4).map(tuple),
)
def test_every_mark_and_every_ratio_has_its_place(
    ratios: list[float], marks: tuple[float, ...]
) -> None:
    """Marks are strictly inside, places keep the order of ratios, what lies outside is marked."""
    axis = axis_for(ratios, marks)
    assert all(0 < axis.position(mark) < 100 for mark in marks)
    places = [axis.position(ratio) for ratio in sorted(ratios)]
    assert places == sorted(places)
    for ratio in ratios:
        assert 0 <= axis.position(ratio) <= 100
        assert bool(axis.side(ratio)) == (not axis.low_pct <= ratio <= axis.high_pct)


def test_labels_of_close_marks_stand_in_different_rows() -> None:
    marks = marks_on(axis_for([17.0, 95.0], MARKS), MARKS)
    assert [mark.label for mark in marks] == ["30%", "70%", "90%", "100%"]
    for one, other in pairwise(marks):
        assert one.row != other.row or float(other.x) - float(one.x) >= 9


def test_the_axis_is_logarithmic() -> None:
    axis = axis_for([10.0, 95.0], MARKS)
    doubled = [axis.position(ratio) for ratio in (20.0, 40.0, 80.0)]
    assert doubled[1] - doubled[0] == pytest.approx(doubled[2] - doubled[1])


def test_a_users_style_is_inlined_and_its_hash_is_in_the_policy(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "regression.css").write_text("body { color: teal }\n")
    built(tmp_path / "reports", templates=str(own))
    page = latest(tmp_path / "reports", "html")
    style = re.search(r"<style>(.*?)</style>", page, re.S)
    assert style is not None
    assert style[1] == "body { color: teal }"
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page


def test_a_users_template_for_the_page_is_guarded(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "regression.html").write_text("{{ page.__class__.__mro__ }}")
    with pytest.raises(UsageError, match="cannot be filled in"):
        built(tmp_path / "reports", templates=str(own))
    (own / "regression.html").write_text(
        "<p>{{ view.rows[0].kernel }}: {{ page.headlines[0].value }}"
    )
    built(tmp_path / "reports", templates=str(own))
    assert latest(tmp_path / "reports", "html").startswith("<p>")
