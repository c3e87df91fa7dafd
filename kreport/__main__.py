"""Entry point of the ``kreport`` command."""

from __future__ import annotations

import sys

from kreport import __version__


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        # Answered before anything is imported: scripts ask this often.
        sys.stdout.write(f"kreport {__version__}\n")
        return 0
    from kreport.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
