"""The table of faults in the documentation is complete, and says nothing that the code does not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAYING = {"refuse": 0, "set_aside": 0, "note": 0, "refusal": 1, "Problem": 1}
"""What says a rule, and as which of its arguments."""


def rules_in_code() -> set[str]:
    """Every literal rule that a reader can say."""
    found = set()
    for path in (ROOT / "kreport" / "readers").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and called(node) in SAYING:
                found |= literals(node.args[SAYING[called(node)]])
            if isinstance(node, ast.Assign) and names(node.targets[0])[:1] == ["rule"]:
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                found |= literals(values[0])
    return found


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def names(target: ast.expr) -> list[str]:
    inner = target.elts if isinstance(target, ast.Tuple) else [target]
    return [name.id for name in inner if isinstance(name, ast.Name)]


def literals(node: ast.expr) -> set[str]:
    return {
        inner.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
    }


def rules_in_table() -> set[str]:
    rows = re.findall(
        r"^\|[^|]*\|([^|]*)\|", (ROOT / "docs" / "faults.md").read_text("utf-8"), re.M
    )
    return {rule for row in rows for rule in re.findall(r"`([a-z-]+)`", row)}


def test_every_rule_is_explained_and_every_explained_rule_exists() -> None:
    assert rules_in_code() == rules_in_table()
