"""``kreport explain``: how one kernel's class and numbers came about."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING

from kreport.errors import ExitCode, NothingComparable
from kreport.pipeline.build import read_inputs, report_on
from kreport.pipeline.changes import earlier_file, inputs_since, question_of
from kreport.pipeline.past import past_runs
from kreport.readers import ReadOptions
from kreport.report.catalogue import Catalogue
from kreport.report.run.explain_view import explain_lines
from kreport.run_report import data_stamp

if TYPE_CHECKING:
    from kreport.archive.history import History
    from kreport.pipeline.build import Inputs
    from kreport.settings import Settings


def explain(kernel: str, settings: Settings) -> int:
    """Write the explanation of every measured kernel of that name to standard output.

    Raises:
        NothingComparable: no kernel has the name; close ones are suggested.
    """
    options = ReadOptions.of(settings)
    inputs = read_inputs(settings, options)
    past = past_runs(settings, data_stamp(inputs.table), options)
    report = report_on(inputs, settings, past)
    text = Catalogue(settings.lang)
    found = [result for result in report.kernels if result.name == kernel]
    if not found:
        names = [result.name for result in report.kernels]
        close = difflib.get_close_matches(kernel, names, n=3)
        hint = ": " + text("explain.did_you_mean", names=", ".join(close)) if close else ""
        raise NothingComparable(f"{kernel}: {text('explain.no_kernel')}{hint}")
    matrix_file = report.matrix.file if report.matrix else ""
    blocks = ["\n".join(explain_lines(result, matrix_file, text)) for result in found]
    if settings.previous:
        blocks.append("\n".join(_verdict_lines(kernel, inputs, past, settings, options, text)))
    explained = "\n\n".join(blocks)
    if sys.stdout.isatty():
        from kreport.report.console import print_indented

        print_indented(explained)
    else:
        sys.stdout.write(f"{explained}\n")
    return ExitCode.DONE


def _verdict_lines(
    kernel: str,
    inputs: Inputs,
    past: History | None,
    settings: Settings,
    options: ReadOptions,
    text: Catalogue,
) -> list[str]:
    """The arithmetic of the kernel's verdicts since the run that ``--previous`` names."""
    from kreport.report.diff.verdict_lines import verdict_lines
    from kreport.verdicts import compare_runs
    from kreport.verdicts.arithmetic import arithmetic

    path, why = earlier_file(inputs.table, settings)
    if why:
        return [text(why)]
    since = inputs_since(path, inputs.table, inputs.matrix, past, settings, options)
    question = question_of(settings)
    cases = [case for case in compare_runs(since, question).cases if case.key.kernel == kernel]
    return verdict_lines(cases, arithmetic(since, question, kernel), path, text)
