"""Links from a report to per-kernel reports: relative, and never out of the report root."""

from __future__ import annotations

import os.path
import re
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import quote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def relative_link(report_path: str, out: str, root: str) -> str | None:
    """Turn the path of a per-kernel report into a link that works beside the written report.

    Args:
        report_path: as the input has it, often absolute on the machine that measured.
        out: folder that the report is written to.
        root: folder that links must stay in.

    Returns:
        A percent-encoded relative link; None where the path is a URL, is outside the root, or
        belongs to another machine's tree that cannot be lined up with `root`.
    """
    if not report_path or _SCHEME.match(report_path) or "\\" in report_path:
        return None
    if any(ord(character) < 32 for character in report_path):
        return None
    return _link(report_path, os.path.abspath(out), os.path.abspath(root))  # noqa: PTH100


@lru_cache(maxsize=4096)  # the shapes of a kernel share one path
def _link(report_path: str, out: str, root: str) -> str | None:
    target = _inside(report_path, out, root)
    if target is None or os.path.commonpath((root, target)) != root:
        return None
    if os.path.commonpath((root, out)) != root:
        return None  # written elsewhere: a link would have to climb out of the root
    return quote(os.path.relpath(target, out))


def _inside(report_path: str, out: str, root: str) -> str | None:
    path = PurePosixPath(report_path)
    if not path.is_absolute():
        return os.path.normpath(os.path.join(root, report_path))  # noqa: PTH118
    normal = os.path.normpath(report_path)
    if os.path.commonpath((root, normal)) == root:
        return normal
    # Another machine's absolute path: its tree and ours meet at the folder that holds the reports,
    # such as bench/ of bench/generated/... and bench/reports/.
    shared = PurePosixPath(os.path.relpath(out, root)).parts[0]
    parts = PurePosixPath(normal).parts
    if shared in (".", "..") or shared not in parts:
        return None
    return os.path.join(root, *parts[parts.index(shared) :])  # noqa: PTH118
