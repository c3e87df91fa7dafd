"""The page and the picture: templates filled in, style and script inlined and vouched for."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from kreport.report.page.page_view import page_view
from kreport.report.page.plot_view import plot_view
from kreport.report.render import render, template_text

if TYPE_CHECKING:
    from kreport.report.catalogue import Catalogue
    from kreport.report.run.build_view import BuildView, Extras
    from kreport.run_report import RunReport

PICTURE_LINES = 120
"""A picture longer than this is no picture; each class shows its worst kernels then."""


@dataclass(frozen=True, slots=True)
class Assets:
    """The one style and the one script of a page, with the hashes that its policy allows."""

    style: Markup
    style_hash: str
    script: Markup
    script_hash: str


def render_page(
    report: RunReport,
    view: BuildView,
    text: Catalogue,
    extras: Extras,
    user_folder: str = "",
) -> str:
    """Fill in ``regression.html``.

    Raises:
        UsageError: a template, which may be the user's, cannot be filled in.
    """
    style, style_hash = _vouched("regression.css", user_folder)
    script, script_hash = _vouched("regression.js", user_folder)
    return render(
        "regression.html",
        text,
        user_folder,
        view=view,
        page=page_view(report, view, text, extras),
        assets=Assets(style, style_hash, script, script_hash),
    )


def render_picture(report: RunReport, text: Catalogue, user_folder: str = "") -> str:
    """Fill in ``regression.svg``, the ratio plot that stands alone.

    Raises:
        UsageError: a template, which may be the user's, cannot be filled in.
    """
    style = Markup(template_text("regression_plot.css", user_folder))
    plot = plot_view(report, text, PICTURE_LINES)
    return render("regression.svg", text, user_folder, plot=plot, style=style)


def _vouched(template: str, user_folder: str) -> tuple[Markup, str]:
    """Text of a template that is inlined as it stands, and its hash as a policy spells it."""
    content = template_text(template, user_folder).strip()
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return Markup(content), f"sha256-{digest}"
