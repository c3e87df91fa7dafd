"""A fault is called the same by every reader that comes upon it."""

from __future__ import annotations

import gzip
import re

import pytest

from kreport.errors import InputError
from kreport.problems import Problem
from kreport.readers import read_matrix, read_runs
from kreport.readers.samples import long_file
from kreport.readers.samples import pieces as sample_pieces

SAMPLES = "kernel,side,sample_index,latency_us\n" + "".join(f"k,pto,{i},{i}\n" for i in range(3000))


def problem(read, path: str) -> Problem:
    """The one problem of a file."""
    try:
        (found,) = read([path]).problems
    except InputError as error:
        (found,) = error.problems
    return found


def matrix(paths: list[str]):
    return read_matrix(paths[0])


def test_a_conflict_of_version_control_comes_with_the_same_advice(write) -> None:
    conflict = "kernel,baseline_us,pto_us\n<<<<<<< mine\n"
    assert problem(read_runs, write(conflict)) == problem(matrix, write(conflict))


def test_case_twins_are_noted_in_the_same_words(write) -> None:
    run = write("kernel,baseline_us,pto_us\na,4,5\nA,4,5\n")
    states = write("kernel,primary_class\na,green\nA,green\n", "m.csv")
    of_run, of_matrix = problem(read_runs, run), problem(matrix, states)
    assert (of_run.rule, of_run.message) == (of_matrix.rule, of_matrix.message)


@pytest.mark.parametrize(
    "header",
    [
        "kernel,baseline,pto\na,4,5\n",
        "kernel,side,median\na,pto,5\n",
        "kernel,side,sample_index,latency\na,pto,0,5\n",
        "kernel,side,samples\na,pto,[5]\n",
        "Op Name,Task Duration\na,5\n",
    ],
)
def test_a_column_without_a_unit_is_told_what_to_be_called(write, header) -> None:
    with pytest.raises(InputError) as caught:
        read_runs([write(header)])
    found = caught.value.problems[-1]
    assert (found.rule, found.message) == ("no-unit", "a column of latencies without a unit")
    assert found.hint is not None
    assert found.hint.startswith(f"name it {found.column}_ms, _us, _ns or _s")


@pytest.mark.parametrize(
    ("rows", "rule"), [("a,5\na,5\n", "repeated-row"), ("a,5\na,6\n", "ambiguous-case")]
)
def test_rows_of_one_case_are_pointed_at_in_the_same_words(write, rows, rule) -> None:
    """Whether a row is a case or one side of it, the other row is named with its file."""
    wide = read_runs([write("kernel,pto_us,baseline_us\n" + rows.replace("\n", ",1\n"))])
    sides = read_runs([write("kernel,median_us,side\n" + rows.replace("\n", ",pto\n"))])
    for found, expected in zip(sides.problems, wide.problems, strict=True):
        assert found.rule == expected.rule == rule
        assert found.message.replace("the pto side of ", "") == expected.message
        assert (found.hint or "").startswith(expected.hint or "")


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (SAMPLES.encode() + b"k,pto,3000,9\xb5\n", "encoding"),
        (gzip.compress(SAMPLES.encode())[:-4], "damaged-gzip"),
        (SAMPLES.encode() + b'k,pto,3000,"9', "truncated"),
    ],
)
def test_a_long_file_is_damaged_in_the_words_of_a_short_one(write, monkeypatch, data, rule) -> None:
    """But for the place: a long file is not counted in bytes."""
    short = problem(read_runs, write(data))
    monkeypatch.setattr(long_file, "LONG_FILE", 0)
    monkeypatch.setattr(sample_pieces, "_PIECE_ROWS", 500)
    long = problem(read_runs, write(data))
    assert long.rule == short.rule == rule
    place = re.compile(r" (at offset|after row) [\d,]+")
    assert place.sub("", long.message) == place.sub("", short.message)
    assert ("after row" in long.message) == (rule != "truncated")
    assert long.hint == short.hint
