"""``kreport doctor``: whether the night job is healthy."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.errors import ExitCode
from kreport.health import Finding, NightJob, examine, needs_care
from kreport.pipeline.past import archive_folder
from kreport.readers import ReadOptions
from kreport.report.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kreport.settings import Settings

JSON_VERSION = 1


def doctor(settings: Settings, output: str, max_age_hours: float | None, *, quiet: bool) -> int:
    """Say how everything is that a night job rests on; exit 4 where it is stale or broken.

    `output` is ``console`` or ``json``. With `quiet`, only what needs care is said.
    """
    job = NightJob(
        inputs=settings.inputs,
        matrix=settings.matrix,
        out=Path(settings.out),
        archive=archive_folder(settings),
        prom=settings.prom,
        limits=ReadOptions.of(settings).limits,
        max_age_hours=max_age_hours,
        now_stamp=stamps.now_stamp(),
    )
    findings = examine(job)
    shown = [found for found in findings if not quiet or needs_care([found])]
    sys.stdout.write(_as_json(shown) if output == "json" else _as_text(shown))
    return ExitCode.NOTHING_COMPARABLE if needs_care(findings) else ExitCode.DONE


def _as_text(findings: Sequence[Finding]) -> str:
    return "".join(
        f"{found.health:6}  {found.subject:7}  {one_line(found.message)}\n" for found in findings
    )


def _as_json(findings: Sequence[Finding]) -> str:
    record = {
        "format": "kreport-doctor",
        "version": JSON_VERSION,
        "healthy": not needs_care(findings),
        "findings": [
            {"subject": f.subject, "health": f.health.value, "message": f.message} for f in findings
        ],
    }
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
