"""What the user can say about inputs: aliases, sides, words, strictness."""

from __future__ import annotations

import pytest

from kreport.errors import InputError
from kreport.readers import ReadOptions, read_matrix, read_runs
from kreport.readers.samples import long_file
from kreport.readers.samples import pieces as sample_pieces
from kreport.settings import Settings, load


def test_an_alias_joins_the_old_name_of_a_kernel_to_the_new_one(write) -> None:
    options = ReadOptions.of(Settings(aliases={"SsmScan": "ssm_scan"}))
    samples = "kernel,side,sample_index,latency_us\nSsmScan,pto,0,5\n"
    matrix = "| Kernel | Class |\n|---|---|\n| SsmScan | green + tile-first |\n"
    wide = "kernel,baseline_us,pto_us\nSsmScan,1,2\n"
    cutlass = "Provider,Operation,Disposition,Status,Runtime\nCUTLASS,SsmScan,passed,success,1\n"
    for text in (samples, wide, cutlass):
        assert read_runs([write(text)], options).frame["kernel"].tolist() == ["ssm_scan"]
    assert read_matrix(write(matrix, "m.md"), options).entries[0].name == "ssm_scan"


def test_words_of_a_side_column_can_be_added(write) -> None:
    text = "kernel,side,median_us\na,Triton,5\na,baseline,4\n"
    with pytest.raises(InputError):
        read_runs([write(text)], ReadOptions(strict=True))
    options = ReadOptions.of(Settings(sides={"triton": "pto"}))
    (row,) = read_runs([write(text)], options).frame.to_dict("records")
    assert (row["baseline_median_ms"], row["pto_median_ms"]) == (0.004, 0.005)


@pytest.mark.parametrize("word", ["Triton 3.6", "triton-3.6", "torch"])
@pytest.mark.parametrize("layout", ["one row a side", "short samples", "long samples"])
def test_a_word_of_a_side_column_means_the_same_however_the_file_is_read(
    write, monkeypatch, word, layout
) -> None:
    """The user's words are spelt as freely as the built-in ones, and win over them."""
    text = f"kernel,side,median_us\na,{word},5\na,baseline,4\n"
    if "samples" in layout:
        text = f"kernel,side,sample_index,latency_us\na,{word},0,5\na,baseline,0,4\n"
    if layout == "long samples":
        monkeypatch.setattr(long_file, "LONG_FILE", 0)
        monkeypatch.setattr(sample_pieces, "read_pieces", None)  # it is plainly clean
    options = ReadOptions.of(Settings(sides={"Triton 3.6": "pto", "torch": "pto"}))
    (row,) = read_runs([write(text)], options).frame.to_dict("records")
    assert (row["baseline_median_ms"], row["pto_median_ms"]) == (0.004, 0.005)


def test_a_file_without_sides_can_be_the_baseline(write) -> None:
    options = ReadOptions.of(Settings(side="baseline"))
    frame = read_runs([write("kernel,median_us\na,5\n")], options).frame
    assert frame["baseline_median_ms"].tolist() == [0.005]


def test_status_words_can_be_added_with_every_meaning_there_is(write, tmp_path) -> None:
    """The settings file may say all that `kreport.statuses` understands, ``fail`` among it."""
    words = {"Parked": "blocked", "fine": "pass", "off": "fail"}
    lines = "".join(f'{word} = "{meaning}"\n' for word, meaning in words.items())
    (tmp_path / "kreport.toml").write_text("[statuses]\n" + lines)
    options = ReadOptions.of(load(cwd=tmp_path, environ={}).settings)
    text = "kernel,baseline_us,pto_us,status\na,4,,parked\nb,4,5,fine\nc,4,5,off\n"
    frame = read_runs([write(text)], options).frame
    assert frame["pto_status"].tolist() == ["blocked", "ok", "ok"]
    assert frame["pto_correct"].tolist() == ["unknown", "pass", "fail"]


def test_lenient_uses_the_sound_rows_and_never_invents_a_value(write) -> None:
    text = "kernel,shape,baseline_us,pto_us\na,s,4,5\nb,s,4,5,6\nc,s\nd,s,4,5\n"
    with pytest.raises(InputError):
        read_runs([write(text)])
    table = read_runs([write(text)], ReadOptions(lenient=True))
    assert table.frame["kernel"].tolist() == ["a", "d"]
    assert table.set_aside == 2


@pytest.mark.parametrize(
    ("name", "cells", "joins"),
    [
        ("dtype", ["f16", "bf16"], True),
        ("sequence", ["128", "256.0"], True),
        ("alpha", ["0.5", "1.5"], True),
        ("warp_stall", ["0.5", "1.5"], False),
        ("gflops", ["100", "200"], False),
        ("p99_us", ["100", "200"], False),
        ("note", ["fine", "odd"], False),
        ("delta", ["1", "2"], False),
    ],
)
def test_texts_and_whole_numbers_tell_cases_apart_and_measures_do_not(
    write, name, cells, joins
) -> None:
    text = f"kernel,{name},baseline_us,pto_us\n" + "".join(
        f"k{row},{cell},4,5\n" for row, cell in enumerate(cells)
    )
    frame = read_runs([write(text)]).frame
    assert (frame["parameters"] != "").all() == joins
    assert (frame["parameters"] == "").all() != joins
