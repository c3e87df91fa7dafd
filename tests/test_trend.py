"""Who moved, since when, and what a trend says about it in every format."""

import json

import numpy as np
import pytest
from markdown_it import MarkdownIt

from kreport.archive.history import WORDS, History, RunName, blank
from kreport.errors import NothingComparable
from kreport.model import CaseKey, KernelClass, Moved, Side, Status
from kreport.pipeline.trend import read_trend, trend
from kreport.report.catalogue import Catalogue
from kreport.report.render import render
from kreport.report.run.state_text import states_text
from kreport.report.trend.sparkline import sparkline
from kreport.report.trend.trend_json import trend_json
from kreport.report.trend.trend_view import Style, trend_view
from kreport.settings import Settings
from kreport.trend.levels import ratio_levels
from kreport.trend.series import Metric, trend_of
from kreport.trend.states import states_of

RUNS = 60


def history(cases: int = 6, runs: int = RUNS, seed: int = 1) -> History:
    """Baselines of 1 ms and ports of 2 ms with 2 % noise."""
    random = np.random.default_rng(seed)
    names = tuple(
        RunName(f"r{i}", f"202601{i // 24 + 1:02d}T{i % 24:02d}0000Z", "") for i in range(runs)
    )
    made = blank(names, tuple(CaseKey("f", f"k{i}") for i in range(cases)))
    made.medians["baseline_ms"][:] = np.exp(random.normal(0, 0.02, (cases, runs)))
    made.medians["pto_ms"][:] = 2 * np.exp(random.normal(0, 0.02, (cases, runs)))
    for side in Side:
        made.codes[f"{side}_status"][:] = WORDS[f"{side}_status"].index(Status.OK)
    return made


def moves(found, metric):
    return [
        (series.runs[point.index], moved)
        for case in found.cases
        for series in [case.series[metric]]
        for point, moved in zip(series.course.change_points, series.moved, strict=True)
    ]


def test_a_slower_port_is_the_port(capsys):
    """Its own series and the ratio change, and both say who moved."""
    past = history()
    past.medians["pto_ms"][2, 40:] *= 1.2
    found = trend_of(past, "k2")
    ((at, moved),) = moves(found, Metric.PTO)
    assert abs(at - 40) <= 1
    assert moved is Moved.PTO
    assert [moved for _, moved in moves(found, Metric.RATIO)] == [Moved.PTO]
    assert moves(found, Metric.BASELINE) == []


def test_both_sides_of_one_case_are_both():
    """The ratio hides it; the latencies do not."""
    past = history()
    past.medians["pto_ms"][2, 40:] *= 1.2
    past.medians["baseline_ms"][2, 40:] *= 1.2
    found = trend_of(past, "k2")
    assert [moved for _, moved in moves(found, Metric.PTO)] == [Moved.BOTH]
    assert moves(found, Metric.RATIO) == []


def test_everything_slower_at_once_is_the_machine():
    """All baselines move: no kernel is blamed, whichever is asked for."""
    past = history()
    for table in past.medians.values():
        table[:, 30:] *= 1.15
    assert {moved for _, moved in moves(trend_of(past, "k3"), Metric.PTO)} == {Moved.RUN}
    assert len(moves(trend_of(past), Metric.BASELINE)) == 6


def test_a_few_cases_are_no_machine():
    """With two cases nobody can tell, so the side is named and no more."""
    past = history(cases=2)
    past.medians["pto_ms"][:, 30:] *= 1.15
    assert {moved for _, moved in moves(trend_of(past), Metric.PTO)} == {Moved.PTO}


def test_runs_without_a_value_are_left_out_and_places_stay_true():
    """A port that did not run in every other run changes where it changed."""
    past = history(runs=120)
    past.medians["pto_ms"][0, ::2] = np.nan
    past.medians["pto_ms"][0, 80:] *= 1.3
    ((at, _),) = moves(trend_of(past, "k0"), Metric.PTO)
    assert at == 81


def test_first_and_last_blocked_run():
    """And whether the newest run that knows the case is one of them."""
    past = history(runs=10)
    blocked = WORDS["pto_status"].index(Status.BLOCKED)
    past.codes["pto_status"][0, [2, 3, 9]] = blocked
    past.codes["pto_status"][1, 4] = blocked
    past.codes["pto_status"][1, 9] = 255
    now, then = trend_of(past).cases[:2]
    assert (now.blocked[Side.PTO].first, now.blocked[Side.PTO].last) == (2, 9)
    assert (now.blocked[Side.PTO].runs, now.blocked[Side.PTO].of_runs) == (3, 10)
    assert now.blocked[Side.PTO].is_now
    assert not then.blocked[Side.PTO].is_now
    assert then.blocked[Side.PTO].of_runs == 9
    assert Side.BASELINE not in now.blocked


def test_the_overview_leaves_out_where_nothing_happened():
    """What was always blocked is no news; what became blocked is, and so is a change."""
    past = history(runs=40)
    blocked = WORDS["pto_status"].index(Status.BLOCKED)
    past.codes["pto_status"][0] = blocked
    past.codes["pto_status"][1, 38:] = blocked
    past.medians["pto_ms"][2, 20:] *= 1.3
    view = trend_view(trend_of(past), Catalogue("en"), Style(), only_events=True)
    assert {case.name for case in view.cases} == {"k1", "k2"}
    assert view.cases_total == 2
    assert [len(case.series) for case in view.cases if case.name == "k2"] == [2]
    whole = trend_view(trend_of(past), Catalogue("en"), Style(), only_events=False)
    assert whole.cases_total == 6


def test_classes_over_time_are_one_sentence():
    """Runs without a class are no interruption; nothing is said where nothing changed."""
    past = history(cases=2, runs=8)
    tile, blocked = (
        WORDS["kernel_class"].index(c) for c in (KernelClass.TILE_FIRST, KernelClass.PTO_BLOCKED)
    )
    past.codes["kernel_class"][0] = [tile, tile, 255, tile, blocked, 255, blocked, blocked]
    past.codes["kernel_class"][1] = tile
    past.codes["blocker"][0, 7] = WORDS["blocker"].index("PTOAS lowering")
    states = states_of(past)
    text = Catalogue("en")
    assert states_text(states["f", "k0"], past, text) == (
        "tile-first until 2026-01-01 03:00:00 UTC, PTO-blocked (PTOAS lowering) for 3 runs"
    )
    assert states_text(states["f", "k1"], past, text) == ""


def test_noise_is_learnt_from_one_level_only():
    """After a confirmed change only runs since count, as soon as there are five of them."""
    past = history()
    past.medians["pto_ms"][0, 40:] *= 1.3
    key = CaseKey("f", "k0")
    since = ratio_levels(past, [key])[key]
    assert (since.n, since.left_out) == (20, 40)
    band = since.band_around(40.0)
    assert band.label == "history n=20"
    assert 37 < band.low < 40 < band.high < 43
    young = ratio_levels(past.select([0], range(44)), [key])[key]
    assert (young.n, young.left_out) == (40, 4)
    assert ratio_levels(past.select([0], range(4)), [key]) == {}
    assert ratio_levels(past, [CaseKey("f", "unknown")]) == {}


def test_json_has_change_points_in_every_series(tmp_path):
    """Strict, and its positions are those of its run list."""
    past = history()
    past.medians["pto_ms"][2, 40:] *= 1.2
    past.medians["pto_ms"][1, 5] = np.nan
    record = json.loads("".join(trend_json(trend_of(past))), parse_constant=pytest.fail)
    assert record["format"] == "kreport-trend"
    assert len(record["series"]) == 18
    assert all("change_points" in series for series in record["series"])
    (changed,) = [s for s in record["series"] if s["kernel"] == "k2" and s["metric"] == "pto_ms"]
    (point,) = changed["change_points"]
    assert record["runs"][point["run"]]["run"] == point["name"]
    assert point["earliest_run"] <= point["run"] <= point["latest_run"]
    assert point["moved"] == "pto"
    assert len(changed["values"]) == len(changed["runs"]) == RUNS


HOSTILE = "a|b`c`<script>\n*x*"


def test_markdown_tables_hold_whatever_a_name_holds():
    """Each row of each table has as many cells as its head."""
    past = history()
    past.medians["pto_ms"][:, 40:] *= 1.2
    hostile = tuple(CaseKey("f", HOSTILE, variant_label=HOSTILE, ordinal="1") for _ in range(1))
    view_of = History(
        past.runs,
        hostile,
        {n: t[:1] for n, t in past.medians.items()},
        {n: t[:1] for n, t in past.codes.items()},
    )
    text = Catalogue("en")
    view = trend_view(trend_of(view_of), text, Style(), only_events=True)
    shown = render("trend.md", text, view=view)
    tokens = MarkdownIt("commonmark").enable("table").parse(shown)
    rows = [t for t in tokens if t.type == "tr_open"]
    cells = [t for t in tokens if t.type in ("td_open", "th_open")]
    assert len(rows) == 3
    assert len(cells) == 12
    assert "<script>" not in shown


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_sparkline_marks_changes_and_what_lies_outside(ascii_only):
    """One mark a change, never more columns than asked for."""
    values = np.array([1.0] * 100 + [2.0] * 100 + [9.0])
    line = sparkline(values, [100], (1.9, 2.1), width=30, ascii_only=ascii_only)
    assert len(line.text) == len(line.outside) <= 30
    assert line.text.count("|") == 1
    old, new = line.text.split("|")
    assert len(set(old)) == 1
    assert all(line.outside[: len(old)])
    assert not line.outside[len(old) + 1]
    assert line.text.isascii() is ascii_only
    assert new != old


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_sparkline_of_next_to_nothing(count):
    """No runs, one run: no error, no invented run."""
    assert len(sparkline(np.ones(count), [], None).text) == count


def test_quiet_noise_draws_no_mountains():
    """A tenth of a percent stays in the middle of the line."""
    values = 1 + np.tile([0.0, 0.001], 10)
    assert set(sparkline(values, [], None).text) <= {"▃", "▄", "▅"}


def test_no_archive_and_no_kernel_are_nothing_comparable(tmp_path):
    """Exit 4, with the next step or the closest names."""
    with pytest.raises(NothingComparable, match="kreport build"):
        read_trend("", Settings(archive=str(tmp_path / "none")))
    (tmp_path / "r.csv").write_text(
        "family,kernel,variant_label,baseline_median_ms,pto_median_ms\nf,matmul,v,1,2\n"
    )
    with pytest.raises(NothingComparable, match="did you mean matmul"):
        read_trend("matmull", Settings(archive=str(tmp_path)))


def test_the_real_steps_of_grouped_matmul(shared, capsys):
    """405 runs of nine days: the port lost 30 % on the first evening, its baseline gained later."""
    settings = Settings(archive=str(shared / "data" / "pto-kernels" / "runs"))
    assert trend("grouped_matmul", settings, "console", everything=False) == 0
    said = capsys.readouterr().out
    assert "since 2026-03-11 17:24:48 UTC: +30.1%, from 0.1950 ms to 0.2538 ms" in said
    assert "since 2026-03-12 06:14:40 UTC: -9.6%, from 0.1141 ms to 0.1031 ms" in said
    assert "PTO was blocked in 1 of" in said
