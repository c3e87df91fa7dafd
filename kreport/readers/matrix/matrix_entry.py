"""From the named fields of one row of a kernel-state matrix to a `MatrixEntry`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from kreport.identity import canonical
from kreport.model import MatrixEntry
from kreport.readers.findings import Findings

FIELD_NAMES = {
    "name": "kernel name kernel_name",
    "primary_class": "class primary_class",
    "scalar_hot_path": "scalar_hot_path",
    "baseline_status": "baseline baseline_status",
    "pto_status": "pto pto_status state status",
    "family": "family",
    "scalar_matches": "scalar_matches",
    "gap_ids": "gap_ids",
    "report_path": "latest report_path report",
    "shape": "shape shape_summary",
}
"""Field of `MatrixEntry` -> folded column or key names, the most telling first.

A matrix has more columns, such as its waves; what no report is made of is not read.
"""

FIELD_OF = {name: field for field, names in FIELD_NAMES.items() for name in names.split()}

_YES = frozenset({"yes", "true", "1", "y"})
_NO = frozenset({"no", "false", "0", "n"})
_NOTHING = frozenset({"", "n/a", "na", "null", "none", "-", "nan"})


def entry_of(fields: Mapping[str, Any], line: int | None, findings: Findings) -> MatrixEntry | None:
    """Build an entry; None, with the row set aside, where it names no kernel."""
    name = _text(fields.get("name"))
    if not name:
        findings.set_aside("no-kernel-name", "the row names no kernel", line=line)
        return None
    return MatrixEntry(
        name=name,
        primary_class=_text(fields.get("primary_class")),
        scalar_hot_path=_flag(fields.get("scalar_hot_path"), name, line, findings),
        baseline_status=_text(fields.get("baseline_status")),
        pto_status=_text(fields.get("pto_status")),
        family=_text(fields.get("family")),
        scalar_matches=_list(fields.get("scalar_matches"), ";"),
        gap_ids=_list(fields.get("gap_ids"), ","),
        report_path=_text(fields.get("report_path")),
        line=line,
        shape=canonical(fields.get("shape")),
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(str(value).split())


def _flag(value: Any, name: str, line: int | None, findings: Findings) -> bool | None:
    word = _text(value).casefold()
    if word in _YES or word in _NO:
        return word in _YES
    if word not in _NOTHING:
        findings.note(
            "unknown-flag",
            f"scalar hot path of {name} is neither yes nor no: taken as not said",
            line=line,
            column="scalar hot path",
            value=word,
        )
    return None


def _list(value: Any, separator: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        text = value.strip().strip("`")
        if text[:1] == "[":
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                return (text,)
        else:
            value = re.split(rf"\s*{separator}\s*", text)
    items = value if isinstance(value, list) else [value]
    return tuple(_text(item) for item in items if _text(item))
