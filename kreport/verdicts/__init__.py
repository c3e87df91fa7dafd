"""Old runs against new ones: pairing, transitions, verdicts.

`comparison` reads as the table of contents. A verdict is decided in `decisions` and nowhere else.
"""

from kreport.verdicts.comparison import Inputs, Question, compare_runs
from kreport.verdicts.results import CaseDiff, ClockDiff, DiffReport

__all__ = [
    "CaseDiff",
    "ClockDiff",
    "DiffReport",
    "Inputs",
    "Question",
    "compare_runs",
]
