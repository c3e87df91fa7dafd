"""Kills a writer at every line it executes and says what a reader finds; prints JSON.

A program of its own because it forks, which a test process with threads must not.
"""

import json
import os
import sys
from pathlib import Path

from kreport import atomic, lock

WATCHED = {atomic.__file__, lock.__file__}
NAMES = ("r.md", "r.csv", "r.json")


def content(version: str) -> dict[str, bytes]:
    return {name: f"{version} of {name}".encode() * 50 for name in NAMES}


def write(folder: Path, version: str) -> tuple[Path, ...]:
    return atomic.write_all({folder / name: data for name, data in content(version).items()})


def versions(folder: Path) -> list[str]:
    """Per file ``old``, ``new``, or ``torn`` for anything else."""
    known = {data: v for v in ("old", "new") for data in content(v).values()}
    return [known.get((folder / name).read_bytes(), "torn") for name in NAMES]


def die_at(line: int) -> None:
    seen = 0

    def tracer(frame, event, argument):
        nonlocal seen
        if frame.f_code.co_filename not in WATCHED:
            return None
        if event == "line":
            seen += 1
            if seen == line:
                os._exit(9)
        return tracer

    sys.settrace(tracer)


def one(folder: Path, line: int) -> dict[str, object]:
    write(folder, "old")
    child = os.fork()
    if child == 0:
        die_at(line)
        write(folder, "new")
        os._exit(0)
    killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    before = versions(folder)
    with atomic.lock(folder):
        recovered = versions(folder)
    write(folder, "new")
    return {
        "killed": killed,
        "before": before,
        "recovered": recovered,
        "after": versions(folder),
        "left": sorted(p.name for p in folder.iterdir() if p.name not in NAMES),
    }


def main(folder: Path) -> None:
    answers = []
    while not answers or answers[-1]["killed"]:
        answers.append(one(folder, len(answers) + 1))
    print(json.dumps(answers))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
