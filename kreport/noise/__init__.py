"""How much a latency moves without the code having changed, learnt from runs.

The samples of one run agree with each other and the next process lands elsewhere, so the run is
the unit: each run is reduced to one location per case and side, and everything here is about how
those locations differ from run to run. The pieces, in the order in which they are used:

- `runs`         the arrays: log locations, cases by runs, and which group a run belongs to
- `shift`        what moved a whole run: a factor on everything, a constant on every call
- `scale`        how far one case scatters from run to run, steadied by all the other cases
- `student`      the t distribution, for few runs
- `multiplicity` false alarms of the whole report kept in check
- `model`        the above put together: change, band, detectable effect, p value per case

No verdict is made here: that is for the code that compares.
"""

from kreport.noise.model import Changes, NoiseLimits, SideChanges, changes_of
from kreport.noise.runs import NEW, OLD, PAST, CaseRuns, SideRuns
from kreport.noise.shift import RunShift

__all__ = [
    "NEW",
    "OLD",
    "PAST",
    "CaseRuns",
    "Changes",
    "NoiseLimits",
    "RunShift",
    "SideChanges",
    "SideRuns",
    "changes_of",
]
