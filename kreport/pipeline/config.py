"""``kreport config``: every setting, its value and the place it came from."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from kreport.errors import ExitCode

if TYPE_CHECKING:
    from kreport.settings import Loaded

JSON_VERSION = 1


def show_settings(loaded: Loaded, output: str) -> int:
    """Write the settings to standard output as aligned text or as JSON."""
    values = dataclasses.asdict(loaded.settings)
    if output == "json":
        settings = {
            name: {"value": value, "origin": loaded.origins[name]} for name, value in values.items()
        }
        json.dump({"version": JSON_VERSION, "settings": settings}, sys.stdout, indent=2)
        sys.stdout.write("\n")
        return ExitCode.DONE
    shown = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    name_width = max(map(len, shown))
    value_width = min(max(map(len, shown.values())), 40)
    for name, text in shown.items():
        sys.stdout.write(f"{name:{name_width}}  {text:{value_width}}  {loaded.origins[name]}\n")
    return ExitCode.DONE
