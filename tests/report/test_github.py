"""A diff where people review: the comment, its budget, the step summary, annotations, JUnit."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kreport.errors import ExitCode
from kreport.pipeline.build import build
from kreport.pipeline.diff import diff, read_diff
from kreport.report.catalogue import Catalogue
from kreport.report.diff.diff_view import diff_view
from kreport.report.diff.github_view import GithubView, fit_comment
from kreport.report.diff.junit_view import junit_view
from kreport.report.diff.workflow_commands import command, inert
from kreport.report.render import render
from kreport.settings import Settings
from tests.report.test_page import Page, markdown_tables

ENGLISH = Catalogue("en")
HEAD = "family,kernel,variant_label,baseline_status,pto_status,baseline_correct,pto_correct,"
HEAD += "baseline_median_ms,pto_median_ms,pto_reason"


def line(kernel: str, label: str, baseline: float, pto: float, reason: str = "") -> str:
    status = "blocked" if reason else "ok"
    shown = "" if reason else f"{pto:.5f}"
    return f'fam,{kernel},{label},ok,{status},True,{not reason},{baseline:.5f},{shown},"{reason}"'


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Ten old and ten new runs: one kernel slower, one faster, one blocked, one gone, 40 alike."""
    folder = tmp_path_factory.mktemp("runs")
    for side in ("old", "new"):
        (folder / side).mkdir()
        for run in range(10):
            wobble = 1 + ((run * 7 + 3) % 10 - 4.5) / 1000
            new = side == "new"
            lines = [HEAD, line("slow_down", "m64", 1.0, (1.3 if new else 1.0) * wobble)]
            lines.append(line("speed_up", "m64", 1.0, (0.8 if new else 1.0) * wobble))
            reason = "::error::not a command\n##[error]nor this\nline 3 | of | it" if new else ""
            lines.append(line("stuck", "m64", 1.0, wobble, reason))
            lines += [line("same", f"m{n}", 1.0 * wobble, 2.0 * wobble) for n in range(40)]
            if not new:
                lines.append(line("gone", "m64", 1.0, wobble))
            name = f"regression_202604{run + 1 + 10 * new:02d}T000000Z.csv"
            (folder / side / name).write_text("\n".join(lines) + "\n")
    return folder / "old", folder / "new"


def comment_of(runs: tuple[Path, Path], **limit: int) -> str:
    old, new = runs
    view = diff_view(read_diff(str(old), str(new), Settings()), ENGLISH)

    def comment(shown: GithubView) -> str:
        return inert(render("diff_github.md", ENGLISH, view=shown))

    return fit_comment(view, ENGLISH, comment, **limit)


def test_the_comment_begins_with_the_marker_and_the_story(runs: tuple[Path, Path]) -> None:
    text = comment_of(runs, characters=65_000)
    first = [line for line in text.split("\n") if line]
    assert first[0] == "<!-- kreport diff -->"
    assert first[2] == "**1 newly blocked, 1 removed; 1 slower, 1 faster, 40 within noise**"
    open_part = text.split("<details>", maxsplit=1)[0]
    assert "| ✗ newly blocked | stuck | m64 |" in open_part
    assert "| ✗ removed | gone | m64 |" in open_part
    worst = [line for line in open_part.split("\n") if line.startswith("| slow_down")]
    assert "+30." in worst[0]
    assert "| same |" not in open_part, "what did not change is folded"
    assert open_part.index("| slow_down") < open_part.index("| speed_up"), "worst first"


@pytest.mark.parametrize("limit", [900, 1500, 2500, 4000, 8000, 65_000])
def test_a_comment_keeps_its_budget_and_never_cuts_a_table(
    limit: int, runs: tuple[Path, Path]
) -> None:
    text = comment_of(runs, characters=limit)
    frame = len(comment_of(runs, characters=1))
    assert len(text) <= max(limit, frame)
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```") % 2 == 0
    for table in re.findall(r"(?:^\|.*\|$\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.strip().split("\n")}
        assert len(widths) == 1
    assert "**1 newly blocked, 1 removed; 1 slower" in text, "the headline counts everything"
    rows = text.count("| same |")
    assert rows == 40 or f"Showing {rows} of 40" in text


def test_a_larger_budget_never_shows_less(runs: tuple[Path, Path]) -> None:
    lengths = [len(comment_of(runs, characters=limit)) for limit in range(500, 9000, 700)]
    assert lengths == sorted(lengths)


def test_the_page_the_markdown_and_the_comment_have_the_same_numbers(
    runs: tuple[Path, Path], tmp_path: Path
) -> None:
    build(Settings(inputs=(str(runs[1]),), out=str(tmp_path)))
    page = Page((tmp_path / "regression_latest.html").read_text())
    cases = {}
    for table in page.tables:
        if table[0][0].strip() == "Shape":
            cases |= {row[0].strip(): (row[2].strip(), row[3].strip()) for row in table[1:]}
    markdown = markdown_tables((tmp_path / "regression_latest.md").read_text())
    every = next(table for table in markdown if "Shape" in table[0])
    listed = {}
    for row in every[1:]:
        cells = dict(zip(every[0], row, strict=True))
        listed[cells["Kernel"], cells["Shape"]] = (cells["PTO ms"], cells["Baseline / PTO"])
    compared = 0
    for table in markdown_tables(comment_of(runs, characters=65_000)):
        if "New PTO ms" not in table[0]:
            continue
        for row in table[1:]:
            cells = dict(zip(table[0], row, strict=True))
            if cells["Kernel"] == "gone":
                continue  # the new runs, which the report is about, do not have it
            pto, ratio = listed[cells["Kernel"], cells["Shape"]]
            assert cells["New PTO ms"].split(" [")[0] == pto.split(" [")[0]
            assert cells["Baseline / PTO"].split(" → ")[-1] == ratio
            if cells["Kernel"] == "same":
                assert cases[cells["Shape"]] == (pto, ratio)
                compared += 1
    assert compared == 40


def test_inside_a_workflow_there_are_a_summary_and_annotations(
    runs: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("what another step wrote\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    settings = Settings(fail_on=("slower",), max_chars=2000)
    report = read_diff(str(runs[0]), str(runs[1]), settings)
    assert diff(report, settings, "github", everything=False) == ExitCode.GATE
    printed = capsys.readouterr()
    assert len(printed.out) <= 2000
    written = summary.read_text()
    assert written.startswith("what another step wrote\n<!-- kreport diff -->")
    assert written.count("| same |") == 40, "the summary has room for everything"
    commands = [line for line in printed.err.split("\n") if line.startswith("::")]
    assert [line.split("::")[1] for line in commands] == [
        "error title=stuck newly blocked",
        "error title=gone removed",
        "error title=slow_down slower",
    ]


def test_without_a_workflow_nothing_but_the_comment_is_written(
    runs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    report = read_diff(str(runs[0]), str(runs[1]), Settings())
    assert diff(report, Settings(), "github", everything=False) == ExitCode.DONE
    assert capsys.readouterr().err == ""


def test_no_reason_is_a_command_to_the_runner(runs: tuple[Path, Path]) -> None:
    text = comment_of(runs, characters=65_000)
    assert "not a command" in text
    assert not re.search(r"^\s*::", text, re.MULTILINE)
    assert "##[" not in text


@given(st.text(), st.text())
def test_a_command_is_one_line_whatever_its_texts_hold(title: str, message: str) -> None:
    written = command("error", title, message)
    assert len(written.splitlines()) == 1
    head, _, _ = written.removeprefix("::").partition("::")
    assert head.startswith("error title=")
    assert "," not in head


@given(st.text(alphabet=st.sampled_from(":#[ \nax|")))
def test_inert_text_has_no_command_left(text: str) -> None:
    found = inert(text)
    assert "##[" not in found
    assert not any(line.strip().startswith("::") for line in found.split("\n"))


def junit(runs: tuple[Path, Path], *gates: str) -> ElementTree.Element:
    report = read_diff(str(runs[0]), str(runs[1]), Settings())
    view = junit_view(report, ENGLISH, gates)
    return ElementTree.fromstring(render("diff_junit.xml", ENGLISH, view=view))


def test_junit_fails_what_got_worse_and_counts_it(runs: tuple[Path, Path]) -> None:
    root = junit(runs)
    failed = {
        case.get("name", "").split()[0]: case.find("failure").get("type")  # type: ignore[union-attr]
        for case in root.iter("testcase")
        if case.find("failure") is not None
    }
    assert failed == {"slow_down": "slower", "stuck": "blocked", "gone": "removed"}
    assert root.get("failures") == "3"
    assert root.get("tests") == str(len(list(root.iter("testcase")))) == "44"
    stuck = next(case for case in root.iter("failure") if case.get("type") == "blocked")
    assert "line 3 | of | it" in (stuck.text or "")


def test_junit_agrees_with_the_gates_asked_for(runs: tuple[Path, Path]) -> None:
    root = junit(runs, "removed")
    failures = [failure.get("type") for failure in root.iter("failure")]
    assert failures == ["removed"]


def test_junit_takes_any_text(tmp_path: Path) -> None:
    hostile = 'a]]><x y="1">&\x1b[31m\x0b\ufffe\uffff\u202eb'
    for name in ("old.csv", "new.csv"):
        with (tmp_path / name).open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(HEAD.split(","))
            rows.writerow([hostile, hostile, hostile, "ok", "ok", "True", "True", "1", "2", ""])
            rows.writerow(["f", "k", "m2", "ok", "blocked", "True", "False", "1", "", hostile])
    report = read_diff(str(tmp_path / "old.csv"), str(tmp_path / "new.csv"), Settings(lenient=True))
    view = junit_view(report, ENGLISH)
    root = ElementTree.fromstring(render("diff_junit.xml", ENGLISH, view=view))
    assert root.get("tests") == str(len(report.cases))


def test_the_comment_on_two_real_dates_fits_one_screen(shared: Path) -> None:
    """Thirty lines before the first fold: who is blocked now, who no longer is, what moved."""
    folder = shared / "data" / "pto-kernels"
    dates = ("20260314T170132Z", "20260321T024111Z")
    old, new = (folder / f"regression_{date}.csv" for date in dates)
    text = comment_of((old, new), characters=65_000)
    open_lines = text.split("<details>", maxsplit=1)[0].splitlines()
    assert len(open_lines) <= 30
    open_part = "\n".join(open_lines)
    assert "| ✗ newly blocked | moe_compute_expert_tokens | 3 shapes |" in open_part
    assert "| ✗ newly blocked | ring_attention_update |" in open_part
    for kernel in ("moe_finalize_routing_v2_grad", "moe_init_routing_v2", "moe_re_routing"):
        assert f"| ✓ unblocked | {kernel} |" in open_part
