"""What holds for every input: sound rows keep their numbers, faults are named, nothing escapes."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.fuzz.examine import examine
from kreport.errors import InputError
from kreport.pipeline.summarize import layout_one
from kreport.problems import Severity
from kreport.readers import ReadOptions, read_runs
from kreport.readers.samples import long_file
from tests import strategies

FIXTURES = Path(__file__).parents[2] / "fixtures"
SEEDS = [path.read_bytes()[:3000] for path in sorted(FIXTURES.glob("*/*/*")) if path.is_file()]

relaxed = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def milliseconds(value: float | None, unit: str) -> float:
    return math.nan if value is None else value / {"ms": 1.0, "us": 1e3, "ns": 1e6, "s": 1e-3}[unit]


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def assert_read(table, sound: strategies.SoundTable, left_out: set[int] = frozenset()) -> None:
    """The frame holds exactly the sound cases, in order, with exactly their numbers."""
    expected = [case for index, case in enumerate(sound.cases) if index not in left_out]
    assert len(table.frame) == len(expected)
    for row, case in zip(table.frame.to_dict("records"), expected, strict=True):
        assert row["kernel"] == case.kernel
        for side, value in (("baseline", case.baseline), ("pto", case.pto)):
            assert same(row[f"{side}_median_ms"], milliseconds(value, sound.unit))
            assert row[f"{side}_status"] == ("missing" if value is None else "ok")


@relaxed
@given(strategies.sound_tables(), st.booleans())
def test_a_sound_table_is_read_whole_whatever_its_names_order_unit_and_line_ends(
    tmp_path, sound, zipped
) -> None:
    path = tmp_path / ("run.csv.gz" if zipped else "run.csv")
    path.write_bytes(gzip.compress(sound.encode(), 1) if zipped else sound.encode())
    table = read_runs([str(path)])
    assert [p for p in table.problems if p.severity is not Severity.NOTE] == []
    assert_read(table, sound)


@relaxed
@given(strategies.sound_tables(), st.sampled_from(sorted(strategies.FAULTS)), st.data())
def test_a_fault_sets_its_own_row_aside_and_no_other(tmp_path, sound, rule, data) -> None:
    victim = data.draw(st.integers(0, len(sound.cases) - 1))
    column = data.draw(st.sampled_from([f"baseline_{sound.unit}", f"pto_{sound.unit}"]))
    rows = sound.rows()
    rows[victim + 1][sound.header.index(column)] = strategies.FAULTS[rule]
    path = tmp_path / "run.csv"
    path.write_bytes(sound.encode(rows))
    table = read_runs([str(path)])
    (problem,) = [p for p in table.problems if p.severity is Severity.ROW]
    assert (problem.rule, problem.line, problem.column) == (rule, victim + 2, column)
    assert table.set_aside == 1
    assert_read(table, sound, {victim})
    with pytest.raises(InputError):
        read_runs([str(path)], ReadOptions(strict=True))


@relaxed
@given(strategies.sound_tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_number(tmp_path, sound, random) -> None:
    rows = sound.rows()
    body = rows[1:]
    random.shuffle(body)
    (tmp_path / "a.csv").write_bytes(sound.encode())
    (tmp_path / "b.csv").write_bytes(sound.encode([rows[0], *body]))
    frames = [
        read_runs([str(tmp_path / name)])
        .frame.drop(columns=["line", "run"])
        .sort_values(["kernel", "shape"], ignore_index=True)
        for name in ("a.csv", "b.csv")
    ]
    assert frames[0].equals(frames[1])


@relaxed
@given(strategies.sound_tables(), st.integers(0, 400))
def test_a_file_cut_anywhere_gives_whole_rows_or_says_that_it_is_cut(tmp_path, sound, cut) -> None:
    data = sound.encode()
    path = tmp_path / "run.csv"
    path.write_bytes(data[: len(data) - min(cut, len(data))])
    try:
        table = read_runs([str(path)])
    except InputError:
        return
    whole = {case.kernel for case in sound.cases}
    named = {p.rule for p in table.problems}
    cut_short = {"truncated", "no-final-line-break", "no-rows"} & named
    rows = len(table.frame) + table.set_aside
    assert set(table.frame["kernel"]) <= whole or cut_short
    assert rows == len(sound.cases) or cut_short or data[: len(data) - cut].endswith((b"\n", b"\r"))


@relaxed
@given(
    strategies.mutations(SEEDS),
    st.sampled_from(["x.csv", "x.json", "x.md", "x.csv.gz"]),
    st.sampled_from([ReadOptions(), ReadOptions(lenient=True), ReadOptions(encoding="latin-1")]),
    st.booleans(),
)
def test_no_bytes_make_a_reader_fail_in_any_way_but_its_own(
    tmp_path, monkeypatch, data, name, options, long
) -> None:
    """Broken bytes are refused or read: no other exception, no infinite or negative latency."""
    monkeypatch.setattr(long_file, "LONG_FILE", 0 if long else 1 << 22)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data, 1) if name.endswith(".gz") else data)
    examine(str(path), options)


@relaxed
@given(strategies.sound_tables())
def test_what_summarize_writes_reads_back_as_the_same_table(tmp_path, sound) -> None:
    """Formula-like names, quotes and every digit survive the way through a file."""
    (tmp_path / "run.csv").write_bytes(sound.encode())
    first = read_runs([str(tmp_path / "run.csv")])
    (tmp_path / "again.csv").write_text(layout_one(first), encoding="utf-8", newline="")
    second = read_runs([str(tmp_path / "again.csv")])
    assert second.problems == ()
    columns = [name for name in first.frame if name not in ("line", "stored_ratio_pct")]
    assert first.frame[columns].equals(second.frame[columns])


@relaxed
@given(st.lists(strategies.latencies, min_size=1, max_size=40), st.sampled_from(["ms", "us", "s"]))
def test_the_unit_of_samples_changes_no_summary(tmp_path, values, unit) -> None:
    """The same latencies written in another unit are the same to within the last digits."""
    frames = []
    for name, factor in (("ms", 1.0), (unit, {"ms": 1.0, "us": 1e3, "s": 1e-3}[unit])):
        rows = "".join(f"k,pto,{i},{value * factor!r}\n" for i, value in enumerate(values))
        path = tmp_path / f"{name}.csv"
        path.write_text(f"kernel,side,sample_index,latency_{name}\n{rows}")
        frames.append(read_runs([str(path)]).frame)
    numbers = [f"pto_{name}_ms" for name in ("median", "q1", "q3", "min", "max", "mean")]
    one, other = (frame[numbers].iloc[0].to_numpy() for frame in frames)
    assert one == pytest.approx(other, rel=1e-12)
