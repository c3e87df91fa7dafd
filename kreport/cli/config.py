"""``kreport config``."""

from __future__ import annotations

from kreport.cli import options


def config(
    output: options.Format = options.ConsoleOrJson.CONSOLE,
) -> int:
    """Show the settings in force and where each of them comes from."""
    from kreport.pipeline.config import show_settings
    from kreport.settings import load

    return show_settings(load(), output.value)
