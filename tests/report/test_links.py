"""Report links are relative and stay inside the report root."""

from __future__ import annotations

import pytest

from kreport.report.links import relative_link


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/srv/port/bench/generated/gmm/a/report.json", "../generated/gmm/a/report.json"),
        ("/home/other/port/bench/generated/gmm/a/report.json", "../generated/gmm/a/report.json"),
        ("bench/generated/a b(1).json", "../generated/a%20b%281%29.json"),
        ("/etc/passwd", None),
        ("../../etc/passwd", None),
        ("bench/../../etc/passwd", None),
        ("/home/other/port/bench/../../../etc/passwd", None),
        ("https://example.invalid/x", None),
        ("javascript:alert(1)", None),
        ("C:\\reports\\x", None),
        ("a\nb", None),
        ("", None),
    ],
)
def test_relative_links(path: str, link: str | None) -> None:
    assert relative_link(path, "/srv/port/bench/reports", "/srv/port") == link


def test_a_report_outside_the_root_has_no_links() -> None:
    assert relative_link("bench/generated/a.json", "/tmp/out", "/srv/port") is None
