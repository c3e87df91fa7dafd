"""Run files written as JSON, turned into a table: a list of flat objects, or a report tree."""

from __future__ import annotations

import json
from typing import Any

from kreport.readers.findings import Findings
from kreport.readers.json_text import element_lines, parse_json
from kreport.readers.layouts import hyperfine, pytest_benchmark
from kreport.readers.places import places_of
from kreport.readers.rows import Table

LISTS = ("kernels", "benchmarks", "results", "rows", "cases", "runs")
"""Keys under which a file may keep its list; a bare list will do as well."""

Row = dict[str, Any]


def json_table(text: str, findings: Findings) -> Table | None:
    """Return the table that a JSON run file amounts to; None with FILE findings where it is none.

    One object is one row; a kernel with ``variants``, or with ``rounds`` of ``variant_rows``, is
    one row each of those. Results of hyperfine and pytest-benchmark are restated in kreport's own
    names. null is a blank cell. Lines are those of the list's elements.
    """
    tree = parse_json(text, findings)
    if findings.refused:
        return None
    key, elements = _elements(tree)
    if elements is None:
        findings.refuse(
            "no-runs",
            "no list of kernels in this JSON",
            hint=f"expected a list under one of {', '.join(LISTS)}",
        )
        return None
    stamp = _stamp(tree) if isinstance(tree, dict) else ""
    rows: list[tuple[int, Row]] = []
    dropped = 0
    for line, element in zip(element_lines(text, key, len(elements)), elements, strict=True):
        if isinstance(element, dict):
            rows.extend((line or 1, row) for row in _flatten(element, stamp))
        else:
            dropped += 1
            findings.set_aside(
                "not-an-object", "expected one object a row", line=line, value=element
            )
    return _table(rows, dropped, findings)


def _elements(tree: Any) -> tuple[str, list[Any] | None]:
    if isinstance(tree, list):
        return "", tree
    if isinstance(tree, dict):
        for key in LISTS:
            if isinstance(tree.get(key), list):
                return key, tree[key]
    return "", None


def _stamp(tree: Row) -> str:
    return str(tree.get("generated_at") or tree.get("datetime") or "")


def _flatten(element: Row, stamp: str) -> list[Row]:
    element = hyperfine.restate(element) or pytest_benchmark.restate(element) or element
    variants, rounds = element.get("variants"), element.get("rounds")
    if isinstance(rounds, list):
        return [
            row for number, one in enumerate(rounds) for row in _round(element, one, number, stamp)
        ]
    if isinstance(variants, list) and all(isinstance(variant, dict) for variant in variants):
        shared = _without(element, "variants")
        return _numbered([{**shared, **variant} for variant in variants or [{}]], stamp)
    return [{**element, **({"run_at": stamp} if stamp else {})}]


def _round(element: Row, one: Any, number: int, stamp: str) -> list[Row]:
    """The rows of one round of a kernel: each round is a run of its own."""
    if not isinstance(one, dict):
        return []
    shared = {
        **_without(element, "rounds", "variants", "aggregate"),
        **_without(one, "variant_rows"),
    }
    inner = one.get("variant_rows")
    rows = [row for row in inner if isinstance(row, dict)] if isinstance(inner, list) else []
    run = f"{stamp} round {one.get('round', number + 1)}".strip()
    return [{**row, "run": run} for row in _numbered([{**shared, **row} for row in rows], stamp)]


def _numbered(rows: list[Row], stamp: str) -> list[Row]:
    dated = {"run_at": stamp} if stamp else {}
    return [
        {**_without(row, "variant", "round"), "variant_index": index + 1, **dated}
        for index, row in enumerate(rows)
    ]


def _without(row: Row, *keys: str) -> Row:
    return {key: value for key, value in row.items() if key not in keys}


_RENAMED = {"baseline_limitations": "baseline_limitations_json", "latest_report_path": ""}


def _table(rows: list[tuple[int, Row]], dropped: int, findings: Findings) -> Table | None:
    rows = [(line, _renamed(row)) for line, row in rows]
    header = tuple(dict.fromkeys(key for _, row in rows for key in row))
    if not header:
        findings.refuse("empty", "the list of kernels is empty")
        return None
    return Table(
        header,
        tuple(tuple(_cell(row.get(name)) for _, row in rows) for name in header),
        places_of(line for line, _ in rows),
        1,
        len(rows) + dropped,
        True,
        ",",
        (),
    )


def _renamed(row: Row) -> Row:
    """Keys of report trees by the names of the CSV's columns."""
    named = {}
    for key, value in row.items():
        name = (
            "kernel" if key == "name" and "kernel" not in row and "iterations" not in row else key
        )
        name = _RENAMED.get(name, name)
        if name:
            named[name] = value
    return named


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)
