"""``python -m bench.fuzz [SECONDS]``: coverage-guided fuzzing of the readers with atheris.

Starts from the fixtures and keeps what reaches new code in a folder of the system's own; a
failing input is written to ``crash-*`` in the current folder. Needs the group ``fuzz``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["kreport"]):
    from bench.fuzz.examine import examine
    from kreport.readers import ReadOptions
    from kreport.readers.samples import long_file

FIXTURES = Path(__file__).parents[2] / "fixtures"
NAMES = ("run.csv", "run.json", "matrix.md", "run.csv.gz")
OPTIONS = (ReadOptions(), ReadOptions(lenient=True), ReadOptions(strict=True))
LONGEST = 6000


def main(seconds: int) -> None:
    """Fuzz for a while; the first byte of an input chooses the file name and the options."""
    folder = Path(tempfile.mkdtemp(prefix="kreport-fuzz-"))
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, path in enumerate(sorted(FIXTURES.glob("*/*/*"))):
        if path.is_file():
            kind = next((i for i, n in enumerate(NAMES) if path.name.endswith(n[-3:])), 0)
            (corpus / str(number)).write_bytes(bytes([kind]) + path.read_bytes()[:LONGEST])

    def one_input(data: bytes) -> None:
        if not data:
            return
        path = folder / NAMES[data[0] % len(NAMES)]
        path.write_bytes(data[1:])
        long_file.LONG_FILE = 0 if data[0] & 64 else 1 << 22
        examine(str(path), OPTIONS[(data[0] // len(NAMES)) % len(OPTIONS)])

    flags = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-timeout=20",
        "-rss_limit_mb=3000",
    ]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
