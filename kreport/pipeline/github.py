"""``kreport diff --format github``: comment, step summary and annotations of one diff."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kreport.errors import OutputError
from kreport.report.diff.diff_view import diff_view
from kreport.report.diff.github_view import GithubView, fit_comment
from kreport.report.diff.workflow_commands import annotation_lines, inert
from kreport.report.render import render

if TYPE_CHECKING:
    from kreport.report.catalogue import Catalogue
    from kreport.settings import Settings
    from kreport.verdicts import DiffReport

SUMMARY_BYTES = 1_000_000
"""A step summary may have 1 MiB; what is larger is not shown at all."""


def write_comment(report: DiffReport, settings: Settings, text: Catalogue) -> None:
    """Write the comment to standard output.

    Where ``GITHUB_STEP_SUMMARY`` names a file, a longer form of it is added there; inside a
    workflow, the worst ten pieces of bad news go to standard error as annotations.

    Raises:
        OutputError: the step summary cannot be written.
    """
    view = diff_view(report, text)

    def comment(shown: GithubView) -> str:
        return inert(render("diff_github.md", text, settings.templates, view=shown))

    sys.stdout.write(fit_comment(view, text, comment, characters=settings.max_chars))
    summary = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if summary:
        _append(Path(summary), fit_comment(view, text, comment, size=SUMMARY_BYTES))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in annotation_lines(view, text):
            sys.stderr.write(f"{line}\n")


def _append(path: Path, text: str) -> None:
    """Add to a file that other steps write to as well."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    except OSError as error:
        raise OutputError(f"GITHUB_STEP_SUMMARY: cannot write {path}: {error.strerror}") from error
