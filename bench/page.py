"""How fast the page is: 1,000 kernels of 5 shapes, rendered here and used in Chromium.

``python -m bench.page`` prints each time next to its limit and exits 1 above one. Times inside
the browser are from the click to the frame that shows its result.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kreport.pipeline.build import read_inputs, report_on
from kreport.readers import ReadOptions
from kreport.report.catalogue import Catalogue
from kreport.report.page.page_render import render_page, render_picture
from kreport.report.run.build_view import Extras, build_view
from kreport.report.run.case_cells import Place
from kreport.settings import Settings

KERNELS, SHAPES, REPEATS = 1000, 5, 5
LIMITS_S = {"render": 1.0, "load": 1.5, "sort": 0.3, "filter": 0.3}
HEAD = "kernel,shape,baseline_us,baseline_q1_us,baseline_q3_us,pto_us,pto_q1_us,pto_q3_us,status"
ACT = """([selector, text]) => new Promise(done => {
  const found = document.querySelector(selector), start = performance.now();
  if (text === null) found.click();
  else { found.value = text; found.dispatchEvent(new Event("input", {bubbles: true})); }
  requestAnimationFrame(() => setTimeout(() => done((performance.now() - start) / 1000), 0));
})"""


def write_input(path: Path) -> None:
    """One run of many kernels, the same on every machine."""
    chance = random.Random(7)
    lines = [HEAD]
    for kernel in range(KERNELS):
        ratio = chance.lognormvariate(-0.8, 0.6)
        for shape in range(SHAPES):
            base = chance.uniform(50, 1000)
            pto = base / ratio * chance.uniform(0.95, 1.05)
            sides = [f"{x:.3f},{x * 0.98:.3f},{x * 1.03:.3f}" for x in (base, pto)]
            lines.append(f"grouped_matmul_{kernel:04},m{64 << shape},{','.join(sides)},OK")
    path.write_text("\n".join(lines) + "\n")


def render_s(source: Path, page: Path) -> float:
    """Seconds to lay out and fill in page and picture, from a report that is worked out."""
    settings = Settings(inputs=(str(source),))
    report = report_on(read_inputs(settings, ReadOptions.of(settings)), settings, None)
    text, extras = Catalogue("en"), Extras()
    start = time.perf_counter()
    view = build_view(report, text, Place(".", "."), extras, "report.csv", "report.svg")
    page.write_text(render_page(report, view, text, extras))
    render_picture(report, text)
    return time.perf_counter() - start


def browser_s(browser: Any, page: Path) -> dict[str, float]:
    """Seconds to load the page, to sort it and to filter it."""
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    start = time.perf_counter()
    tab.goto(page.as_uri())
    tab.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = {"load": time.perf_counter() - start}
    columns = ("kernel", "ratio", "geomean", "pto_ms")
    sorts = [tab.evaluate(ACT, [f"[data-by={column}] button", None]) for column in columns]
    found["sort"] = max(sorts)
    found["filter"] = tab.evaluate(ACT, ["[name=q]", "07"])
    tab.close()
    return found


def main() -> int:
    """Measure, print, and say by the exit code whether every limit is kept."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    times: dict[str, list[float]] = {name: [] for name in LIMITS_S}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        source, page = Path(folder, "runs.csv"), Path(folder, "page.html")
        write_input(source)
        browser = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(REPEATS):
            times["render"].append(render_s(source, page))
            for name, seconds in browser_s(browser, page).items():
                times[name].append(seconds)
        size = page.stat().st_size
        browser.close()
    print(f"{KERNELS} kernels x {SHAPES} shapes, {size / 1e6:.2f} MB, {REPEATS} repeats")
    slow = False
    for name, limit in LIMITS_S.items():
        low, middle, high = (sorted(times[name])[at] for at in (0, REPEATS // 2, REPEATS - 1))
        slow |= middle > limit
        print(f"{name:8}{middle:7.3f} s  ({low:.3f}..{high:.3f})  limit {limit} s")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
