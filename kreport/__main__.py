"""Entry point of the ``kreport`` command."""

from __future__ import annotations

import gc
import os
import sys

from kreport import __version__


def main() -> int:
    """Run the command line; leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        # Answered before anything is imported: scripts ask this often.
        try:
            sys.stdout.write(f"kreport {__version__}\n")
            sys.stdout.flush()
        except (AttributeError, OSError, ValueError):
            from kreport.errors import ExitCode

            return _leave(ExitCode.INPUT)  # standard output is closed or full
        return 0
    # Importing the numeric libraries makes a million objects that live to the end: looking for
    # cycles among them again and again is a tenth of a small build.
    gc.set_threshold(500_000, 20, 100)
    try:
        from kreport.cli.app import run
    except ImportError as error:
        from kreport.errors import ExitCode

        # Never 1, which a CI server would take for a gate.
        sys.stderr.write(f"kreport: this installation is incomplete: {error}\n")
        return ExitCode.BUG

    return _leave(run(sys.argv[1:]))


def _leave(code: int) -> int:
    """End the process now: taking all those modules apart would cost a fifth of a small build.

    Whatever a command opened it has closed by now; a thread still running is waited for as usual.
    """
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return code
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # closed before we began
                stream.flush()
        except (OSError, ValueError):
            code = code or 128 + 13  # the reader of our output went away at the very end
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
