"""Units of time: every spelling that is accepted, and none that would be a guess."""

from __future__ import annotations

import pytest

from kreport.units import ms_divisor


@pytest.mark.parametrize(
    ("spellings", "divisor"),
    [
        (["ms", "MS", "Ms", "mS", " msec ", "Milliseconds"], 1.0),
        (["us", "Us", "US", "\N{MICRO SIGN}s", "\N{GREEK SMALL LETTER MU}s", "usec"], 1e3),
        (["\N{MICRO SIGN}S", "\N{GREEK CAPITAL LETTER MU}S"], 1e3),
        (["ns", "NS", "nanosecond"], 1e6),
        (["s", "S", "sec", "Seconds"], 1e-3),
        (["", "m", "M", "min", "h", "cycles", "\N{MICRO SIGN}", "ks"], None),
    ],
)
def test_case_and_the_kind_of_micro_sign_do_not_matter(spellings, divisor) -> None:
    assert {ms_divisor(unit) for unit in spellings} == {divisor}
