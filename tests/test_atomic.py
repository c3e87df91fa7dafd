"""What a reader, a second writer and a full disk find while a report is replaced."""

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kreport import atomic
from kreport.errors import OutputError

REPORT = {"a.md": b"one", "a.csv": b"two", "a.json": b"three"}


def write(folder: Path, files: dict[str, bytes] = REPORT) -> list[str]:
    return [p.name for p in atomic.write_all({folder / n: data for n, data in files.items()})]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_answers_what_changed_in_the_given_order(tmp_path):
    """Only paths whose bytes differ are answered and touched."""
    assert write(tmp_path) == ["a.md", "a.csv", "a.json"]
    assert write(tmp_path, REPORT | {"a.csv": b"changed"}) == ["a.csv"]
    assert (tmp_path / "a.csv").read_bytes() == b"changed"


def test_same_content_leaves_bytes_mtime_and_inode(tmp_path):
    """A second run of the same report is invisible to rsync, make and git."""
    write(tmp_path)
    for name in REPORT:
        os.utime(tmp_path / name, ns=(1, 1))
    before = {name: (tmp_path / name).stat() for name in REPORT}
    assert write(tmp_path) == []
    for name, old in before.items():
        new = (tmp_path / name).stat()
        assert (new.st_mtime_ns, new.st_ino) == (old.st_mtime_ns, old.st_ino)


def test_nothing_but_the_files_remains(tmp_path):
    """Lock, journal and temporaries are gone after a write."""
    write(tmp_path / "new" / "folder")
    assert names(tmp_path / "new" / "folder") == sorted(REPORT)


def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(tmp_path):
    """Reports made by cron are readable by whoever the umask allows."""
    old = os.umask(0o027)
    try:
        write(tmp_path)
        (tmp_path / "a.md").chmod(0o604)
        write(tmp_path, {"a.md": b"again"})
    finally:
        os.umask(old)
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o604


def test_a_linked_report_is_written_where_the_link_points(tmp_path):
    """The link stays a link, also into another folder and for a linked folder."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.md").write_bytes(b"old")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.md").symlink_to(tmp_path / "real" / "x.md")
    (tmp_path / "linked").symlink_to(tmp_path / "out")
    assert write(tmp_path / "linked") == list(REPORT)
    assert (tmp_path / "out" / "a.md").is_symlink()
    assert (tmp_path / "real" / "x.md").read_bytes() == b"one"
    assert names(tmp_path / "real") == ["x.md"]


def test_a_folder_in_the_way_stops_the_whole_set(tmp_path):
    """Nothing of the set is replaced when one of its files cannot be."""
    write(tmp_path)
    (tmp_path / "a.html").mkdir()
    with pytest.raises(OutputError, match="is a folder"):
        write(tmp_path, dict.fromkeys(REPORT, b"x") | {"a.html": b"x"})
    assert {name: (tmp_path / name).read_bytes() for name in REPORT} == REPORT
    assert names(tmp_path) == sorted([*REPORT, "a.html"])


@pytest.mark.parametrize("call", ["write", "fsync", "open"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_full_disk_at_any_file_leaves_the_old_set(tmp_path, monkeypatch, call, at):
    """No space for the first, second or third file: old bytes stand, no temporaries remain."""
    write(tmp_path)
    real, calls = getattr(os, call), 0

    def failing(*args, **kwargs):
        nonlocal calls
        if call != "open" or atomic.TEMPORARY_SUFFIX in str(args[0]):
            calls += 1
            if calls == at:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(tmp_path / "a.md"))
        return real(*args, **kwargs)

    monkeypatch.setattr(os, call, failing)
    with pytest.raises(OutputError, match="No space left"):
        write(tmp_path, dict.fromkeys(REPORT, b"new"))
    monkeypatch.undo()
    assert {name: (tmp_path / name).read_bytes() for name in REPORT} == REPORT
    assert names(tmp_path) == sorted(REPORT)


def test_a_real_full_disk_leaves_the_old_set(tmp_path):
    """A tmpfs of 64 kB, filled: the write is refused and the old report is whole."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        write(disk)
        with pytest.raises(OutputError, match="No space left"):
            write(disk, {name: os.urandom(30_000) for name in REPORT})
        assert {name: (disk / name).read_bytes() for name in REPORT} == REPORT
        assert names(disk) == sorted(REPORT)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(OutputError, match="Read-only"):
            write(disk, dict.fromkeys(REPORT, b"new"))
        assert {name: (disk / name).read_bytes() for name in REPORT} == REPORT
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_killed_at_every_line_the_old_or_the_new_report_stands(tmp_path):
    """A kill at each executed line: no torn file ever; the next holder of the lock sees one set.

    Before that, a mixture can only be seen between two renames.
    """
    program = Path(__file__).with_name("kill_at_every_line.py")
    # In memory where possible: a thousand syncs of a disk that others use take a minute.
    memory = Path("/dev/shm")
    folder = tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else tmp_path)
    ran = subprocess.run(
        [sys.executable, str(program), folder],
        capture_output=True, text=True, cwd=program.parents[1], check=False,
        env=os.environ | {"PYTHONPATH": str(program.parents[1])},
    )  # fmt: skip
    shutil.rmtree(folder)
    assert ran.returncode == 0, ran.stderr
    answers = json.loads(ran.stdout)
    assert len(answers) > 200
    for answer in answers:
        assert "torn" not in answer["before"]
        assert len(set(answer["recovered"])) == 1
        assert set(answer["after"]) == {"new"}
        assert answer["left"] == []
    mixed = sum(len(set(answer["before"])) > 1 for answer in answers)
    assert mixed <= 2 * (len(answers[0]["before"]) - 1) + 2
    assert {"old", "new"} == {answer["recovered"][0] for answer in answers}


@pytest.mark.parametrize("signal", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("at", [2, 3, 4])
def test_a_polite_end_between_two_renames_waits_for_the_last(tmp_path, monkeypatch, signal, at):
    """Ctrl-C and SIGTERM still end the program, with one report standing."""
    write(tmp_path)
    real, calls = Path.replace, 0

    def interrupted(self, target):
        nonlocal calls
        calls += 1
        if calls == at:
            raise signal
        return real(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(signal):
        write(tmp_path, dict.fromkeys(REPORT, b"new"))
    assert {(tmp_path / name).read_bytes() for name in REPORT} == {b"new"}
    assert names(tmp_path) == sorted(REPORT)


def test_temporaries_of_a_killed_run_are_swept_and_those_in_use_are_not(tmp_path):
    """A temporary is in use exactly while its writer lives."""
    stale = tmp_path / f".a.md.0123{atomic.TEMPORARY_SUFFIX}"
    stale.write_bytes(b"half")
    program = (
        "import sys; from pathlib import Path; from kreport import atomic\n"
        "atomic._new_temporary(Path(sys.argv[1]) / 'b.md'); print('made', flush=True)\n"
        "sys.stdin.read()"
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with writer:
        assert writer.stdout.readline() == "made\n"
        write(tmp_path)
        assert [n for n in names(tmp_path) if n.startswith(".b.md.")] != []
        writer.kill()
    write(tmp_path)
    assert names(tmp_path) == sorted(REPORT)


def test_a_journal_that_promises_strange_renames_moves_nothing(tmp_path):
    """Only a temporary, only onto its neighbour, only with the promised content."""
    (tmp_path / "secret").write_bytes(b"secret")
    wrong = tmp_path / f".a.md.99{atomic.TEMPORARY_SUFFIX}"
    wrong.write_bytes(b"not what was promised")
    steps = [
        {"temporary": "secret", "target": "a.md", "sha256": atomic._sha256(b"secret")},
        {"temporary": wrong.name, "target": "a.md", "sha256": "00"},
    ]
    (tmp_path / atomic.JOURNAL_NAME).write_text(json.dumps({"steps": steps}))
    assert atomic.unfinished(tmp_path)
    assert atomic.finish(tmp_path)
    assert not (tmp_path / "a.md").exists()
    assert (tmp_path / "secret").read_bytes() == b"secret"
    assert not atomic.unfinished(tmp_path)


def test_an_unreadable_journal_is_dropped(tmp_path):
    """Half a journal was never committed."""
    (tmp_path / atomic.JOURNAL_NAME).write_bytes(b'{"steps": [')
    with atomic.lock(tmp_path):
        pass
    assert names(tmp_path) == []
