"""Readers: one module a layout, all to the canonical run table of `kreport.schema`."""

from kreport.readers.matrix.state_matrix import is_matrix, read_matrix
from kreport.readers.options import Limits, ReadOptions
from kreport.readers.runs import read_runs

__all__ = ["Limits", "ReadOptions", "is_matrix", "read_matrix", "read_runs"]
