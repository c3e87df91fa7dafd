"""``kreport diff``: old runs against new ones, to standard output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kreport.choices import Gate
from kreport.classify import TierBounds
from kreport.errors import ExitCode, InputError, NothingComparable
from kreport.identity import stamp_in
from kreport.pipeline.absence import absent_inputs, require_clock
from kreport.problems import Severity, of_severity
from kreport.readers import ReadOptions, read_matrix, read_runs
from kreport.report.catalogue import Catalogue
from kreport.report.problem_lines import show_problems
from kreport.run_report import data_stamp
from kreport.stamps import readable
from kreport.verdicts import Inputs, Question, compare_runs
from kreport.verdicts.gate import tripped, unseen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.archive.history import History
    from kreport.schema import RunTable
    from kreport.settings import Settings
    from kreport.verdicts import DiffReport


def read_diff(old: str, new: str, settings: Settings) -> DiffReport:
    """Read both sets of runs, the history and the matrix that the settings name, and compare.

    ``settings.timer`` leaves the other clocks out of the result, after all is decided.

    Raises:
        InputError: an input cannot be read or trusted.
        NothingComparable: one of the sets is not there, has no usable row, or none on the clock
            asked for.
    """
    options = ReadOptions.of(settings)
    question = Question.of(settings)
    tables = [
        _read(path, options, keep_samples=question.method.tests_samples) for path in (old, new)
    ]
    _say_doubts(*tables)
    inputs = Inputs(
        old=tables[0],
        new=tables[1],
        history=_history(settings, options, tables),
        history_name=settings.history,
        matrix=read_matrix(settings.matrix, options) if settings.matrix else None,
        bounds=TierBounds.of(settings),
    )
    report = compare_runs(inputs, question)
    return of_clock(report, settings.timer) if settings.timer else report


def _read(path: str, options: ReadOptions, *, keep_samples: bool) -> RunTable:
    try:
        table = read_runs([path], options, keep_samples=keep_samples)
    except InputError as error:
        absent = absent_inputs(error)
        if absent:
            raise NothingComparable(absent) from None
        raise
    if table.frame.empty:
        raise NothingComparable(f"{path}: no row can be used; {table.set_aside} set aside")
    return table


def of_clock(report: DiffReport, timer: str) -> DiffReport:
    """The part of a report that is about one clock; its verdicts are those of the whole."""
    from dataclasses import replace

    require_clock(timer, (case.key.timer for case in report.cases))
    cases = tuple(case for case in report.cases if case.key.timer == timer)
    clocks = tuple(clock for clock in report.clocks if clock.timer == timer)
    return replace(report, cases=cases, clocks=clocks, clocks_old_only=(), clocks_new_only=())


def diff(report: DiffReport, settings: Settings, output: str, *, everything: bool) -> int:
    """Write a diff to standard output as `output`; return what the gates make of it.

    Raises:
        InputError: the latencies of one set are a thousand times those of the other.
        NothingComparable: the sets have no case in common, or gates were asked for and not one
            case can be compared. The report is written all the same: it names what there is.
    """
    _write(report, settings, output, everything=everything)
    aside = of_severity(report.problems, Severity.ROW)
    show_problems(report.problems if everything else aside)
    sys.stdout.flush()
    _refuse_other_unit(report)
    if report.matched == 0:
        raise NothingComparable("0 matched: the old and the new runs have no case in common")
    gates = tuple(map(Gate, settings.fail_on))
    found = tripped(report, gates)
    for gate, count in found.items():
        sys.stderr.write(f"kreport: --fail-on {gate}: {count} cases\n")
    _say_what_no_gate_sees(report, gates)
    if found:
        return ExitCode.GATE
    if gates and not any(case.verdict or case.transitions for case in report.cases):
        raise NothingComparable(
            f"no latency of a port could be compared in {report.matched} matched cases: "
            "the gates have seen nothing"
        )
    return ExitCode.DONE


def _dated_runs(table: RunTable) -> set[str]:
    names = table.frame[["run", "run_at"]].drop_duplicates()
    return {f"{run}, {at}" for run, at in names.itertuples(index=False) if stamp_in(at)}


def _refuse_other_unit(report: DiffReport) -> None:
    factor = next((clock.unit_factor for clock in report.clocks if clock.unit_factor != 1), 1)
    if factor != 1:
        raise InputError(
            f"the new latencies are {factor:g} times the old ones, ports and baselines alike: "
            "is one of the files in another unit?"
        )


_UNSEEN = {
    Gate.SLOWER: "slower, but unconfirmed: take several runs a side, or give --history",
    Gate.BLOCKED: "that ran in every old run and in some of the new ones",
    Gate.INCORRECT: "whose results were checked and are not any more",
}


def _say_what_no_gate_sees(report: DiffReport, gates: Sequence[Gate]) -> None:
    """A gate that stays open for want of data must not look like one that found nothing."""
    for gate, what in _UNSEEN.items():
        if gate not in gates or (gate is Gate.SLOWER and Gate.UNCONFIRMED in gates):
            continue
        count = sum(unseen(case, gate) for case in report.cases)
        if count:
            sys.stderr.write(f"kreport: --fail-on {gate} does not see {count} cases {what}\n")


def _say_doubts(old: RunTable, new: RunTable) -> None:
    """What makes it likely that these are not the two sets that were meant."""
    stamps = [data_stamp(table) for table in (old, new)]
    are_dated = all(stamps)
    if are_dated and stamps[0] > stamps[1]:
        then, now = map(readable, stamps)
        sys.stderr.write(f"kreport: OLD ({then}) is newer than NEW ({now}): the wrong way round?\n")
    known = {source.sha256 for source in old.sources}
    twice = [source.name for source in new.sources if source.sha256 in known]
    if are_dated and not twice:
        twice = sorted(_dated_runs(old) & _dated_runs(new))
    if twice:
        more = f" and {len(twice) - 1} more" if len(twice) > 1 else ""
        sys.stderr.write(f"kreport: in OLD and in NEW, so compared with itself: {twice[0]}{more}\n")


def _history(
    settings: Settings, options: ReadOptions, compared: Sequence[RunTable]
) -> History | None:
    """The earlier runs, without those that are compared: a run is no witness for itself."""
    if not settings.history:
        return None
    from kreport.archive.cache import load_history
    from kreport.archive.history import history_of

    folder = Path(settings.history)
    if not folder.is_dir():
        raise NothingComparable(f"--history {settings.history}: no such folder")
    runs = [run for table in compared for run in history_of(table).runs]
    return load_history(folder, options).without(runs)


def _write(report: DiffReport, settings: Settings, output: str, *, everything: bool) -> None:
    text = Catalogue(settings.lang)
    if output == "csv":
        from kreport.report.diff.diff_csv import diff_csv
        from kreport.report.render import render

        sys.stdout.write(render("diff.csv", text, settings.templates, table=diff_csv(report)))
    elif output == "json":
        from kreport.report.diff.diff_json import diff_json
        from kreport.report.render import render

        sys.stdout.write(render("diff.json", text, settings.templates, record=diff_json(report)))
    elif output == "md":
        from kreport.report.diff.diff_view import diff_view
        from kreport.report.render import render

        view = diff_view(report, text)
        sys.stdout.write(render("diff.md", text, settings.templates, view=view))
    elif output == "github":
        from kreport.pipeline.github import write_comment

        write_comment(report, settings, text)
    elif output == "junit":
        from kreport.report.diff.junit_view import junit_view
        from kreport.report.render import render

        junit = junit_view(report, text, tuple(map(Gate, settings.fail_on)))
        sys.stdout.write(render("diff_junit.xml", text, settings.templates, view=junit))
    else:
        from kreport.report.diff.diff_console import show_diff
        from kreport.report.diff.diff_view import diff_view

        show_diff(diff_view(report, text), text, everything=everything)
