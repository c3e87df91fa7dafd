"""Jinja, set up once: where templates are found, what they may call, how they escape.

A user's folder comes first, then the shipped templates, so that one template can be replaced and
the others stay. With a user's folder everything runs in Jinja's sandbox: a template reads its view
and does no more.
"""

from __future__ import annotations

import contextlib
import csv
import html
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    select_autoescape,
)
from jinja2.bccache import Bucket
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from kreport.errors import UsageError
from kreport.report.markup import breakable, marked
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


def template_text(template: str, user_folder: str = "") -> str:
    """Return a template as it stands, such as a style that is inlined unchanged.

    Raises:
        UsageError: it is in neither folder.
    """
    environment = _environment(user_folder)
    try:
        assert environment.loader is not None
        return environment.loader.get_source(environment, template)[0]
    except TemplateError as error:
        raise UsageError(f"{template}: no such template: {error}") from error


@cache
def _environment(user_folder: str) -> Environment:
    folders = [user_folder] if user_folder else []
    # The shipped templates need no guard, and the guard asks about every single cell.
    environment = (ImmutableSandboxedEnvironment if user_folder else Environment)(
        loader=FileSystemLoader([*folders, str(shipped_templates())]),
        undefined=StrictUndefined,
        autoescape=select_autoescape(("html", "svg", "xml"), default=False),
        bytecode_cache=_bytecode_cache("guarded" if user_folder else "shipped"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = markdown
    environment.filters["html"] = html.escape
    environment.filters["code_block"] = code_block
    environment.filters["marked"] = marked
    environment.filters["breakable"] = breakable
    environment.filters["csv_row"] = csv_row
    environment.filters["td_cells"] = td_cells
    environment.filters["strict_json"] = strict_json
    return environment


def _bytecode_cache(kind: str) -> BytecodeCache | None:
    """Keep compiled templates between runs: compiling costs more than filling them in.

    They are keyed by the text of the template, and apart by `kind`: guarded code is other code.
    No cache folder that is ours alone, no cache.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME")
    if not home or not Path(home).is_absolute():
        return None
    folder = (
        Path(home, "kreport") if "XDG_CACHE_HOME" in os.environ else Path(home, ".cache/kreport")
    )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return None
    is_ours = found.st_uid == os.getuid() and not found.st_mode & 0o022
    return _QuietCache(str(folder), f"{kind}-{jinja2.__version__}-%s.cache") if is_ours else None


class _QuietCache(FileSystemBytecodeCache):
    """A cache is an advantage, never a reason to fail: a full disk only means no cache."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except (OSError, ValueError, EOFError, TypeError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


class _Line:
    """What a CSV writer writes into: hands the line back instead of keeping it."""

    def write(self, line: str) -> str:
        """Return the line, which `csv.writer` returns in turn."""
        return line


_LINE_END = "\r\n"
"""Of a writer, which quotes the cells that hold what ends its lines: both characters, so."""
_CSV = csv.writer(_Line(), lineterminator=_LINE_END)


def csv_row(cells: Iterable[str]) -> str:
    """Write one line of CSV, without its line end."""
    line: str = _CSV.writerow(cells)
    return line.removesuffix(_LINE_END)


def td_cells(cells: Iterable[str]) -> Markup:
    """Write the cells of a row of an HTML table, escaped all at once: a page has thousands.

    Texts of a view hold no control characters, so that one can stand between cells.
    """
    return Markup(str(escape(_BETWEEN.join(["", *cells]))).replace(_BETWEEN, "<td>"))


_BETWEEN = "\x1f"


def strict_json(value: Any) -> str:
    """Write JSON that any reader accepts: no NaN, no infinity."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
