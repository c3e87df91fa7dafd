"""The Prometheus text file: what Prometheus itself reads in it."""

import pytest

from kreport.prometheus import Changes, prometheus_text
from kreport.readers import read_runs
from kreport.run_report import run_report

HEADER = "family,kernel,variant_label,baseline_median_ms,pto_median_ms,baseline_status,pto_status\n"


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "r_20260321T024111Z.csv"
    path.write_text(HEADER + "f,a,v,1,2,ok,ok\nf,b,v,1,,ok,blocked\nf,c,v,-1,2,ok,ok\n")
    return run_report(read_runs([str(path)]), None)


def read(text: str) -> dict[str, float]:
    """Samples by name and labels, through Prometheus' own parser where it is installed."""
    parser = pytest.importorskip("prometheus_client.parser")
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in parser.text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_parser_of_prometheus_reads_every_number(report):
    """Success, age, classes, owners and what is in no number."""
    found = read(prometheus_text(report, 1774100000.0, Changes(2, 5)))
    assert found["kreport_last_success_timestamp_seconds"] == 1774100000.0
    assert found["kreport_data_timestamp_seconds"] == 1774060871.0
    assert found["kreport_data_age_seconds"] == 39129.0
    assert found["kreport_kernelsPTO-blocked"] == 1
    assert found["kreport_kernelstile-first"] == 0
    assert found["kreport_rows_set_aside"] == 1
    assert found["kreport_regressions"] == 2
    assert found["kreport_alarms_suppressed"] == 5
    assert sum(v for k, v in found.items() if k.startswith("kreport_kernels")) == 3 - 1


def test_what_is_not_known_is_left_out(tmp_path):
    """No date, no comparison, no ratio: no sample, and never a NaN."""
    path = tmp_path / "r.csv"
    path.write_text(HEADER + "f,b,v,1,,ok,blocked\n")
    text = prometheus_text(run_report(read_runs([str(path)]), None), 5.0)
    assert "nan" not in text.lower()
    for absent in ("data_age", "data_timestamp", "regressions", "alarms", "geomean"):
        assert absent not in text
    assert "kreport_last_success_timestamp_seconds 5.0\n" in text


def test_every_sample_has_help_and_type(report):
    """As promtool asks for."""
    lines = prometheus_text(report, 5.0, Changes(0, 0)).splitlines()
    names = {line.split("{")[0].split()[0] for line in lines if not line.startswith("#")}
    for kind in ("HELP", "TYPE"):
        assert names == {line.split()[2] for line in lines if line.startswith(f"# {kind} ")}
