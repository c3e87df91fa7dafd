"""The rows of a samples file, column by column, before they are reduced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kreport.readers.coded import Coded
from kreport.readers.headers import Header
from kreport.readers.layouts.known import latency_of
from kreport.readers.outcomes import StoryColumns

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TEXT_ROLES = (
    "run",
    "run_at",
    "family",
    "kernel",
    "variant_label",
    "variant_index",
    "shape",
    "timer",
    "device",
    "report_path",
    "spec",
)
"""Roles whose texts tell samples apart or describe a case; absent ones are ""."""


@dataclass(frozen=True, slots=True)
class SampleRows:
    """The rows of a samples file, column by column.

    `texts` has a column for each of `TEXT_ROLES`, and "reason"; `parameters` those that may join
    the identity. `side` holds `Side` values ("" where unknown). `status` and `correct` are None
    where the file has no such column. `latency_ms` is NaN where there is none, `sample_index` NaN
    where the file does not count. `line` is where each row begins, `columns` what the file calls
    what says how a side fared.
    """

    texts: Mapping[str, Coded]
    parameters: Mapping[str, Coded]
    side: Coded
    status: Coded | None
    correct: Coded | None
    latency_ms: Floats
    sample_index: Floats
    line: Ints
    columns: StoryColumns

    def without(self, dropped: npt.NDArray[np.bool_]) -> SampleRows:
        """Return the rows that are not dropped."""
        return self._taken(~dropped) if dropped.any() else self

    def ordered(self, order: Ints) -> SampleRows:
        """Return the rows in another order."""
        return self._taken(order)

    def _taken(self, rows: npt.NDArray[np.generic]) -> SampleRows:
        def take(column: Coded) -> Coded:
            return Coded(column.codes[rows], column.spellings)

        return replace(
            self,
            texts={role: take(column) for role, column in self.texts.items()},
            parameters={name: take(column) for name, column in self.parameters.items()},
            side=take(self.side),
            status=None if self.status is None else take(self.status),
            correct=None if self.correct is None else take(self.correct),
            latency_ms=self.latency_ms[rows],
            sample_index=self.sample_index[rows],
            line=self.line[rows],
        )


def story_columns(header: Header) -> StoryColumns:
    """Return the names of the columns that say how a side fared; "" for absent ones."""
    latency = latency_of(header)
    named = {role: header.names[index] for role, index in header.roles.items()}
    return StoryColumns(
        named.get("status", ""),
        "" if latency is None else header.names[latency.index],
        named.get("correct", ""),
    )
