"""Replacing the files of a report so that a reader, or a kill, never meets half of one.

A file: written whole to a temporary file in the same folder, synced, then renamed over the old one.
A set of files: all temporaries first, then a journal that names them, then the renames one after
the other with nothing in between. The journal is the point of no return: killed before it, the old
set stands and the temporaries are swept by the next run; killed after it, the next to take the
folder's lock finishes the renames before it does anything else. The code that finishes is the code
that commits.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kreport.errors import OutputError
from kreport.lock import Busy, Held, hold, is_held

JOURNAL_NAME = ".kreport-journal.json"
TEMPORARY_SUFFIX = ".kreport-tmp"

_WAIT_S = 60.0
_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""What file systems that cannot sync a folder answer."""


@contextmanager
def lock(folder: Path, wait_s: float = 0.0) -> Iterator[Held | Busy]:
    """The lock of `kreport.lock.hold`; once held, what a killed run left half done is finished."""
    with hold(folder, wait_s) as answer:
        if isinstance(answer, Held):
            finish(folder)
        yield answer


@contextmanager
def lock_or_fail(folder: Path, wait_s: float) -> Iterator[Held]:
    """`lock` for those who cannot do without: `OutputError` where it is not free in `wait_s`."""
    with lock(folder, wait_s) as answer:
        if isinstance(answer, Busy):
            raise OutputError(f"{answer}; gave up after {wait_s:.0f} s")
        yield answer


def write_all(files: Mapping[Path, bytes]) -> tuple[Path, ...]:
    """Make every path hold its bytes; answers the paths that really changed, in the given order.

    A path that holds its bytes already keeps them and its mtime. Links are followed, so the file a
    link points to is replaced and the link stays. A new file gets the mode of the umask, an old one
    keeps its own. Several files are replaced under the lock of the first one's folder. Raises
    `OutputError` when something cannot be written; the old files then stand untouched.
    """
    targets = {Path(os.path.realpath(path)): content for path, content in files.items()}
    if not targets:
        return ()
    home = next(iter(targets)).parent
    with _alone(home, needed=len(targets) > 1):
        sweep(target.parent for target in targets)
        changed = {path: content for path, content in targets.items() if not holds(path, content)}
        _replace(home, changed)
    return tuple(path for path in files if Path(os.path.realpath(path)) in changed)


def finish(folder: Path) -> bool:
    """Carry out the renames that a journal in `folder` promises; True if there was one.

    Only for the holder of the folder's lock. A journal whose temporaries are not what it says (a
    disk that lied about syncing) is dropped: no file is ever replaced by something unknown.
    """
    journal = folder / JOURNAL_NAME
    try:
        steps = _steps(journal)
        if steps is None:
            return False
        open_steps = [step for step in steps if step.temporary.exists()]
        if all(_sha256(step.temporary.read_bytes()) == step.sha256 for step in open_steps):
            with _old_ones_held(open_steps):
                for step in open_steps:
                    step.temporary.replace(step.target)
            for home in dict.fromkeys(step.target.parent for step in steps):
                _sync_folder(home)
        journal.unlink(missing_ok=True)
    except OSError as error:
        raise _refusal(Path(error.filename or folder), error) from error
    return True


def holds(path: Path, content: bytes) -> bool:
    """Whether a file has these very bytes; one that is gone or cannot be read has not."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def unfinished(folder: Path) -> bool:
    """Whether a killed run left a journal in `folder`: its files may be of two reports."""
    return (folder / JOURNAL_NAME).exists()


def sweep(folders: Iterable[Path]) -> None:
    """Remove temporaries of killed runs. One in use is locked by its writer and stays."""
    for folder in dict.fromkeys(folders):
        promised = {step.temporary.name for step in _steps(folder / JOURNAL_NAME) or ()}
        for path in sorted(folder.glob(f".*{TEMPORARY_SUFFIX}")):
            if path.name not in promised:
                _remove_if_unused(path)


@dataclass(frozen=True, slots=True)
class _Step:
    temporary: Path
    target: Path
    sha256: str


def _replace(home: Path, files: Mapping[Path, bytes]) -> None:
    steps: list[_Step] = []
    descriptors: list[int] = []
    committed = False
    try:
        for target, content in files.items():
            step, descriptor = _written(target, content)
            steps.append(step)
            descriptors.append(descriptor)
        if len(steps) > 1:
            _write_journal(home, steps)
            committed = True
            _finish_even_if_interrupted(home)
        elif steps:
            steps[0].temporary.replace(steps[0].target)
            _sync_folder(home)
    except OSError as error:
        raise _refusal(Path(error.filename or home), error) from error
    finally:
        if not committed:
            _discard(step.temporary for step in steps)
        for descriptor in descriptors:
            os.close(descriptor)


@contextmanager
def _old_ones_held(steps: Iterable[_Step]) -> Iterator[None]:
    """A second name for every old file while it is replaced.

    A rename that frees a file waits for the disk: with five of them a reader could find files of
    two reports for ten milliseconds. Freed afterwards, that is a twentieth of one.
    """
    links = [
        (step.target, step.temporary.with_name(f"{step.temporary.name}-old{TEMPORARY_SUFFIX}"))
        for step in steps
    ]
    for target, link in links:
        with contextlib.suppress(OSError):  # no old one, or a file system without links
            os.link(target, link)
    try:
        yield
    finally:
        _discard(link for _, link in links)


def _finish_even_if_interrupted(home: Path) -> None:
    try:
        finish(home)
    except (KeyboardInterrupt, SystemExit):  # the latter is how SIGTERM arrives
        finish(home)
        raise


def _written(target: Path, content: bytes) -> tuple[_Step, int]:
    """A synced temporary beside `target`, and its descriptor, still locked against sweepers."""
    _check_target(target)
    temporary, descriptor = _new_temporary(target)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.fchmod(descriptor, target.stat().st_mode & 0o7777)
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except BaseException as error:
        _discard([temporary])
        os.close(descriptor)
        if isinstance(error, OSError):
            raise _refusal(target, error) from error
        raise
    return _Step(temporary, target, _sha256(content)), descriptor


def _new_temporary(target: Path) -> tuple[Path, int]:
    while True:
        name = f".{target.name[:100]}.{secrets.token_hex(6)}{TEMPORARY_SUFFIX}"
        temporary = target.parent / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # 0o666 less the umask by the kernel: no need to ask for the umask by changing it.
            descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        except OSError as error:
            raise _refusal(target, error) from error
        with contextlib.suppress(OSError):  # a share without locks: only sweeping is less careful
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return temporary, descriptor
        os.close(descriptor)  # swept between our open and our lock


def _check_target(target: Path) -> None:
    if target.is_dir():
        raise OutputError(f"{target}: is a folder, so no file can be written there")
    if target.exists() and not target.is_file():
        raise OutputError(f"{target}: is a device or a pipe, which must not be replaced by a file")


def _write_journal(home: Path, steps: Iterable[_Step]) -> None:
    rows = [
        {
            "temporary": os.path.relpath(step.temporary, home),
            "target": os.path.relpath(step.target, home),
            "sha256": step.sha256,
        }
        for step in steps
    ]
    made, descriptor = _written(home / JOURNAL_NAME, json.dumps({"steps": rows}).encode())
    try:
        made.temporary.replace(made.target)
        _sync_folder(home)
    except BaseException:
        _discard([made.temporary, made.target])
        raise
    finally:
        os.close(descriptor)


def _steps(journal: Path) -> tuple[_Step, ...] | None:
    """What the journal promises; None where there is none. An unreadable one promises nothing.

    A step is only taken from a temporary to its neighbour: a forged journal moves nothing else.
    """
    try:
        rows = json.loads(journal.read_bytes())["steps"]
        home = journal.parent
        steps = [_Step(home / r["temporary"], home / r["target"], r["sha256"]) for r in rows]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return ()
    return tuple(
        step
        for step in steps
        if step.temporary.parent == step.target.parent
        and step.temporary.name.endswith(TEMPORARY_SUFFIX)
    )


@contextmanager
def _alone(home: Path, *, needed: bool) -> Iterator[None]:
    if not needed or is_held(home):
        yield
        return
    with lock_or_fail(home, _WAIT_S):
        yield


def _remove_if_unused(path: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(descriptor)


def _discard(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _refusal(path: Path, error: OSError) -> OutputError:
    return OutputError(f"{path}: cannot be written: {error.strerror or error}; the old one stands")
