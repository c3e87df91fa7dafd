"""One writer a folder, and no lock outlives its holder."""

import os
import signal
import subprocess
import sys
import time

import pytest

from kreport import lock
from kreport.errors import OutputError

HOLD = (
    "import sys; from pathlib import Path; from kreport import lock\n"
    "with lock.hold(Path(sys.argv[1])) as got:\n"
    "    print(type(got).__name__, flush=True); sys.stdin.read()"
)


def holding_process(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "Held\n"
    return process


def test_the_second_is_busy_and_knows_who_holds_it(tmp_path):
    """The message names process, host and start."""
    with holding_process(tmp_path) as first:
        with lock.hold(tmp_path) as second:
            assert isinstance(second, lock.Busy)
            assert f"process {first.pid} on " in str(second)
            assert not lock.is_held(tmp_path)
        assert lock.probe(tmp_path) is not None
        first.communicate("")
    with lock.hold(tmp_path) as third:
        assert isinstance(third, lock.Held)


def test_a_killed_holder_leaves_no_lock(tmp_path):
    """SIGKILL frees the folder at once, though the file is still there."""
    with holding_process(tmp_path) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert (tmp_path / lock.LOCK_NAME).exists()
    assert lock.probe(tmp_path) is None
    with lock.hold(tmp_path) as second:
        assert isinstance(second, lock.Held)
    assert list(tmp_path.iterdir()) == []


def test_waiting_ends_when_the_holder_goes(tmp_path):
    """A writer that may wait gets the folder as soon as it is free."""
    with holding_process(tmp_path) as first:
        started = time.monotonic()
        with lock.hold(tmp_path, wait_s=0.05) as second:
            assert isinstance(second, lock.Busy)
        assert time.monotonic() - started >= 0.05
        first.kill()
        with lock.hold(tmp_path, wait_s=30) as third:
            assert isinstance(third, lock.Held)


def test_the_same_process_cannot_take_it_twice(tmp_path):
    """No hidden re-entrance: two builds in one process exclude each other too."""
    with lock.hold(tmp_path) as first, lock.hold(tmp_path) as second:
        assert isinstance(first, lock.Held)
        assert isinstance(second, lock.Busy)
        assert lock.is_held(tmp_path)
    assert not lock.is_held(tmp_path)


def test_a_link_to_the_folder_is_the_same_lock(tmp_path):
    """Two names of one folder do not make two writers."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with lock.hold(tmp_path / "real"), lock.hold(tmp_path / "link") as second:
        assert isinstance(second, lock.Busy)
        assert lock.is_held(tmp_path / "link")


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path):
    """The path of the folder is in the message."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file/out"), lock.hold(tmp_path / "file" / "out"):
        pass


def test_a_lock_file_of_garbage_still_locks(tmp_path):
    """The content is only for people."""
    (tmp_path / lock.LOCK_NAME).write_bytes(b"\xff not json")
    assert lock.holder(tmp_path) == ""
    with lock.hold(tmp_path) as got:
        assert isinstance(got, lock.Held)
        assert f"process {os.getpid()}" in lock.holder(tmp_path)
