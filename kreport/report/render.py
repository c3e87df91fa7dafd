"""Jinja, set up once: where templates are found, what they may call, how they escape.

A user's folder comes first, then the shipped templates, so that one template can be replaced and
the others stay. Everything runs in Jinja's sandbox: a template reads its view and does no more.
"""

from __future__ import annotations

import csv
import html
import io
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError, select_autoescape
from jinja2.sandbox import ImmutableSandboxedEnvironment

from kreport.errors import UsageError
from kreport.report.text import code_block, markdown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kreport.report.catalogue import Catalogue


def shipped_templates() -> Path:
    """Return the folder of the shipped templates.

    In an installed package it is inside it; in a checkout it stands beside it.
    """
    package = Path(__file__).resolve().parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def render(template: str, catalogue: Catalogue, user_folder: str = "", **views: object) -> str:
    """Fill in a template; ``t`` in it looks texts up in `catalogue`.

    Raises:
        UsageError: the template, which may be the user's, cannot be filled in.
    """
    if user_folder and not Path(user_folder).is_dir():
        raise UsageError(f"--templates: no such folder, found {user_folder!r}")
    try:
        return _environment(user_folder).get_template(template).render(t=catalogue, **views)
    except TemplateError as error:
        place = getattr(error, "filename", None) or template
        line = getattr(error, "lineno", None)
        where = f"{place}:{line}" if line else place
        raise UsageError(f"{where}: the template cannot be filled in: {error}") from error


@cache
def _environment(user_folder: str) -> ImmutableSandboxedEnvironment:
    folders = [user_folder] if user_folder else []
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([*folders, str(shipped_templates())]),
        undefined=StrictUndefined,
        autoescape=select_autoescape(("html", "svg", "xml"), default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = markdown
    environment.filters["html"] = html.escape
    environment.filters["code_block"] = code_block
    environment.filters["csv_row"] = csv_row
    environment.filters["strict_json"] = strict_json
    return environment


def csv_row(cells: Iterable[str]) -> str:
    """Write one line of CSV, without its line end."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def strict_json(value: Any) -> str:
    """Write JSON that any reader accepts: no NaN, no infinity."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
