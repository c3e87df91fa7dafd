"""``kreport build`` end to end: what is written, reading it back, re-runs that change nothing."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from kreport.errors import NothingComparable, UsageError
from kreport.lock import Busy, hold
from kreport.pipeline.build import Built, build, example_folder, say_built
from kreport.report.run.layout_one import KNOWN_COLUMNS
from kreport.settings import Settings

REAL = {
    "20260321T024111Z": "20260321T032615Z",
    "20260314T170132Z": "20260314T170132Z",
    "20260312T172618Z": "20260314T170132Z",
}
GUIDE_RANGES = {
    "grouped_mat_mul_all_reduce": "89.4%..94.5%",
    "prompt_flash_attention": "71.0%..87.4%",
    "matmul_reduce_scatter": "76.6%..82.7%",
    "grouped_matmul": "42.3%..42.5%",
    "flash_attention_score": "36.2%..37.3%",
    "fused_infer_attention_score": "33.0%..41.1%",
    "ffn": "18.9%..20.7%",
    "incre_flash_attention": "24.0%..24.8%",
}


def built(tmp_path: Path, *inputs: Path | str, **settings: object) -> Built:
    out = settings.pop("out", tmp_path / "reports")
    result = build(Settings(inputs=tuple(map(str, inputs)), out=str(out), **settings))  # type: ignore[arg-type]
    assert isinstance(result, Built)
    return result


def real(shared: Path, stamp: str, form: str = "json") -> tuple[Path, str]:
    folder = shared / "data" / "pto-kernels"
    matrix = folder / f"kernel_state_matrix_{REAL[stamp]}.{form}"
    return folder / f"regression_{stamp}.csv", str(matrix)


def table_widths(markdown: str) -> list[set[int]]:
    """Cells a row of every table, counted by a Markdown parser and on the raw line."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    widths: list[set[int]] = []
    for position, token in enumerate(tokens):
        if token.type == "table_open":
            widths.append(set())
        if token.type == "tr_open":
            row = tokens[position + 1 :]
            end = next(i for i, inner in enumerate(row) if inner.type == "tr_close")
            widths[-1].add(sum(inner.type in ("td_open", "th_open") for inner in row[:end]))
            assert token.map is not None
            raw = markdown.split("\n")[token.map[0]]
            widths[-1].add(raw.replace("\\|", "").count("|") - 1)
    return widths


def test_the_guide_to_the_digit(shared: Path, tmp_path: Path) -> None:
    source, matrix = real(shared, "20260321T024111Z")
    result = built(tmp_path, source, matrix=matrix)
    by_class = Counter(kernel.kernel_class.value for kernel in result.report.kernels)
    assert by_class == {
        "tile-first": 22,
        "scalar-heavy": 10,
        "baseline-blocked": 12,
        "PTO-blocked": 6,
    }
    assert result.report.overview.by_blocker == {
        "PTODSL surface": 3,
        "PTOAS lowering": 1,
        "pto-isa/backend": 1,
        "correctness": 1,
    }
    rows = {row.name: row for group in result.view.groups for row in group.rows}
    assert {name: rows[name].ratio for name in GUIDE_RANGES} == GUIDE_RANGES
    assert rows["qkv_rms_norm_rope_cache"].state == "baseline blocked, PTO ok (0.7783 ms)"
    assert result.report.coverage.contradictions == ()


def test_markdown_and_json_matrix_give_the_same_report(shared: Path, tmp_path: Path) -> None:
    texts = []
    for form in ("json", "md"):
        source, matrix = real(shared, "20260321T024111Z", form)
        built(tmp_path, source, matrix=matrix, out=tmp_path / form)
        text = (tmp_path / form / "regression_latest.md").read_text()
        texts.append([line for line in text.split("\n") if not line.startswith("| Matrix |")])
    assert texts[0] == texts[1]


@pytest.mark.parametrize("stamp", REAL)
def test_every_table_keeps_its_width_on_real_reasons(
    shared: Path, tmp_path: Path, stamp: str
) -> None:
    source, matrix = real(shared, stamp)
    built(tmp_path, source, matrix=matrix)
    text = (tmp_path / "reports" / "regression_latest.md").read_text()
    assert all(len(widths) == 1 for widths in table_widths(text))


def test_a_matrix_of_another_date_is_called_out(shared: Path, tmp_path: Path) -> None:
    source, matrix = real(shared, "20260312T172618Z")
    result = built(tmp_path, source, matrix=matrix)
    assert result.report.matrix_is_stale
    assert "The matrix is of 2026-03-14 17:01:32 UTC" in "\n".join(result.view.coverage)
    assert any(line.is_warning and line.key == "matrix" for line in result.view.summary)


@pytest.mark.parametrize("with_matrix", [True, False])
def test_the_written_csv_reads_back_to_the_same_report(tmp_path: Path, with_matrix: bool) -> None:
    first = built(tmp_path)
    matrix = str(next(example_folder().glob("*.md"))) if with_matrix else ""
    second = built(
        tmp_path,
        tmp_path / "reports" / "regression_latest.csv",
        matrix=matrix,
        out=tmp_path / "again",
    )
    for part in ("rows", "groups", "reasons"):
        # As written, since a missing number does not equal itself.
        assert repr(getattr(second.view, part)) == repr(getattr(first.view, part))
    again = (tmp_path / "again" / "regression_latest.csv").read_bytes()
    assert again == (tmp_path / "reports" / "regression_latest.csv").read_bytes()


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_reason_of_several_lines_reads_back_whole(tmp_path: Path, ending: str) -> None:
    """A line break alone, without a comma or quote beside it, must be quoted too."""
    run = tmp_path / "run.csv"
    header = "kernel,baseline_median_ms,pto_median_ms,pto_status,pto_reason\n"
    run.write_bytes(f'{header}k,1,,blocked,"no such op{ending}at 3:7"\n'.encode())
    first = built(tmp_path, run)
    again = built(tmp_path, tmp_path / "reports" / "regression_latest.csv", out=tmp_path / "again")
    reasons = [result.report.kernels[0].cases[0].pto.reason for result in (first, again)]
    assert reasons == [f"no such op{ending}at 3:7"] * 2


def test_the_csv_begins_with_the_known_columns_and_keeps_numbers_numbers(tmp_path: Path) -> None:
    built(tmp_path)
    with (tmp_path / "reports" / "regression_latest.csv").open(newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert tuple(reader.fieldnames or ())[:17] == KNOWN_COLUMNS
    for row in rows:
        for name in row:
            if name.endswith(("_ms", "_pct")) and row[name]:
                assert float(row[name]) > 0


def test_the_json_is_strict_and_has_every_case(tmp_path: Path) -> None:
    result = built(tmp_path)

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = (tmp_path / "reports" / "regression_latest.json").read_text()
    record = json.loads(text, parse_constant=refuse)
    assert (record["format"], record["version"]) == ("kreport-report", 1)
    assert sum(len(kernel["cases"]) for kernel in record["kernels"]) == result.view.rows_total


def test_a_second_run_changes_no_byte_and_no_mtime(tmp_path: Path) -> None:
    first = built(tmp_path)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in first.files}
    second = built(tmp_path)
    assert second.changed == ()
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before


def test_every_data_is_archived_once_under_its_stamp(tmp_path: Path) -> None:
    source = tmp_path / "regression_20260401T060000Z.csv"
    source.write_text("kernel,shape,baseline_us,pto_us,status\ngemm,64,10.0,20.0,OK\n")
    result = built(tmp_path, source)
    built(tmp_path, source)
    archive = tmp_path / "reports" / "archive"
    stored = sorted(path.name for path in archive.iterdir() if path.name.startswith("regression"))
    assert stored == ["regression_20260401T060000Z.csv", "regression_20260401T060000Z.json"]
    assert (archive / stored[0]).read_bytes() == result.files[1].read_bytes()


def test_a_long_report_shows_its_worst_rows_and_counts_all(tmp_path: Path) -> None:
    lines = ["kernel,shape,baseline_us,pto_us,status"]
    lines += [f"aa_{i},s{i},100.0,103.0,OK" for i in range(1500)]
    lines.append("zz_worst,s,100.0,400.0,OK")
    source = tmp_path / "long.csv"
    source.write_text("\n".join(lines) + "\n")
    built(tmp_path, source)
    text = (tmp_path / "reports" / "regression_latest.md").read_text()
    assert len(text) <= 65_000
    assert " of 1501 rows, worst first" in text
    assert "| zz_worst |" in text
    assert text.rstrip().split("\n## ")[-1].startswith("How to read this")
    assert all(len(widths) == 1 for widths in table_widths(text))


def test_a_users_template_replaces_one_and_cannot_reach_out(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "regression.md").write_text("{{ view.rows_total }} rows\n")
    built(tmp_path, templates=str(own))
    assert (tmp_path / "reports" / "regression_latest.md").read_text() == "25 rows\n"
    (own / "regression.md").write_text("{{ view.__class__.__mro__ }}")
    with pytest.raises(UsageError, match="cannot be filled in"):
        built(tmp_path, templates=str(own))
    (own / "regression.md").write_text("{{ view.no_such_thing }}")
    with pytest.raises(UsageError, match=r"regression\.md"):
        built(tmp_path, templates=str(own))


def test_a_second_build_at_the_same_time_goes_home(tmp_path: Path) -> None:
    out = tmp_path / "reports"
    with hold(out):
        assert isinstance(build(Settings(out=str(out))), Busy)
    assert list(out.iterdir()) == []


def test_nothing_usable_is_nothing_to_report(tmp_path: Path) -> None:
    source = tmp_path / "empty.csv"
    source.write_text("kernel,shape,baseline_us,pto_us,status\n")
    with pytest.raises(NothingComparable):
        built(tmp_path, source)
    assert not (tmp_path / "reports").exists()


def test_runs_that_disagree_are_named_and_their_dates_said(tmp_path: Path) -> None:
    """A folder that runs add up in is no report of where the port stands now."""
    folder = tmp_path / "runs"
    folder.mkdir()
    header = "kernel,baseline_median_ms,pto_median_ms,pto_status,pto_correct\n"
    for day, (status, check) in enumerate([("blocked", ""), ("ok", "True"), ("ok", "True")], 1):
        latency = 2 + day / 10 if status == "ok" else ""
        text = f"{header}steady,1,2,ok,True\nmended,1,{latency},{status},{check}\n"
        (folder / f"run_2030010{day}T000000Z.csv").write_text(text)
    lines = {
        (line.text, line.is_warning)
        for line in built(tmp_path, folder).view.summary
        if line.key == "pool"
    }
    (dates,) = [text for text, warns in lines if not warns]
    (names,) = [text for text, warns in lines if warns]
    assert dates.startswith("3 runs as one, 2030-01-01 00:00:00 UTC to 2030-01-03 00:00:00 UTC")
    assert "mended" in names
    assert "steady" not in names


def test_results_that_nobody_checked_are_counted(tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    run.write_text(
        "kernel,baseline_ms,pto_ms,pto_correct,baseline_correct\na,1,2,True,True\nb,1,2,,\n"
    )
    (line,) = [line for line in built(tmp_path, run).view.summary if line.key == "unchecked"]
    assert line.text.startswith("1 of 2 rows")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "kreport: rows set aside: 1; `kreport check` lists them\n"),
        ("zh", "kreport: 有 1 行被搁置；用 `kreport check` 查看\n"),
    ],
)
def test_a_row_with_two_faults_is_one_row_set_aside(
    lang: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "runs.csv"
    source.write_text(
        "kernel,shape,baseline_us,pto_us,status\ngemm,8,10.0,20.0,OK\ngemm,9,ten,twenty,OK\n"
    )
    settings = Settings(inputs=(str(source),), out=str(tmp_path / "out"), archive="", lang=lang)
    result = build(settings)
    assert isinstance(result, Built)
    assert len([found for found in result.report.problems if found.line == 3]) == 2
    say_built(result, settings, quiet=True, everything=False)
    assert capsys.readouterr().err == said


def test_the_example_never_replaces_a_report_of_real_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night job whose configuration is gone must not report success on made-up kernels."""
    monkeypatch.chdir(tmp_path)
    example = build(Settings(inputs=(), out="out"))
    assert isinstance(example, Built)
    assert isinstance(build(Settings(inputs=(), out="out")), Built)
    run = tmp_path / "run_20300102T030405Z.csv"
    run.write_text("kernel,baseline_ms,pto_ms\na,1,2\n")
    build(Settings(inputs=(str(run),), out="out"))
    before = (tmp_path / "out" / "regression_latest.md").read_bytes()
    with pytest.raises(NothingComparable, match="a report on other data"):
        build(Settings(inputs=(), out="out"))
    assert (tmp_path / "out" / "regression_latest.md").read_bytes() == before
    with pytest.raises(NothingComparable, match="Prometheus"):
        build(Settings(inputs=(), out="elsewhere", prom="k.prom"))


def test_a_clock_that_no_run_has_is_no_report(tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    run.write_text("kernel,baseline_ms,pto_ms,timer\na,1,2,host\n")
    with pytest.raises(NothingComparable, match="only host in these runs"):
        built(tmp_path, run, timer="hsot")
    assert not (tmp_path / "reports").exists()


def test_a_date_that_only_the_file_name_had_outlives_reading_the_report_back(
    tmp_path: Path,
) -> None:
    run = tmp_path / "run_20300102T030405Z.csv"
    run.write_text("kernel,baseline_ms,pto_ms\na,1,2\n")
    first = built(tmp_path, run)
    again = built(tmp_path, tmp_path / "reports" / "regression_latest.csv", out=tmp_path / "again")
    assert first.report.data_stamp == again.report.data_stamp == "20300102T030405Z"


def test_what_is_wrong_with_the_matrix_is_in_the_report_too(tmp_path: Path) -> None:
    run, matrix = tmp_path / "run.csv", tmp_path / "matrix.csv"
    run.write_text("kernel,baseline_ms,pto_ms\na,1,2\n")
    matrix.write_text("kernel,primary_class\na,green + tile-first\n,green\na,blocked\n")
    report = built(tmp_path, run, matrix=str(matrix)).report
    assert [problem.rule for problem in report.problems if problem.file == str(matrix)] == [
        "no-kernel-name",
        "repeated-kernel",
    ]
