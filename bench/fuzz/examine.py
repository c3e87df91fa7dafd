"""What must hold for any bytes: they are read or refused, and no number is impossible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kreport.errors import InputError
from kreport.readers import ReadOptions, is_matrix, read_matrix, read_runs

if TYPE_CHECKING:
    from kreport.schema import RunTable


def examine(path: str, options: ReadOptions) -> str:
    """Read a file every way there is; return ``read`` or ``refused``.

    Raises AssertionError where what was read breaks a promise, and whatever a reader should not
    have raised.
    """
    is_matrix(path)
    try:
        read_matrix(path, options)
    except InputError as error:
        _refusal(error)
    try:
        table = read_runs([path], options, keep_samples=True)
    except InputError as error:
        _refusal(error)
        return "refused"
    _promises(table)
    return "read"


def _refusal(error: InputError) -> None:
    assert error.problems, "a refusal says why"
    assert all(str(problem) for problem in error.problems)


def _promises(table: RunTable) -> None:
    frame = table.frame
    assert not frame.select_dtypes(exclude="number").isna().to_numpy().any(), (
        "texts are never missing"
    )
    for side in ("baseline", "pto"):
        median = frame[f"{side}_median_ms"]
        ran = frame[f"{side}_status"] == "ok"
        possible = median.isna() | ((median > 0) & (median < math.inf) & ran)
        assert possible.all(), f"{side} medians are positive, finite, and of sides that ran"
    assert table.samples is not None
    sizes = table.samples.stop - table.samples.start
    assert len(sizes) == 2 * len(frame)
    counted = [frame["baseline_n"].tolist(), frame["pto_n"].tolist()]
    for row, pair in enumerate(zip(*counted, strict=True)):
        for side, n in enumerate(pair):
            assert sizes[2 * row + side] in (0, n), "a summary counts the samples behind it"
    assert table.set_aside <= sum(source.rows for source in table.sources)
