"""Archives numbered runs as fast as it can, and reads the history now and then.

One of several writers, each a process of its own: ``archive_writer.py FOLDER FIRST COUNT``.
"""

import csv
import io
import sys
from pathlib import Path

from kreport.archive import store as archive
from kreport.archive.cache import load_history
from kreport.report.run.csv_view import OWN_COLUMNS
from kreport.report.run.layout_one import KNOWN_COLUMNS

COLUMNS = KNOWN_COLUMNS + OWN_COLUMNS


def report_of(number: int) -> bytes:
    """A report of one kernel whose latency is the number of its run."""
    cells = {
        "family": "f",
        "kernel": "k",
        "variant_label": "v",
        "baseline_status": "ok",
        "pto_status": "ok",
        "baseline_median_ms": "1.0",
        "pto_median_ms": repr(float(number + 1)),
        "run": f"run {number}",
    }
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerow(cells)
    return text.getvalue().encode()


def main(folder: Path, first: int, count: int) -> None:
    for number in range(first, first + count):
        # Several reports share each stamp, as those of hosts that start at the same second do.
        stamp = f"20260101T{number % 100 // 60:02d}{number % 60:02d}00Z"
        archive.store(folder, report_of(number), b"{}", stamp)
        if number % 20 == 0:
            load_history(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
