"""Archives numbered runs as fast as it can: one of several writers, each a process of its own."""

import sys
from pathlib import Path

from kreport import archive


def main(folder: Path, first: int, count: int) -> None:
    for number in range(first, first + count):
        # Ten writers' worth of reports share each stamp, as hosts that start at the same second do.
        stamp = f"20260101T{number % 100 // 60:02d}{number % 60:02d}00Z"
        body = f"family,kernel\nf,run number {number}\n".encode()
        archive.store(folder, body, b"{}", stamp)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
