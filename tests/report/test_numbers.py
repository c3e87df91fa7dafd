"""Numbers keep the digits that mean something."""

from __future__ import annotations

import math

import pytest

from kreport.report import numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.77826, "0.7783"),
        (27.9052, "27.91"),
        (0.000015, "0.00001500"),
        (123456.7, "123457"),
        (math.nan, "n/a"),
        (math.inf, "n/a"),
    ],
)
def test_latency_has_four_significant_digits(value: float, shown: str) -> None:
    assert numbers.latency(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (89.367, "89.4%"),
        (0.375, "0.38%"),
        (0.004, "0.004%"),
        (100.0, "100.0%"),
        (math.nan, "n/a"),
        (0.0, "0.0%"),
    ],
)
def test_small_ratios_are_not_rounded_away(value: float, shown: str) -> None:
    assert numbers.percent(value) == shown


def test_signed_changes_and_ranges() -> None:
    assert numbers.percent(8.21, signed=True) == "+8.2%"
    assert numbers.percent(-8.21, signed=True) == "-8.2%"
    assert numbers.percent_range(70.966, 87.393) == "71.0%..87.4%"
    assert numbers.percent_range(42.31, 42.33) == "42.3%"
