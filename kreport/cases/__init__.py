"""Cases: one input shape of one kernel on one clock and device, over all its runs."""

from kreport.cases.pool import Pool, pool_of
from kreport.cases.reduce import cases_of, comparable
from kreport.cases.result import CaseResult, Origin, SideResult

__all__ = ["CaseResult", "Origin", "Pool", "SideResult", "cases_of", "comparable", "pool_of"]
