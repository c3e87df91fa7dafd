"""Many runs at once: a table of cases by runs, small enough to keep a thousand of each in memory.

Twenty-one bytes a cell: both medians, both statuses, the check of the port, class and blocker. That
is all that series, noise and states over time need; quartiles stay in the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kreport.identity import stamp_in
from kreport.model import Blocker, CaseKey, Correctness, KernelClass, Side, Status
from kreport.schema import IDENTITY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kreport.problems import Problem
    from kreport.schema import RunTable

    Floats = NDArray[np.float64]
    Codes = NDArray[np.uint8]

NO_CODE = 255
"""In a table of codes: the case is not in this run, or the file does not say."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "baseline_status": tuple(Status),
    "pto_status": tuple(Status),
    "pto_correct": tuple(Correctness),
    "kernel_class": tuple(KernelClass),
    "blocker": tuple(Blocker),
}
"""What the codes of each table stand for: positions in these tuples."""
MEDIANS = ("baseline_ms", "pto_ms")


@dataclass(frozen=True, slots=True)
class RunName:
    """One run of a history. `stamp` is "" where nothing dates it; `file` is where it was read."""

    run: str
    stamp: str
    file: str

    @property
    def age_key(self) -> tuple[str, tuple[tuple[int, int | str], ...]]:
        """Sorts runs oldest first: by stamp, then by name with numbers in number order."""
        parts = re.findall(r"\d+|\D+", self.run)
        return self.stamp, tuple((0, int(p)) if p.isdigit() else (1, p) for p in parts)


@dataclass(frozen=True, slots=True)
class History:
    """Cases (rows) by runs (columns, oldest first).

    `medians` holds ``baseline_ms`` and ``pto_ms``, float64, NaN where a side was not measured;
    `codes` holds uint8 positions in `WORDS`, `NO_CODE` where absent. `problems` are files that
    could not be used.
    """

    runs: tuple[RunName, ...]
    cases: tuple[CaseKey, ...]
    medians: Mapping[str, Floats]
    codes: Mapping[str, Codes]
    problems: tuple[Problem, ...] = ()
    places: Mapping[CaseKey, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", {key: i for i, key in enumerate(self.cases)})

    @property
    def ratio_pct(self) -> Floats:
        """Baseline / PTO x 100 %, NaN unless both sides were measured in that run."""
        return self.medians["baseline_ms"] / self.medians["pto_ms"] * 100.0

    def select(self, cases: Sequence[int], runs: Sequence[int]) -> History:
        """The history of some cases and runs, in the order given."""
        at = np.ix_(cases, runs)
        return History(
            runs=tuple(self.runs[i] for i in runs),
            cases=tuple(self.cases[i] for i in cases),
            medians={name: table[at] for name, table in self.medians.items()},
            codes={name: table[at] for name, table in self.codes.items()},
            problems=self.problems,
        )

    def newest(self, count: int) -> History:
        """Only runs that are among the newest `count` of some case that they know."""
        known = self.codes["pto_status"] != NO_CODE
        age = np.cumsum(known[:, ::-1], axis=1)[:, ::-1]
        kept = np.flatnonzero((known & (age <= count)).any(axis=0))
        return self.select(range(len(self.cases)), kept.tolist())

    def without(self, runs: Iterable[RunName]) -> History:
        """Only runs that are none of these, by name and date; undated ones stay."""
        known = {(run.run, run.stamp) for run in runs if run.stamp}
        kept = [i for i, run in enumerate(self.runs) if (run.run, run.stamp) not in known]
        return self.select(range(len(self.cases)), kept)

    def before(self, stamp: str) -> History:
        """Only runs older than `stamp`; all of them where `stamp` is ""."""
        kept = [i for i, run in enumerate(self.runs) if not stamp or run.stamp < stamp]
        return self.select(range(len(self.cases)), kept)


def empty() -> History:
    """A history of nothing."""
    return blank((), ())


def joined(parts: Sequence[History]) -> History:
    """Several histories as one, runs oldest first.

    A dated run of the name and date of another is that run again (reported anew with another
    matrix, or while it was still being measured): what is given last counts, and what only an
    earlier one has is kept. Runs that nothing dates are the same where they say the same.
    """
    runs = [run for part in parts for run in part.runs]
    cases = dict.fromkeys(key for part in parts for key in part.cases)
    made = blank(tuple(runs), tuple(cases))
    start = 0
    for part in parts:
        at = np.ix_([made.places[key] for key in part.cases], range(start, start + len(part.runs)))
        for name in MEDIANS:
            made.medians[name][at] = part.medians[name]
        for name in WORDS:
            made.codes[name][at] = part.codes[name]
        start += len(part.runs)
    again: dict[object, list[int]] = {}
    for i, run in enumerate(runs):
        again.setdefault(replace(run, file="") if run.stamp else _content(made, i), []).append(i)
    for *earlier, last in again.values():
        for i in reversed(earlier):
            _fill(made, last, i)
    kept = sorted((same[-1] for same in again.values()), key=lambda i: runs[i].age_key)
    problems = tuple(problem for part in parts for problem in part.problems)
    return replace(made.select(range(len(cases)), kept), problems=problems)


def _fill(made: History, run: int, other: int) -> None:
    """Take from another column what a run lacks: whole cases, so that no two reports mix in one."""
    absent = made.codes["pto_status"][:, run] == NO_CODE
    for medians in made.medians.values():
        medians[absent, run] = medians[absent, other]
    for codes in made.codes.values():
        codes[absent, run] = codes[absent, other]


def renamed(history: History, aliases: Mapping[str, str]) -> History:
    """The history with kernels under their names of now; a case known by both names is one."""
    if not any(key.kernel in aliases for key in history.cases):
        return history
    keys = [replace(key, kernel=aliases.get(key.kernel, key.kernel)) for key in history.cases]
    made = blank(history.runs, tuple(dict.fromkeys(keys)))
    for row, key in enumerate(keys):
        at = made.places[key]
        for name, table in made.medians.items():
            old = history.medians[name][row]
            table[at] = np.where(np.isnan(old), table[at], old)
        for name, codes in made.codes.items():
            code = history.codes[name][row]
            codes[at] = np.where(code == NO_CODE, codes[at], code)
    return replace(made, problems=history.problems)


def history_of(table: RunTable) -> History:
    """The runs of a run table; runs are told apart by name and date."""
    frame = table.frame
    sources = frame["source"].to_numpy().tolist()
    text = {name: frame[name].tolist() for name in (*IDENTITY, "run", "run_at")}
    runs: dict[tuple[str, str], RunName] = {}
    for run, run_at, source in zip(text["run"], text["run_at"], sources, strict=True):
        stamp = stamp_in(run_at) or stamp_in(run) or table.sources[source].stamp
        runs.setdefault((run, run_at), RunName(run, stamp, table.sources[source].name))
    keys = list(zip(*(text[name] for name in IDENTITY), strict=True))
    place_of_case = {identity: i for i, identity in enumerate(dict.fromkeys(keys))}
    place_of_run = {pair: i for i, pair in enumerate(runs)}
    at = (
        [place_of_case[identity] for identity in keys],
        [place_of_run[pair] for pair in zip(text["run"], text["run_at"], strict=True)],
    )
    made = blank(tuple(runs.values()), tuple(CaseKey(*identity) for identity in place_of_case))
    for side in Side:
        made.medians[f"{side}_ms"][at] = positive(frame[f"{side}_median_ms"].to_numpy())
    spelled = {"kernel_class": "stored_class", "blocker": "stored_blocker"}
    for name in WORDS:
        made.codes[name][at] = coded(name, frame[spelled.get(name, name)].tolist())
    return joined([replace(made, problems=table.problems)])


def coded(name: str, words: Sequence[str]) -> Codes:
    """Words as positions in `WORDS`; unknown and absent ones as `NO_CODE`."""
    known = {str(word): code for code, word in enumerate(WORDS[name])}
    return np.array([known.get(word, NO_CODE) for word in words], dtype=np.uint8)


def positive(values: Floats) -> Floats:
    """Latencies that a series can hold: finite and above zero, else NaN."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(values) & (values > 0), values, np.nan)


def _content(history: History, run: int) -> tuple[RunName, bytes]:
    values = b"".join(history.medians[name][:, run].tobytes() for name in MEDIANS)
    states = history.codes["baseline_status"][:, run].tobytes()
    return replace(history.runs[run], file=""), values + states


def blank(runs: tuple[RunName, ...], cases: tuple[CaseKey, ...]) -> History:
    """A history in which nothing is known yet of these runs and cases; its tables can be filled."""
    shape = (len(cases), len(runs))
    return History(
        runs=runs,
        cases=cases,
        medians={name: np.full(shape, np.nan) for name in MEDIANS},
        codes={name: np.full(shape, NO_CODE, dtype=np.uint8) for name in WORDS},
    )
