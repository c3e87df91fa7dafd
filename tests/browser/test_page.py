"""The page in a browser: what a reader can do with it, with and without script, mouse and eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Opener


def names(page: Any) -> list[str]:
    """Names in the table, top down, of the rows that can be seen."""
    rows = page.locator(".kernel:visible th").all_text_contents()
    return [name.strip() for name in rows]


def column(page: Any, title: str) -> list[str]:
    """Texts of a column, top down."""
    heads = page.locator(".kernels > thead th").all_text_contents()
    at = heads.index(title)
    return page.locator(f".kernel:visible > :nth-child({at + 1})").all_text_contents()


def numbers(texts: list[str]) -> list[float]:
    return [float(text.split("%")[0].split("..")[0]) for text in texts if text != "n/a"]


def test_the_page_asks_for_nothing_and_complains_of_nothing(
    show: Opener, example_page: Path
) -> None:
    opened = show(example_page)
    opened.page.wait_for_timeout(100)
    assert opened.requests == [example_page.as_uri()]
    assert opened.complaints == []


def test_the_policy_allows_one_style_and_one_script_and_nothing_else(
    show: Opener, example_page: Path
) -> None:
    page = show(example_page).page
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert page.locator("script").count() == 1
    assert page.locator("[style], [onclick], iframe, img, object, embed").count() == 0
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), "
        "{textContent: 'window.ran = true'}))"
    )
    assert page.evaluate("window.ran") is None


def test_a_click_sorts_another_turns_it_round_and_a_third_brings_the_groups_back(
    show: Opener, example_page: Path
) -> None:
    page = show(example_page).page
    groups = names(page)
    head = page.locator("[data-by=geomean]")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    rising = column(page, "Geomean")
    assert numbers(rising) == sorted(numbers(rising))
    assert set(rising[len(numbers(rising)) :]) == {"n/a"}, "what has no number comes last"
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    falling = column(page, "Geomean")
    assert numbers(falling) == sorted(numbers(rising), reverse=True)
    assert set(falling[len(numbers(falling)) :]) == {"n/a"}
    assert page.locator(".group:visible").count() == 0
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert names(page) == groups


def test_words_sort_by_their_own_order(show: Opener, example_page: Path) -> None:
    page = show(example_page).page
    page.locator("[data-by=tier] button").click()
    seen = [tier for tier in dict.fromkeys(column(page, "Tier")) if tier]
    assert seen == [tier for tier in ("parity", "close", "middle", "slow") if tier in seen]
    assert len(seen) > 1


def test_filters_join_and_say_how_many_are_left(show: Opener, example_page: Path) -> None:
    page = show(example_page).page
    everything = len(names(page))
    page.locator("[name=class]").select_option("tile-first")
    tiles = names(page)
    assert 0 < len(tiles) < everything
    assert set(column(page, "Class")) == {"tile-first"}
    page.locator("[name=q]").fill(tiles[0][:6].upper())
    assert tiles[0] in names(page)
    assert all(tiles[0][:6] in name for name in names(page))
    said = page.locator("output").text_content()
    assert said == f"{len(names(page))} of {everything} kernels"
    page.locator("[name=clear]").click()
    assert len(names(page)) == everything


@pytest.mark.parametrize("name", ["family", "tier"])
def test_every_choice_of_a_filter_finds_something(
    name: str, show: Opener, example_page: Path
) -> None:
    page = show(example_page).page
    everything = len(names(page))
    found = 0
    for value in page.locator(f"[name={name}] option").evaluate_all("all => all.map(o => o.value)"):
        page.locator(f"[name={name}]").select_option(value)
        assert names(page)
        found += bool(value) * len(names(page))
    assert found == everything if name == "family" else found < everything


def test_the_address_keeps_what_the_reader_did(show: Opener, example_page: Path) -> None:
    page = show(example_page).page
    page.locator("[name=class]").select_option("tile-first")
    page.locator("[data-by=pto_ms] button").click()
    page.locator("[data-by=pto_ms] button").click()
    page.locator(".kernel:visible th button").first.click()
    seen, fragment = names(page), page.evaluate("location.hash")
    other = show(example_page, fragment).page
    assert names(other) == seen
    assert other.locator("[data-by=pto_ms]").get_attribute("aria-sort") == "descending"
    assert other.locator(".more:visible").count() == 1
    assert other.locator(".kernel:visible th button").first.get_attribute("aria-expanded") == "true"


@pytest.mark.parametrize(
    "fragment",
    ["#sort=nonsense", "#sort=constructor", "#class=nothing", "#open=missing", "#%", "#q=%00%ff"],
)
def test_a_broken_address_breaks_nothing(fragment: str, show: Opener, example_page: Path) -> None:
    opened = show(example_page, fragment)
    assert opened.complaints == []
    opened.page.locator("[name=clear]").click()
    assert names(opened.page)


def test_a_link_to_a_kernel_unfolds_it(show: Opener, example_page: Path) -> None:
    page = show(example_page, "#class=PTO-blocked").page
    link = page.locator(".list a").first
    name = link.text_content()
    link.click()
    assert page.evaluate("document.activeElement.textContent") == name
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    assert page.locator(".more:visible .cases").count() == 1
    page.locator("[name=class]").select_option("scalar-heavy")
    lines = page.locator(".plot li:visible").count()
    assert 0 < lines <= len(names(page)), "the plot shows what the table shows"
    page.locator(".plot li:visible a").first.click()
    assert page.locator("[name=class]").input_value() == "scalar-heavy"


def test_a_row_unfolds_to_shapes_reasons_and_where_they_were_read(
    show: Opener, example_page: Path
) -> None:
    page = show(example_page).page
    row = page.locator(".kernel.PTO-blocked").first
    row.get_by_role("button").click()
    more = page.locator(".more")
    assert more.is_visible()
    assert more.locator(".cases tr").count() > 1
    assert more.locator("pre").first.text_content()
    assert ".csv:" in more.text_content()
    assert "matrix: " in more.text_content()
    row.get_by_role("button").click()
    assert not more.is_visible()


def test_the_keyboard_alone_does_everything(show: Opener, example_page: Path) -> None:
    page = show(example_page).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.type("gemm")
    assert all("gemm" in name for name in names(page))
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[data-by=geomean]') !== null"):
            break
    page.keyboard.press("Enter")
    assert page.locator("[data-by=geomean]").get_attribute("aria-sort") == "ascending"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.kernel') !== null"):
            break
    page.keyboard.press("Space")
    assert page.locator(".more:visible").count() == 1
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "where the keyboard is can be seen"


def test_without_script_everything_can_be_read(show: Opener, example_page: Path) -> None:
    page = show(example_page, java_script_enabled=False).page
    assert not page.locator(".filters").is_visible()
    total = page.locator(".kernel").count()
    assert page.locator(".kernel:visible").count() == total > 0
    assert page.locator(".more:visible").count() == total
    assert page.locator("pre:visible").count() > 0
    assert page.locator("thead button").count() == 0, "nothing invites a click that does nothing"


def test_the_page_prints(show: Opener, example_page: Path) -> None:
    page = show(example_page, color_scheme="dark").page
    pdf = page.pdf()
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 20_000
    page.emulate_media(media="print")
    assert not page.locator(".filters").is_visible()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)", "paper is white, whatever the screen was"


@pytest.mark.parametrize("which", ["example_page", "history_page"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_nothing_bars_the_way_of_a_reader(
    scheme: str, width: int, which: str, show: Opener, request: pytest.FixtureRequest
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    path = request.getfixturevalue(which)
    # axe is put into the page from outside, which the page's own policy rightly refuses.
    page = show(path, width=width, color_scheme=scheme, bypass_csp=True).page
    page.locator("[name=unfold]").click()
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("which", ["example_page", "history_page"])
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_reaches_past_the_edge(
    width: int, which: str, show: Opener, request: pytest.FixtureRequest
) -> None:
    page = show(request.getfixturevalue(which), width=width).page
    page.locator("[name=unfold]").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_verdicts_can_be_filtered_and_courses_are_drawn(show: Opener, history_page: Path) -> None:
    page = show(history_page).page
    options = page.locator("[name=verdict] option").evaluate_all("all => all.map(o => o.value)")
    assert len(options) > 1
    page.locator("[name=verdict]").select_option(options[1])
    assert names(page)
    assert all(options[1] in said for said in column(page, "Verdict"))
    page.locator("[name=clear]").click()
    page.locator(".kernel th button").first.click()
    courses = page.locator(".more .trend")
    assert courses.count() == 3
    assert courses.first.get_attribute("aria-label").startswith("ratio: ")
