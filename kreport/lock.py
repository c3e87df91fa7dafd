"""One writer a folder: an advisory lock that a killed holder cannot leave behind.

The kernel drops an flock when its process ends, however it ends, so a lock is never stale and
nobody has to guess from a pid or an age. The file itself is removed on release; one that a killed
process left is empty of meaning and is taken over by the next.

On NFS, Linux turns flock into a byte-range lock of the server, which works between hosts where the
server has its lock service running; a share without one answers ENOLCK and is refused here.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kreport.errors import OutputError

LOCK_NAME = ".kreport.lock"

_held: set[Path] = set()


@dataclass(frozen=True, slots=True)
class Held:
    """The asking process is the only writer of `folder`."""

    folder: Path


@dataclass(frozen=True, slots=True)
class Busy:
    """Another process is writing `folder`. A result, not an error: whoever asked may go home."""

    folder: Path
    holder: str
    """``process 4711 on bench7 since 2026-03-21T02:41:11Z``; "" where the file does not say."""

    def __str__(self) -> str:
        by = f" by {self.holder}" if self.holder else ""
        return f"{self.folder} is being written{by}"


@contextmanager
def hold(folder: Path, wait_s: float = 0.0) -> Iterator[Held | Busy]:
    """Take the lock of `folder` (made if absent), waiting up to `wait_s` seconds for it.

    Yields `Held`, or `Busy` when the time is up. Not re-entrant: asked twice by one process, the
    second is `Busy`. Raises `OutputError` where the folder cannot be written or cannot be locked.
    """
    home = _made(folder)
    descriptor = _taken_within(home / LOCK_NAME, wait_s)
    if descriptor is None:
        yield Busy(folder, holder(folder))
        return
    try:
        _held.add(home)
        yield Held(folder)
    finally:
        _held.discard(home)
        # Removed while still held: whoever waits on this file sees that it is gone and starts anew.
        with contextlib.suppress(OSError):
            (home / LOCK_NAME).unlink()
        os.close(descriptor)


def is_held(folder: Path) -> bool:
    """Whether this very process holds the lock of `folder`."""
    return Path(os.path.realpath(folder)) in _held


def holder(folder: Path) -> str:
    """Who wrote the lock file of `folder` last; "" where there is none or it cannot be read."""
    try:
        said = json.loads((folder / LOCK_NAME).read_text(encoding="utf-8"))
        return f"process {said['pid']} on {said['host']} since {said['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def probe(folder: Path) -> Busy | None:
    """`Busy` when somebody holds the lock of `folder` right now, else None. Writes nothing."""
    try:
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _try(descriptor) else Busy(folder, holder(folder))
    finally:
        os.close(descriptor)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot make this folder: {error.strerror}") from error
    return Path(os.path.realpath(folder))


def _taken_within(path: Path, wait_s: float) -> int | None:
    deadline = time.monotonic() + wait_s
    while True:
        descriptor = _taken(path)
        if descriptor is not None:
            return descriptor
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        time.sleep(min(left, random.uniform(0.002, 0.02)))


def _taken(path: Path) -> int | None:
    """An open, locked descriptor of the file that is at `path` now; None when it is taken."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError(f"{path.parent}: cannot write here: {error.strerror}") from error
    try:
        if _try(descriptor) and _is_at(descriptor, path):
            _sign(descriptor)
            return descriptor
    except OSError as error:
        os.close(descriptor)
        raise OutputError(f"{path}: cannot lock this folder: {error.strerror}") from error
    os.close(descriptor)
    return None


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    """False when the last holder removed the file between our open and our lock."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _sign(descriptor: int) -> None:
    """Says who holds the lock. On a full disk the lock holds without a signature."""
    since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    said = {"pid": os.getpid(), "host": os.uname().nodename, "since": since}
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(said).encode(), 0)
