"""Cases are paired by what they are, never by where they stand."""

from kreport.model import CaseKey
from kreport.verdicts.pairing import pair, without_parameters
from tests.tables import row, table


def test_the_same_case_gets_the_same_number_in_any_order() -> None:
    old = table(row("a"), row("b"), row("c")).frame
    new = table(row("c"), row("a"), row("d")).frame
    found = pair(old, new)
    assert [key.kernel for key in found.keys] == ["a", "b", "c", "d"]
    assert found.old.tolist() == [0, 1, 2]
    assert found.new.tolist() == [2, 0, 3]


def test_a_column_that_one_set_lacks_does_not_keep_cases_apart() -> None:
    old = table(row("a", device="H200", family="gmm")).frame
    new = table(row("a", device="", family="")).frame
    found = pair(old, new)
    assert len(found.keys) == 1
    assert found.relaxation.columns == ("family", "device")


def test_a_column_is_kept_where_cases_would_fall_together() -> None:
    old = table(row("a", device="H200"), row("a", device="A100")).frame
    new = table(row("a", device="")).frame
    found = pair(old, new)
    assert len(found.keys) == 3
    assert found.relaxation.columns == ()


def test_a_parameter_that_one_set_lacks_is_left_out() -> None:
    old = table(row("a", parameters='{"block":64,"dtype":"bf16"}')).frame
    new = table(row("a", parameters='{"dtype":"bf16"}')).frame
    found = pair(old, new)
    assert [key.parameters for key in found.keys] == ['{"dtype":"bf16"}']
    assert found.relaxation.parameters == ("block",)
    assert found.relaxation.of(CaseKey("", "a", parameters='{"block":8}')).parameters == ""


def test_a_parameter_that_tells_cases_apart_stays() -> None:
    old = table(row("a", parameters='{"block":64}'), row("a", parameters='{"block":128}')).frame
    new = table(row("a", parameters="")).frame
    assert len(pair(old, new).keys) == 3


def test_clocks_are_never_paired_with_each_other() -> None:
    found = pair(table(row("a", timer="host")).frame, table(row("a", timer="")).frame)
    assert len(found.keys) == 2


def test_parameters_that_are_no_json_stay_as_they_are() -> None:
    assert without_parameters("block=64", ["block"]) == "block=64"


def test_a_parameter_that_names_the_set_is_left_out_where_nothing_matches_otherwise() -> None:
    """A commit that stands in every row, another one in each table, is no property of a case."""
    old = table(row("a", parameters='{"commit":"1f"}'), row("b", parameters='{"commit":"1f"}'))
    new = table(row("a", parameters='{"commit":"2e"}'), row("b", parameters='{"commit":"2e"}'))
    found = pair(old.frame, new.frame)
    assert len(found.keys) == 2
    assert found.relaxation.differing == ('commit: "1f", "2e"',)


def test_a_parameter_stays_where_some_cases_match_with_it() -> None:
    old = table(row("a", parameters='{"block":1}'), row("b", parameters=""))
    new = table(row("a", parameters='{"block":2}'), row("b", parameters=""))
    assert len(pair(old.frame, new.frame).keys) == 3
