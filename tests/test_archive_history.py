"""Archived reports as a history: the quick way and the careful way agree, and nothing is lost."""

import numpy as np
import pytest

from kreport.archive import history
from kreport.archive import store as archive
from kreport.archive.cache import CACHE_NAME, load_history
from kreport.archive.snapshot import read_snapshots
from kreport.model import CaseKey, KernelClass
from kreport.readers import ReadOptions, read_runs
from kreport.report.catalogue import Catalogue
from kreport.report.render import render
from kreport.report.run.csv_view import csv_view
from kreport.run_report import run_report

SOURCE = """\
family,kernel,variant_index,variant_label,shape_summary_json,baseline_status,pto_status,\
baseline_correct,pto_correct,baseline_median_ms,pto_median_ms,pto_reason,timer,device,batch
gmm,=cmd|x,1,,"{""x"": [64, 128]}",ok,ok,True,True,{a},0.2,,host,npu:0,4
gmm,=cmd|x,2,,"{""x"": [65, 128]}",ok,blocked,True,,{a},,"two
lines, and a comma",host,npu:0,4
gmm,NA,1,-label,,ok,ok,True,False,0.1,0.3,,host,npu:0,4
gmm,no shape,7,,,blocked,ok,,True,,0.3,,event,,
"""


def report_csv(folder, number, source=SOURCE):
    """The CSV that kreport writes for one run."""
    path = folder / f"run_202601{number:02d}T000000Z.csv"
    path.write_text(source.replace("{a}", str(0.1 + number / 1000)))
    report = run_report(read_runs([str(path)]), None)
    return render("regression.csv", Catalogue("en"), table=csv_view(report)).encode()


@pytest.fixture
def folder(tmp_path):
    """An archive of three reports."""
    (tmp_path / "in").mkdir()
    for number in (1, 2, 3):
        body = report_csv(tmp_path / "in", number)
        archive.store(tmp_path / "archive", body, b"{}", f"202601{number:02d}T000000Z")
    return tmp_path / "archive"


def assert_same(one, other):
    assert one.cases == other.cases
    assert [(r.run, r.stamp) for r in one.runs] == [(r.run, r.stamp) for r in other.runs]
    for name in history.MEDIANS:
        np.testing.assert_array_equal(one.medians[name], other.medians[name])
    for name in history.WORDS:
        np.testing.assert_array_equal(one.codes[name], other.codes[name])


def test_the_quick_reader_agrees_with_the_careful_one(folder):
    """Hostile names, no shapes, blocked sides, parameters: identity and numbers are the same."""
    careful = history.history_of(read_runs([str(folder)]))
    assert len(careful.runs) == 3
    assert len(careful.cases) == 4
    assert {key.kernel for key in careful.cases} == {"=cmd|x", "NA", "no shape"}
    assert_same(load_history(folder), careful)


def test_real_reports_agree_too(tmp_path, shared):
    """The same on the project that the rules were learnt from."""
    data = shared / "data" / "pto-kernels"
    for path in sorted(data.glob("regression_*.csv")):
        report = run_report(read_runs([str(path)]), None)
        body = render("regression.csv", Catalogue("en"), table=csv_view(report)).encode()
        archive.store(tmp_path / "archive", body, b"{}", report.data_stamp)
    found = load_history(tmp_path / "archive")
    assert len(found.runs) == 3
    assert_same(found, history.history_of(read_runs([str(tmp_path / "archive")])))


def test_the_cache_answers_what_reading_everything_answers(folder, tmp_path):
    """After every kind of change: a new, a changed, a removed snapshot, and a broken cache."""
    in_folder = tmp_path / "in"

    def from_nothing():
        kept = (folder / CACHE_NAME).read_bytes()
        (folder / CACHE_NAME).unlink()
        found = load_history(folder)
        (folder / CACHE_NAME).write_bytes(kept)
        return found

    load_history(folder)
    assert_same(load_history(folder), from_nothing())
    archive.store(folder, report_csv(in_folder, 4), b"{}", "20260104T000000Z")
    assert len(load_history(folder).runs) == 4
    archive.snapshots(folder)[1].csv.unlink()
    assert [r.stamp[:8] for r in load_history(folder).runs] == ["20260101", "20260103", "20260104"]
    archive.snapshots(folder)[0].csv.write_bytes(report_csv(in_folder, 9))
    assert_same(load_history(folder), from_nothing())
    (folder / CACHE_NAME).write_bytes(b"PK\x03\x04 half a cache")
    assert len(load_history(folder).runs) == 3


def test_a_run_reported_anew_counts_once_with_its_last_class(folder, tmp_path):
    """The same numbers under the same run, another matrix: noise must not shrink by repetition."""
    body = report_csv(tmp_path / "in", 3).replace(b",PTO-blocked,", b",tile-first,")
    assert archive.store(folder, body, b"{}", "20260103T000000Z")
    found = load_history(folder)
    assert len(found.runs) == 3
    case = found.places[next(key for key in found.cases if key.kernel == "NA")]
    newest = found.codes["kernel_class"][case][-1]
    assert history.WORDS["kernel_class"][newest] == KernelClass.TILE_FIRST
    archive.snapshots(folder)[-1].csv.unlink()
    assert len(load_history(folder).runs) == 3


def test_what_cannot_be_used_is_named_and_the_rest_is_used(folder):
    """A truncated and a foreign file beside sound snapshots."""
    (folder / "regression_20260105T000000Z.csv").write_bytes(b"<<<<<<< ours\nfamily,kernel\n")
    whole = archive.snapshots(folder)[0].csv.read_bytes()
    (folder / "regression_20260106T000000Z.csv").write_bytes(whole[:-20])
    found = load_history(folder)
    assert [problem.file[11:19] for problem in found.problems] == ["20260105", "20260106"]
    assert [r.stamp[:8] for r in found.runs] == ["20260101", "20260102", "20260103"]
    assert load_history(folder).problems == found.problems


def test_a_folder_of_other_files_is_a_history_as_well(tmp_path):
    """Runs without stamps go by name, numbers in number order."""
    for run in (1, 2, 10):
        (tmp_path / f"r{run}.csv").write_text(
            f"family,kernel,variant_label,baseline_median_ms,pto_median_ms\nf,k,v,{run},{run * 2}\n"
        )
    found = load_history(tmp_path)
    assert [run.run for run in found.runs] == ["r1", "r2", "r10"]
    assert found.medians["baseline_ms"].tolist() == [[1, 2, 10]]
    assert found.ratio_pct.tolist() == [[50, 50, 50]]


def test_a_renamed_kernel_keeps_its_past(folder):
    """Old and new name are one series."""
    options = ReadOptions(kernel_aliases={"NA": "no shape", "=cmd|x": "command"})
    names = {key.kernel for key in load_history(folder, options).cases}
    assert names == {"no shape", "command"}
    both = history.joined(
        [
            one_run("old", "20260101T000000Z", 1.0),
            one_run("new", "20260102T000000Z", 2.0),
        ]
    )
    merged = history.renamed(both, {"old": "new"})
    assert merged.cases == (CaseKey("f", "new"),)
    assert merged.medians["pto_ms"].tolist() == [[1.0, 2.0]]


def one_run(kernel, stamp, pto_ms):
    made = history.blank((history.RunName(stamp, stamp, ""),), (CaseKey("f", kernel),))
    made.medians["pto_ms"][:] = pto_ms
    return made


def test_before_a_stamp_means_older_only(folder):
    """The run that is being judged is no part of its own past."""
    found = load_history(folder)
    assert [r.stamp[:8] for r in found.before("20260102T000000Z").runs] == ["20260101"]
    assert len(found.before("").runs) == 3


def test_files_with_other_headers_are_left_to_the_readers(folder):
    """Also two sound files whose columns are in another order."""
    one, two, _ = archive.snapshots(folder)
    swapped = two.csv.read_bytes().replace(b"family,kernel,", b"kernel,family,", 1)
    assert read_snapshots({one: one.csv.read_bytes(), two: swapped}) is None
    assert read_snapshots({one: b"family\n"}) is None


def test_the_newest_runs_are_those_of_each_case():
    """A kernel that is run on its own keeps as many runs as one that is in every run."""
    runs = [one_run("rare", f"2026010{day}T000000Z", day) for day in (1, 2)]
    runs += [one_run("often", f"2026020{day}T000000Z", day) for day in (1, 2, 3, 4)]
    both = history.joined(runs)
    both.codes["pto_status"][~np.isnan(both.medians["pto_ms"])] = 0
    kept = both.newest(2)
    assert [run.stamp[4:8] for run in kept.runs] == ["0101", "0102", "0203", "0204"]
    assert kept.cases == both.cases


def dated(run: str, kernels: dict[str, float]) -> history.History:
    """One run of some kernels, all measured, by their PTO latency in ms."""
    cases = tuple(CaseKey("f", kernel) for kernel in kernels)
    made = history.blank((history.RunName(run, f"2030010{run[-1]}T000000Z", "file"),), cases)
    made.medians["pto_ms"][:, 0] = list(kernels.values())
    made.codes["pto_status"][:, 0] = history.coded("pto_status", ["ok"] * len(kernels))
    return made


def test_a_run_reported_while_it_was_measured_is_one_run():
    """Kernels arriving one by one, and more samples each time: five snapshots of one night."""
    growing = [dated("r1", {"a": 1.0}), dated("r1", {"a": 1.1, "b": 2.0}), dated("r1", {"c": 3.0})]
    joined = history.joined([*growing, dated("r2", {"a": 1.0})])
    assert [run.run for run in joined.runs] == ["r1", "r2"]
    first = dict(
        zip((key.kernel for key in joined.cases), joined.medians["pto_ms"][:, 0], strict=True)
    )
    assert first == {"a": 1.1, "b": 2.0, "c": 3.0}


def test_a_run_that_is_compared_is_no_history_of_itself():
    joined = history.joined([dated("r1", {"a": 1.0}), dated("r2", {"a": 1.0})])
    assert [run.run for run in joined.without(dated("r2", {"a": 9.0}).runs).runs] == ["r1"]
