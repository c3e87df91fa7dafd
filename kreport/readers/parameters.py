"""Which unknown columns are parameters of a case, and the canonical JSON they become."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kreport.identity import canonical_parameters
from kreport.readers.headers import fold_name, words

KNOWN_PARAMETERS = words("""
    dtype dtypes input_dtype output_dtype data_type precision layout m n k b t h d batch
    batch_size alpha beta eps epsilon dropout scale sparsity causal mask heads seq_len
    block_num block_dim num_blocks config config_json params parameters mode split_k
""")
"""Folded names that are parameters whatever they hold; others are when they hold no fractions."""

_FRACTION = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+[eE]-?\d+)([eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d+\.0*")


def is_parameter(name: str, cells: Sequence[str]) -> bool:
    """Whether a column that nothing else claims tells cases apart: texts and integers do."""
    if fold_name(name) in KNOWN_PARAMETERS:
        return True
    return not any(
        _FRACTION.fullmatch(cell.strip()) and not _WHOLE.fullmatch(cell.strip())
        for cell in set(cells)
    )


def parameter_column(
    names: Sequence[str], columns: Sequence[Sequence[str]], count: int
) -> npt.NDArray[np.object_]:
    """One canonical JSON text a row; "" where no parameter is given."""
    joined = np.full(count, "", dtype=object)
    if not names:
        return joined
    known: dict[tuple[str, ...], str] = {}
    for index, cells in enumerate(zip(*columns, strict=True)):
        text = known.get(cells)
        if text is None:
            text = known[cells] = canonical_parameters(dict(zip(names, cells, strict=True)))
        joined[index] = text
    return joined
