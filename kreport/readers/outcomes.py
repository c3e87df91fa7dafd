"""What happened on a side of each row: status words, output checks and latencies made one story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kreport.model import Correctness, Notice, Status
from kreport.readers.canonical import Input
from kreport.readers.coded import Coded, coded
from kreport.readers.findings import Findings
from kreport.readers.numbers import Floats
from kreport.readers.options import ReadOptions
from kreport.statuses import CORRECT_WORDS, Outcome, fold_word, status_of

Objects = npt.NDArray[np.object_]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Words:
    """A status column, looked up once a spelling: ``outcomes[i]`` is what spelling ``i`` says.

    What it says of rows is worked out when it is asked for, from as many spellings as there are.
    """

    cells: Coded
    outcomes: tuple[Outcome, ...]

    def ran(self, latency_ms: Floats) -> Flags:
        """Whether each row claims to have run: ``fail`` and its like do beside a latency only."""
        ran = self._flags(outcome.status is Status.OK for outcome in self.outcomes)
        if any(outcome.needs_latency for outcome in self.outcomes):
            ran &= ~self.wavering() | (latency_ms > 0)
        return ran

    def wavering(self) -> Flags:
        """Which rows have a word (``fail``) whose meaning depends on whether there is a latency."""
        return self._flags(outcome.needs_latency for outcome in self.outcomes)

    def good(self) -> Flags:
        """Which rows say, latency or not, that it ran, and do not say that it was wrong."""
        return self._flags(not outcome.is_bad for outcome in self.outcomes)

    def status(self, latency_ms: Floats) -> Objects:
        """`Status` values; a word that means "ran" beside a latency is ``blocked`` without one."""
        status = Coded(self.cells.codes, tuple(o.status.value for o in self.outcomes)).all()
        status[self.wavering() & ~self.ran(latency_ms)] = Status.BLOCKED.value
        return status

    def correct(self) -> Coded:
        """`Correctness` values."""
        return Coded(self.cells.codes, tuple(o.correct.value for o in self.outcomes))

    def plain(self) -> Flags:
        """Which rows have a word that says no more than its status does."""
        return self._flags(map(_is_plain, self.cells.spellings, self.outcomes))

    def at(self, rows: Ints) -> Words:
        """Return the words of some rows."""
        return Words(Coded(self.cells.codes[rows], self.cells.spellings), self.outcomes)

    def _flags(self, marked: Iterable[bool]) -> Flags:
        table = np.array([*marked, False], dtype=bool)
        return np.asarray(table[self.cells.codes])


def _is_plain(text: str, outcome: Outcome) -> bool:
    return fold_word(text) in ("", outcome.status.value, "ok", "pass", "true")


@dataclass(frozen=True, slots=True)
class StoryColumns:
    """What the file calls the columns of a side's status, latency and output check."""

    status: str
    latency: str
    correct: str = ""


@dataclass(frozen=True, slots=True)
class SideStory:
    """What became of one side in each row, as `Status` and `Correctness` values and as flags."""

    status: Objects
    correct: Objects
    ran: Flags
    """Whether the side claims to have run."""
    usable: Flags
    """Whether its latency may be believed: it ran, and the number is possible."""
    no_latency: Flags
    zero: Flags


def row_words(source: Input) -> Words | None:
    """The column ``status`` of a file, looked up; None where there is none."""
    cells = source.cells("status")
    if cells is None:
        return None
    column = source.name_of("status")
    return look_up(coded(cells), source.lines, column, source.options, source.findings)


def words_of(cells: Coded, options: ReadOptions) -> Words:
    """Look every spelling of a status column up."""
    return Words(cells, tuple(status_of(text, options.status_words) for text in cells.spellings))


def look_up(
    cells: Coded, lines: Ints, column: str, options: ReadOptions, findings: Findings
) -> Words:
    """Look every spelling of a status column up; note the words nobody knows."""
    words = words_of(cells, options)
    for row, times in _first_rows(cells, (not outcome.word_known for outcome in words.outcomes)):
        findings.note(
            "unknown-status",
            f"no status kreport knows, never taken for ok ({times})",
            line=int(lines[row]),
            column=column,
            value=cells.spellings[cells.codes[row]],
            hint="add it to statuses in the settings",
        )
    return words


def checks(cells: Coded, lines: Ints, column: str, findings: Findings) -> Coded:
    """A correctness column as `Correctness` values; a word nobody knows is unknown, with a note."""
    outcomes = [CORRECT_WORDS.get(fold_word(text)) for text in cells.spellings]
    for row, times in _first_rows(cells, (outcome is None for outcome in outcomes)):
        findings.note(
            "unknown-correctness",
            f"neither passed nor failed: taken as unknown ({times})",
            line=int(lines[row]),
            column=column,
            value=cells.spellings[cells.codes[row]],
        )
    return Coded(cells.codes, tuple((found or Correctness.UNKNOWN).value for found in outcomes))


def _first_rows(cells: Coded, marked: Iterable[bool]) -> Iterator[tuple[int, str]]:
    """The first row of each spelling that is marked, and how many rows have it, in words.

    Spellings of which every row is set aside are left out.
    """
    wanted = np.flatnonzero([*marked])
    if not len(wanted):
        return
    rows = np.arange(len(cells.codes))
    first = np.zeros(len(cells.spellings), dtype=np.int64)
    first[cells.codes[::-1]] = rows[::-1]  # so that the first row has the last word
    times = cells.uses()
    for code in wanted.tolist():
        if times[code]:
            yield int(first[code]), "1 row" if times[code] == 1 else f"{times[code]} rows"


def claimed_status(words: Words | None, latency_ms: Floats) -> Objects:
    """What each row says of itself, as `Status` values.

    Without a status column a row with a latency ran, and one without is ``missing``.
    """
    if words is not None:
        return words.status(latency_ms)
    absent = np.isnan(latency_ms)
    return np.where(absent, Status.MISSING.value, Status.OK.value).astype(object)


def retold(words: Words, story: SideStory, reasons: Objects) -> Objects:
    """The reasons, with a status word in the place of an absent one where it says why."""
    odd = (reasons == "") & ~words.plain()
    odd &= (story.status != Status.OK.value) | (story.correct == Correctness.FAIL.value)
    rows = np.flatnonzero(odd)
    told = reasons.copy()
    told[rows] = [f"status: {word.strip()}" for word in words.cells.at(rows)]
    return told


def tell(
    words: Words | None,
    correct: Coded | None,
    median_ms: Floats,
    lines: Ints,
    columns: StoryColumns,
    findings: Findings,
) -> SideStory:
    """Make one story of the status word, output check and latency of a side in each row."""
    said = None if words is None else words.correct().all()
    checked = None if correct is None else correct.all()
    status = claimed_status(words, median_ms)
    return settle(status, either(said, checked), median_ms, lines, columns, findings)


def either(said: Objects | None, checked: Objects | None) -> Objects | None:
    """One `Correctness` of what a status word says and what a check says: a failure wins."""
    if said is None or checked is None:
        return checked if said is None else said
    silent = said == Correctness.UNKNOWN.value
    return np.where(silent | (checked == Correctness.FAIL.value), checked, said).astype(object)


def settle(
    status: Objects,
    correct: Objects | None,
    median_ms: Floats,
    lines: Ints,
    columns: StoryColumns,
    findings: Findings,
) -> SideStory:
    """Hold what a side says of itself against its latency (ms; NaN for none).

    A latency of zero is impossible, and one beside a status that did not run contradicts it: both
    make the side ``invalid``, with a note. Only a side that ran can have passed or failed its
    check. `correct` is None where nothing tells.
    """
    if correct is None:
        correct = np.full(len(median_ms), Correctness.UNKNOWN.value, dtype=object)
    status = status.copy()
    timed = median_ms > 0
    ran = status == Status.OK.value
    # a wrong result is often reported without a time: zero is a placeholder there
    zero = (median_ms == 0) & (correct != Correctness.FAIL.value)
    _report_contradictions(status, timed, zero, median_ms, lines, columns, findings)
    impossible = (ran & zero) | (~ran & timed)
    no_latency = ran & (np.isnan(median_ms) | ((median_ms == 0) & ~zero))
    status[impossible] = Status.INVALID.value
    told = np.where(status == Status.OK.value, correct, Correctness.UNKNOWN.value).astype(object)
    return SideStory(status, told, ran, ran & timed, no_latency, ran & zero)


def _report_contradictions(
    status: Objects,
    timed: Flags,
    zero: Flags,
    median_ms: Floats,
    lines: Ints,
    columns: StoryColumns,
    findings: Findings,
) -> None:
    silent = (status == Status.OK.value) | (status == Status.INVALID.value)
    for index in np.flatnonzero(~silent & timed):
        findings.note(
            "latency-without-run",
            f"a latency beside status {status[index]}: the side is invalid, its latency unused",
            line=int(lines[index]),
            column=columns.status,
            value=f"{median_ms[index]:g} ms",
        )
    for index in np.flatnonzero((status == Status.OK.value) & zero):
        findings.note(
            "zero-latency",
            "a latency of zero is no measurement: the side is invalid, its latency unused",
            line=int(lines[index]),
            column=columns.latency,
        )


def joined_notices(flags: dict[Notice, Flags], count: int) -> Objects:
    """The notices of each row joined with ";", in the order given."""
    joined = np.full(count, "", dtype=object)
    for notice, where in flags.items():
        for index in np.flatnonzero(where):
            joined[index] = f"{joined[index]};{notice.value}" if joined[index] else notice.value
    return joined
