"""``kreport config``."""

from __future__ import annotations

from typing import Annotated

import typer


def config(
    output: Annotated[str, typer.Option("--format", metavar="console|json")] = "console",
) -> int:
    """Show the settings in force and where each of them comes from."""
    from kreport.pipeline.config import show_settings
    from kreport.settings import load

    return show_settings(load(), output)
