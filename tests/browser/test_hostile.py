"""Texts that want to run, break the layout or leave the page: in every field of every input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.browser.conftest import Opener, reported

ATTACKS = (
    "<script>window.ran=1</script>",
    "</script><script>window.ran=2</script>",
    "</style><img src=x onerror=window.ran=3>",
    '"><svg onload=window.ran=4>',
    "' onmouseover='window.ran=5' x='",
    "javascript:window.ran=6",
    "data:text/html,<script>window.ran=7</script>",
    "{{ 7*7 }}{% raw %}",
    "</td></tr></table></main><h1>taken over</h1>",
    "<!-- --><base href='https://example.invalid/'>",
    "</pre></details><meta http-equiv=refresh content='0;url=https://example.invalid/'>",
    "</title></svg><foreignObject><body onload=window.ran=8>",
    "\u202egnp.lenrek\u2066\u200b",
    "\x1b[31mred\x1b[0m\x07",
    "W" * 600,
    "one\ntwo\r\n\nthree\x00",
    "#open=k-x&sort=-ratio",
    "constructor",
    "__proto__",
    "\u200b\u200b",
)
HEADER = (
    *("family", "kernel", "variant_index", "variant_label", "shape_summary_json"),
    *("baseline_status", "pto_status", "baseline_correct", "pto_correct"),
    *("baseline_median_ms", "pto_median_ms", "baseline_over_pto_pct"),
    *("baseline_limitations_json", "baseline_reason", "pto_reason", "report_path", "spec"),
    *("timer", "device"),
)


def hostile_row(number: int, text: str) -> list[str]:
    blocked = number % 3 == 0
    return [
        text,
        text,
        str(number),
        text,
        json.dumps({text: [1, 2], "x": text}),
        "ok",
        "blocked" if blocked else "ok",
        "True",
        str(not blocked),
        "1.5",
        "" if blocked else "2.5",
        "",
        json.dumps([text]),
        text,
        text,
        f"bench/generated/{text}/report.json",
        text,
        "event",
        "npu:0",
    ]


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    source, matrix = folder / "runs.csv", folder / "matrix.json"
    with source.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for number, text in enumerate(ATTACKS):
            writer.writerow(hostile_row(number, text.replace("\x00", "")))
    kernels = [
        {
            "name": text,
            "family": text,
            "primary_class": text,
            "scalar_hot_path": True,
            "scalar_matches": [text],
            "gap_ids": [text],
            "baseline_status": text,
            "pto_status": text,
            "baseline_reason": text,
            "pto_reason": text,
            "report_path": text,
        }
        for text in (*ATTACKS[:14], "not measured <b>here</b>")
    ]
    document = {"generated_at": "20260401T000000Z", "kernels": kernels}
    matrix.write_text(json.dumps(document), encoding="utf-8")
    return reported(folder / "reports", source, matrix=str(matrix), lenient=True)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_nothing_runs_and_nothing_is_asked_for(
    script: bool, show: Opener, hostile_page: Path
) -> None:
    opened = show(hostile_page, java_script_enabled=script)
    page = opened.page
    if script:
        page.locator("[name=unfold]").click()
        page.mouse.move(400, 400)
        assert page.evaluate("window.ran") is None
    page.wait_for_timeout(100)
    assert opened.requests == [hostile_page.as_uri()]
    assert opened.complaints == []


def test_no_text_becomes_a_tag(show: Opener, hostile_page: Path) -> None:
    page = show(hostile_page).page
    assert page.locator("script").count() == 1
    assert page.locator("h1").count() == 1
    assert page.locator("img, base, iframe, foreignObject, body body").count() == 0
    assert page.locator("meta[http-equiv]").count() == 1
    attributes = page.evaluate(
        "[...new Set([...document.querySelectorAll('*')]"
        ".flatMap(one => one.getAttributeNames()))].filter(name => name.startsWith('on'))"
    )
    assert attributes == []
    assert page.locator("table.kernels").locator("xpath=ancestor::main").count() == 1


def test_no_link_leaves_the_folder_of_the_report(show: Opener, hostile_page: Path) -> None:
    page = show(hostile_page).page
    links = page.locator("a[href]").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert links
    outside = [link for link in links if not link.startswith("#") and ":" in link]
    assert outside == []
    for link in links:
        if link.startswith("#"):
            assert page.locator(f"[id={json.dumps(link[1:])}]").count() == 1, link


@pytest.mark.parametrize("width", [390, 1280])
def test_no_text_breaks_the_layout(width: int, show: Opener, hostile_page: Path) -> None:
    page = show(hostile_page, width=width).page
    page.locator("[name=unfold]").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows = page.locator(".kernel").evaluate_all("all => all.map(row => row.cells.length)")
    assert len(set(rows)) == 1
    assert len(rows) == len(set(ATTACKS))


def test_names_can_be_read_as_they_were_written(show: Opener, hostile_page: Path) -> None:
    page = show(hostile_page).page
    names = [name.strip() for name in page.locator(".kernel th").all_text_contents()]
    for attack in ATTACKS[:9]:
        assert attack in names
    assert '""' in names
    assert "gnp.lenrek" in names, "the characters that turn text round are gone"


def test_the_picture_is_sound_xml_that_holds_no_script(hostile_page: Path) -> None:
    from xml.etree import ElementTree

    picture = hostile_page.with_suffix(".svg")
    tags = {element.tag.split("}")[1] for element in ElementTree.parse(picture).iter()}
    known = {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "text",
        "tspan",
        "line",
        "circle",
        "path",
        "g",
    }
    assert tags <= known
