"""Raw samples are reduced to what NumPy gives, whichever way the file is read."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from kreport.errors import InputError
from kreport.readers import ReadOptions, read_runs
from kreport.readers.samples import blocks as sample_blocks
from kreport.readers.samples import long_file
from kreport.readers.samples import pieces as sample_pieces
from kreport.readers.samples import stream as sample_stream
from kreport.schema import SIDE_NUMBERS

HEADER = (
    "run,family,kernel,variant_label,shape_summary_json,side,timer,status,sample_index,"
    "latency_ms,reason\n"
)


def rows(kernel: str, side: str, values: list[float], run: str = "r1") -> str:
    shape = '"{""x"": [4, 2]}"'
    return "".join(
        f"{run},fam,{kernel},v,{shape},{side},host,ok,{index},{value!r},\n"
        for index, value in enumerate(values)
    )


def many(seed: int, count: int = 40) -> list[float]:
    generator = np.random.default_rng(seed)
    return (0.02 * np.exp(0.1 * generator.standard_normal(count))).tolist()


def test_summaries_are_numpys_own_to_the_last_digit(write) -> None:
    values = {"baseline": many(1), "pto": many(2, 33)}
    text = HEADER + rows("k", "baseline", values["baseline"]) + rows("k", "pto", values["pto"])
    (row,) = read_runs([write(text)]).frame.to_dict("records")
    for side, own in values.items():
        q1, median, q3 = np.quantile(own, (0.25, 0.5, 0.75))
        assert row[f"{side}_q1_ms"] == q1
        assert row[f"{side}_median_ms"] == median
        assert row[f"{side}_q3_ms"] == q3
        assert (row[f"{side}_min_ms"], row[f"{side}_max_ms"]) == (min(own), max(own))
        assert row[f"{side}_n"] == len(own)
        fence = 1.5 * (q3 - q1)
        assert row[f"{side}_outliers"] == sum(v < q1 - fence or v > q3 + fence for v in own)


def test_a_blocked_side_is_a_row_without_latency_and_keeps_its_reason(write) -> None:
    text = (
        HEADER
        + rows("k", "baseline", [1.0, 2.0, 3.0])
        + 'r1,fam,k,v,"{""x"": [4, 2]}",pto,host,blocked,,,"no such op\nat 3:7"\n'
    )
    (row,) = read_runs([write(text)]).frame.to_dict("records")
    assert (row["baseline_status"], row["pto_status"]) == ("ok", "blocked")
    assert row["pto_reason"] == "no such op\nat 3:7"
    assert np.isnan(row["pto_median_ms"])


def test_two_samples_of_one_index_make_the_side_ambiguous(write) -> None:
    text = HEADER + rows("k", "pto", [1.0, 2.0]) + rows("k", "pto", [1.0, 5.0])
    table = read_runs([write(text + rows("other", "pto", [7.0]))])
    assert table.frame["kernel"].tolist() == ["other"]
    assert (table.sources[0].rows, table.set_aside) == (5, 4)
    assert [p.rule for p in table.problems] == ["ambiguous-samples"]


def test_a_file_pasted_twice_counts_once(write) -> None:
    body = rows("k", "pto", [1.0, 2.0, 4.0])
    table = read_runs([write(HEADER + body + body)])
    assert table.frame["pto_n"].tolist() == [3.0]
    assert [p.rule for p in table.problems] == ["repeated-sample"]


def test_samples_beside_a_blocked_row_are_no_measurement(write) -> None:
    died = 'r1,fam,k,v,"{""x"": [4, 2]}",pto,host,blocked,,,died\n'
    blocked = HEADER + rows("k", "pto", [1.0, 2.0]) + died
    (row,) = read_runs([write(blocked)]).frame.to_dict("records")
    assert row["pto_status"] == "invalid"
    assert np.isnan(row["pto_median_ms"])


@pytest.mark.parametrize("long", [False, True])
def test_words_of_samples_that_nobody_knows_are_noted_with_their_place(
    write, monkeypatch, long
) -> None:
    """A file of medians says so too, in the same words: nothing is taken as unknown in silence."""
    monkeypatch.setattr(long_file, "LONG_FILE", 0 if long else 1 << 40)
    samples = "kernel,side,sample_index,latency_us,State,correctness\n"
    samples += "k,pto,0,5,ok,true\nk,pto,1,6,meh,hmm\nk,pto,2,6,meh,hmm\n"
    medians = "kernel,shape,side,latency_us,State,correctness\n"
    medians += "k,a,pto,5,ok,true\nk,b,pto,6,meh,hmm\nk,c,pto,6,meh,hmm\n"
    said = []
    for text in (samples, medians):
        notes = [p for p in read_runs([write(text)]).problems if p.rule.startswith("unknown-")]
        said.append([(p.rule, p.message, p.line, p.column, p.value) for p in notes])
    assert said[0] == said[1]
    assert [(rule, *place) for rule, _, *place in said[0]] == [
        ("unknown-status", 3, "State", "meh"),
        ("unknown-correctness", 3, "correctness", "hmm"),
    ]


@pytest.mark.parametrize(
    ("row", "status", "correct", "rules"),
    [
        ("0,ok,true", "invalid", "unknown", ["zero-latency"]),
        ("0,ok,false", "ok", "fail", []),
        ("0,fail,", "blocked", "unknown", []),
        ("0,blocked,", "blocked", "unknown", []),
        ("5,blocked,", "invalid", "unknown", ["latency-without-run"]),
        ("5,fail,true", "ok", "fail", []),
        ("5,pass,", "ok", "pass", []),
        (",fail,", "blocked", "unknown", []),
        (",ok,", "ok", "unknown", []),
    ],
)
@pytest.mark.parametrize("kind", ["medians", "samples", "long samples"])
def test_a_side_fares_the_same_as_a_median_and_as_one_sample(
    write, monkeypatch, kind, row, status, correct, rules
) -> None:
    index, cell = ("sample_index,", "0,") if "samples" in kind else ("", "")
    if kind == "long samples":
        monkeypatch.setattr(long_file, "LONG_FILE", 0)
    text = f"kernel,side,{index}latency_us,status,correct\nk,pto,{cell}{row}\n"
    table = read_runs([write(text)])
    (case,) = table.frame.to_dict("records")
    assert (case["pto_status"], case["pto_correct"]) == (status, correct)
    assert [p.rule for p in table.problems] == rules


def test_a_side_says_why_it_failed_beside_the_row_that_says_so_or_its_first(write) -> None:
    head = "kernel,side,sample_index,latency_us,status,reason\n"
    body = "a,pto,0,5,ok,early\na,pto,1,,crashed,late\nb,pto,0,5,ok,off by one\n"
    body += "b,pto,1,5,mismatch,\nc,pto,0,,OOM,\nd,pto,0,5,ok,fine\n"
    frame = read_runs([write(head + body)]).frame
    assert frame["pto_reason"].tolist() == ["late", "off by one", "status: OOM", ""]


def test_the_samples_themselves_can_be_kept(write) -> None:
    text = (
        HEADER
        + rows("a", "pto", [3.0, 1.0])
        + rows("b", "baseline", [5.0])
        + rows("b", "pto", [2.0, 4.0])
    )
    table = read_runs([write(text)], keep_samples=True)
    store = table.samples
    assert store is not None
    kept = [store.values[i:j].tolist() for i, j in zip(store.start, store.stop, strict=True)]
    assert kept == [[], [1.0, 3.0], [5.0], [2.0, 4.0]]


@pytest.mark.parametrize("zipped", [False, True])
def test_the_fast_way_and_the_careful_way_give_the_same(write, monkeypatch, zipped) -> None:
    text = HEADER + "".join(
        rows(f"k{case}", side, many(7 * case + len(side)), f"r{case % 2}")
        for case in range(9)
        for side in ("baseline", "pto")
    )
    text += 'r0,fam,z,v,"{""x"": [1]}",pto,host,blocked,,,"two\nlines, ""quoted"""\n'
    text += rows("after", "pto", [1.0, 2.0])
    data = gzip.compress(text.encode()) if zipped else text.encode()
    path = write(data, "run.csv.gz" if zipped else "run.csv")
    careful = read_runs([path])
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    monkeypatch.setattr(sample_blocks, "_BLOCK_BYTES", 997)
    monkeypatch.setattr(sample_pieces, "read_pieces", None)  # nothing is left to the careful way
    fast = read_runs([path])
    assert fast.frame.equals(careful.frame)
    assert fast.sources == careful.sources


@pytest.mark.parametrize(
    "fault",
    [
        "r1,fam,k,v,,pto,host,ok,7,1.0\n",
        "r1,fam,k,v,,pto,host,ok,7,1.0,,\n",
        "r1,fam,k,v,,pto,host,ok,7,-1.0,\n",
        "r1,fam,k,v,,pto,host,ok,7,inf,\n",
        "r1,fam,k,v,,pto,host,ok,7,1_0,\n",
        'r1,fam,k,v,,pto,host,ok,7,1.0,"a"b\n',
        'r1,fam,k,v,,pto,host,ok,7,1.0,a"b\n',
        'r1,fam,k,v,,pto,host,ok,7,1.0,"plain"\n',
        "r1,fam,k,v,,gpu,host,ok,7,1.0,\n",
        "r1,fam,,v,,pto,host,ok,7,1.0,\n",
        "r1,fam,k,v,,pto,host,ok,7,1.0,",
        "\n",
    ],
)
def test_what_is_not_plainly_clean_is_left_to_the_careful_way(write, monkeypatch, fault) -> None:
    path = write(HEADER + rows("k", "pto", [1.0, 2.0]) + fault)
    short = outcome(path)
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    monkeypatch.setattr(sample_pieces, "_PIECE_ROWS", 2)
    with long_file.opened(path) as long:
        assert sample_stream.read_plain(long, path, ReadOptions()) is None
    assert outcome(path) == short


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"{HEADER}{rows('k', 'pto', [1.0, 2.0])}<<<<<<< ours\n", "merge-markers"),
        (f"{HEADER}r1,fam,k,v,,pto,host,ok,0,1.0,a\0b\n{rows('k', 'pto', [1.0])}", "binary"),
        (
            "kernel,side,sample_index,latency_ms,duration_ms\nk,pto,0,1.0,2.0\nk,pto,1,1.0,2.0\n",
            "rival-columns",
        ),
    ],
)
def test_what_dooms_a_short_file_dooms_a_long_one(write, monkeypatch, text, rule) -> None:
    path = write(text)
    with pytest.raises(InputError) as short:
        read_runs([path])
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    with pytest.raises(InputError) as long:
        read_runs([path])
    for caught in (short, long):
        assert rule in {problem.rule for problem in caught.value.problems}


@pytest.mark.parametrize("text", ['"never closed', '{"kernels": [1, "a"b"]}', "", "\n\n", '"'])
def test_a_long_file_that_is_not_even_delimited_is_left_to_others(write, monkeypatch, text) -> None:
    path = write(text)
    short = outcome(path)
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    assert outcome(path) == short


def outcome(path: str) -> tuple[str, list[str]]:
    """What reading gives, in words: the frame, and every problem."""
    try:
        table = read_runs([path])
    except InputError as error:
        return "refused", [str(problem) for problem in error.problems]
    return table.frame.to_csv(), [str(problem) for problem in table.problems]


def test_the_real_samples_give_numpys_medians(real_data) -> None:
    import pandas as pd

    path = real_data.parent / "h200" / "aa_a001.csv.gz"
    raw = pd.read_csv(path, keep_default_na=False, na_values={"latency_ms": [""]})
    raw = raw[raw["status"] == "ok"]
    expected = raw.groupby(["kernel", "variant_label", "timer", "side"])["latency_ms"]
    quartiles = expected.quantile([0.25, 0.5, 0.75]).unstack()
    frame = read_runs([str(path)]).frame
    assert len(frame) == 57
    for row in frame.to_dict("records"):
        for side in ("baseline", "pto"):
            if row[f"{side}_status"] == "ok":
                own = quartiles.loc[row["kernel"], row["variant_label"], row["timer"], side]
                numbers = [row[f"{side}_{name}"] for name in ("q1_ms", "median_ms", "q3_ms")]
                assert numbers == own.tolist()
            else:
                assert row[f"{side}_reason"]
                assert all(np.isnan(row[f"{side}_{name}"]) for name in SIDE_NUMBERS)


@pytest.mark.parametrize("cell", ["true", "007", "0.10", "12345e3", "1", "False", "None", "nan"])
def test_a_long_file_keeps_texts_as_they_are_spelt(write, monkeypatch, cell) -> None:
    """What looks like a number or a truth value is text in a column of texts."""
    lines = HEADER.replace("reason", "causal") + rows("k", "pto", [1.0, 2.0, 3.0]).replace(
        ",\n", f",{cell}\n"
    )
    path = write(lines.replace("r1,", f"{cell},"))
    short = read_runs([path])
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    monkeypatch.setattr(sample_pieces, "read_pieces", None)  # nothing is left to the careful way
    long = read_runs([path])
    assert long.frame.equals(short.frame)
    assert long.frame["run"].tolist() == [cell]
