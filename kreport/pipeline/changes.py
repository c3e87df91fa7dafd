"""What changed since an earlier run: which run that is, and the comparison with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kreport.archive.store import previous
from kreport.choices import Gate, Method
from kreport.classify import TierBounds
from kreport.errors import InputError
from kreport.pipeline.past import archive_folder
from kreport.readers import read_runs
from kreport.run_report import data_stamp
from kreport.stats import iqr_verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kreport.archive.history import History
    from kreport.model import CaseKey, StateMatrix
    from kreport.prometheus import Changes
    from kreport.readers import ReadOptions
    from kreport.run_report import RunReport
    from kreport.schema import RunTable
    from kreport.settings import Settings
    from kreport.verdicts import CaseDiff, DiffReport, Inputs, Question

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Since:
    """The comparison with an earlier run.

    `diff` is None where there is no such run; `why` is then a key of the catalogue.
    """

    file: str = ""
    stamp: str = ""
    diff: DiffReport | None = None
    why: str = ""


def since_previous(
    table: RunTable,
    matrix: StateMatrix | None,
    past: History | None,
    settings: Settings,
    options: ReadOptions,
) -> Since | None:
    """Compare with the run that ``--previous`` names; None where it names none.

    ``auto`` is the newest archived run of older data with a clock and device in common. Data
    that nothing dates has no such run. One that was damaged is nobody's to compare with, and no
    reason for a night job to stop.
    """
    if not settings.previous:
        return None
    path, why = earlier_file(table, settings)
    if why:
        return Since(why=why)
    from kreport.verdicts import compare_runs

    try:
        inputs = inputs_since(path, table, matrix, past, settings, options)
    except InputError:
        if settings.previous != AUTO:
            raise
        return Since(why="changes.unreadable")
    if settings.previous == AUTO and not all(source.complete for source in inputs.old.sources):
        return Since(why="changes.unreadable")
    diff = compare_runs(inputs, question_of(settings))
    return Since(file=Path(path).name, stamp=data_stamp(inputs.old), diff=diff)


def earlier_file(table: RunTable, settings: Settings) -> tuple[str, str]:
    """Find the file that ``--previous`` means: its path and "", or "" and why there is none."""
    if settings.previous != AUTO:
        return settings.previous, ""
    stamp = data_stamp(table)
    if not stamp:
        return "", "changes.undated"
    clocks = set(zip(table.frame["timer"], table.frame["device"], strict=True))
    snapshot = previous(archive_folder(settings), clocks, stamp)
    return (str(snapshot.csv), "") if snapshot else ("", "changes.first")


def inputs_since(
    path: str,
    table: RunTable,
    matrix: StateMatrix | None,
    past: History | None,
    settings: Settings,
    options: ReadOptions,
) -> Inputs:
    """Read the earlier file; only what the archive holds from before it teaches noise."""
    from kreport.verdicts import Inputs

    old = read_runs([path], options)
    return Inputs(
        old=old,
        new=table,
        history=past.before(data_stamp(old)) if past and data_stamp(old) else None,
        history_name=str(archive_folder(settings)),
        matrix=matrix,
        bounds=TierBounds.of(settings),
    )


def question_of(settings: Settings) -> Question:
    """What a report asks of an earlier run."""
    from kreport.verdicts import Question

    return replace(Question.of(settings), method=Method.AUTO)


def changes_by_case(report: RunReport, diff: DiffReport) -> Mapping[CaseKey, CaseDiff]:
    """What changed in each case of a report; cases that the diff does not know are left out."""
    found = {case.key: case for case in diff.cases}
    keys = [case.key for kernel in report.kernels for case in kernel.cases]
    return {key: found[diff.relaxation.of(key)] for key in keys if diff.relaxation.of(key) in found}


def changes_in_numbers(diff: DiffReport) -> Changes:
    """Count for monitoring: what got worse, and what other rules would have cried about."""
    from kreport.prometheus import Changes
    from kreport.verdicts.gate import tripped

    worse = tripped(diff, (Gate.SLOWER, Gate.BLOCKED, Gate.INCORRECT))
    return Changes(
        regressions=sum(worse.values()),
        suppressed=sum(_would_have_alarmed(case) for case in diff.cases),
    )


def _would_have_alarmed(case: CaseDiff) -> bool:
    """Whether the IQRs of the port are disjoint while nothing is shown to have changed."""
    old, new = case.pto.old, case.pto.new
    if case.transitions or case.pto.changed or not old.q3_ms >= old.q1_ms > 0:
        return False
    verdict = iqr_verdict((old.q1_ms, old.q3_ms), (new.q1_ms, new.q3_ms))
    return verdict.value != "within noise"
