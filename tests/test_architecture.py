"""The house rules that a program can hold: import direction, import cost, names."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import kreport

PACKAGE = Path(kreport.__file__).parent

# A module may import from its own layer and from those listed before it.
LAYERS = (
    ("errors", "problems", "model", "stamps", "choices"),
    ("schema", "formula", "units", "statuses", "identity", "settings", "stats", "lock", "atomic"),
    ("readers", "noise", "cases", "harness"),
    ("classify",),
    ("kernels",),
    ("archive",),
    ("trend",),
    ("overview", "verdicts", "health"),
    ("run_report",),
    ("prometheus", "report"),
    ("pipeline",),
    ("cli",),
    ("__main__",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def imports_of(path: Path) -> set[str]:
    """Top-level kreport modules that a file imports, at any depth of the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "kreport":
                names = [f"kreport.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("kreport.")}
    return found


def modules() -> list[Path]:
    return [path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_flow_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert own in RANK, f"{own} has no place in the flow yet: give it one in LAYERS"
    upward = {name for name in imports_of(path) if RANK.get(name, -1) > RANK[own]}
    assert not upward, f"{own} imports from further down the flow: {sorted(upward)}"


def test_no_module_hides_a_public_name() -> None:
    """A submodule `kreport.compare` would replace the function of that name once imported."""
    submodules = {module.name for module in pkgutil.iter_modules([str(PACKAGE)])}
    public = {"bench", "break_even", "compare", "compile_vs_run", "outliers", "summarize"}
    assert not submodules & public


def test_the_command_line_imports_nothing_heavy() -> None:
    """A start of the program stays cheap: the bodies of commands import what they need."""
    heavy = "{'pandas', 'numpy', 'rich', 'jinja2', 'markdown_it', 'scipy', 'torch'}"
    code = f"import sys, kreport.__main__; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
