"""The GitHub action: its scripts run against a stand-in for ``gh``, its options exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ACTION = ROOT / ".github" / "actions" / "kreport"
GH = """#!/bin/sh
echo "$@" >> "$CALLS"
case "$*" in *--jq*) printf '%s' "$KNOWN" ;; esac
"""


def tool(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A runner's environment, with our kreport and a ``gh`` that only notes what it was asked."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    tool(bin_folder, "gh", GH)
    tool(bin_folder, "kreport", f'#!/bin/sh\nexec "{sys.executable}" -m kreport "$@"\n')
    (tmp_path / "old.csv").write_text("kernel,shape,baseline_us,pto_us,status\nk,m,10,20,OK\n")
    (tmp_path / "new.csv").write_text(
        "kernel,shape,baseline_us,pto_us,status\nl,m,10,20,OK\nk,m,10,20,OK\n"
    )
    return os.environ | {
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "CALLS": str(tmp_path / "calls"),
        "KNOWN": "",
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_REPOSITORY": "owner/kernels",
        "PULL_REQUEST": "7",
        "OLD": str(tmp_path / "old.csv"),
        "NEW": str(tmp_path / "new.csv"),
    }


def run(script: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ACTION / script)], env=environment, capture_output=True, text=True, check=False
    )


def outputs(environment: dict[str, str]) -> dict[str, str]:
    lines = Path(environment["GITHUB_OUTPUT"]).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_a_gate_is_an_output_and_the_files_are_written(environment: dict[str, str]) -> None:
    swapped = environment | {"OLD": environment["NEW"], "NEW": environment["OLD"]}
    done = run("compare.sh", swapped | {"FAIL_ON": "removed", "HISTORY": "/no/such/folder"})
    assert done.returncode == 0, done.stderr
    found = outputs(environment)
    assert found["exit-code"] == "1"
    assert Path(found["comment"]).read_text().startswith("<!-- kreport diff -->")
    assert "<testsuites" in Path(found["junit"]).read_text()


def test_an_unreadable_input_is_not_a_gate(environment: dict[str, str]) -> None:
    done = run("compare.sh", environment | {"OLD": "/no/such/file.csv", "FAIL_ON": "removed"})
    assert done.returncode == 0
    assert outputs(environment)["exit-code"] not in {"0", "1"}


@pytest.mark.parametrize(("known", "expected"), [("", "POST"), ("4711", "PATCH")])
def test_the_comment_is_written_once_and_then_replaced(
    known: str, expected: str, environment: dict[str, str], tmp_path: Path
) -> None:
    comment = tmp_path / "comment.md"
    comment.write_text("<!-- kreport diff -->\n### what changed\n")
    done = run("comment.sh", environment | {"COMMENT": str(comment), "KNOWN": known})
    assert done.returncode == 0, done.stderr
    asked, wrote = Path(environment["CALLS"]).read_text().splitlines()
    assert "repos/owner/kernels/issues/7/comments" in asked
    assert f"--method {expected}" in wrote
    assert f"body=@{comment}" in wrote
    assert ("issues/comments/4711" in wrote) == bool(known)


def test_no_input_is_pasted_into_a_command() -> None:
    """An input with a quote or a dollar sign would otherwise run in the job."""
    text = (ACTION / "action.yml").read_text()
    for command in re.findall(r"^ +run: (.*(?:\n {8,}.*)*)", text, re.MULTILINE):
        assert "${{" not in command


def test_every_option_that_the_script_uses_exists() -> None:
    from kreport.cli.diff import diff

    known = {f"--{name.replace('_', '-')}" for name in diff.__annotations__} | {"--format"}
    used = set(re.findall(r"(--[a-z-]+)", (ACTION / "compare.sh").read_text()))
    assert used <= known
