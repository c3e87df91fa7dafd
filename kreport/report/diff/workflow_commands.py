"""Lines that a GitHub runner acts on: those we mean, and none that an input smuggles in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kreport.report.catalogue import Catalogue
    from kreport.report.diff.diff_view import DiffView

ANNOTATIONS = 10
"""A runner shows no more than this of one kind."""
MESSAGE_LIMIT = 400

_COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)


def annotation_lines(view: DiffView, text: Catalogue) -> tuple[str, ...]:
    """The worst ten pieces of bad news as ``::error`` and ``::warning`` commands."""
    return tuple(_bad_news(view, text))[:ANNOTATIONS]


def _bad_news(view: DiffView, text: Catalogue) -> Iterable[str]:
    for row in view.transitions:
        if row.tone == "bad":
            said = "; ".join(part for part in (row.shape, row.detail, row.first) if part)
            yield command("error", text("github.about", kernel=row.kernel, what=row.what), said)
    for case in view.changed:
        if case.tone == "bad":
            said = text(
                "github.slower",
                shape=case.shape,
                change=case.change,
                old=case.old_pto,
                new=case.new_pto,
                band=case.band,
            )
            title = text("github.about", kernel=case.kernel, what=case.verdict)
            yield command("error" if case.confirmed else "warning", title, said)


def command(kind: str, title: str, message: str) -> str:
    """Write one workflow command; nothing in its texts can end it or begin another."""
    shown = _escaped(one_line(message, MESSAGE_LIMIT))
    name = _escaped(one_line(title, MESSAGE_LIMIT)).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={name}::{shown}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def inert(text: str) -> str:
    """Take the power of a command from every line of a text that a runner may read in its log."""
    return _COMMAND.sub(r"\1│ ::", text).replace("##[", "## [")
