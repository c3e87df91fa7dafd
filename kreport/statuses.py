"""Status words of the field and the four statuses they mean: one table, settings extend it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kreport.model import Correctness, Status


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a status word says.

    `correct` is UNKNOWN where the word says nothing of the output check. `word_known` is False
    for a word that no table holds: it is never ``ok``, and the reader reports it.
    `needs_latency` marks words like ``fail`` that mean "ran, but wrong" beside a latency and
    "could not run" without one.
    """

    status: Status
    correct: Correctness = Correctness.UNKNOWN
    word_known: bool = True
    needs_latency: bool = False

    @property
    def is_bad(self) -> bool:
        """Whether it says that the side did not run, or was wrong."""
        return self.status is not Status.OK or self.correct is Correctness.FAIL


_RAN = Outcome(Status.OK)
_PASSED = Outcome(Status.OK, Correctness.PASS)
_WRONG = Outcome(Status.OK, Correctness.FAIL)
_FAILED = Outcome(Status.OK, Correctness.FAIL, needs_latency=True)
_BLOCKED = Outcome(Status.BLOCKED)
_ABSENT = Outcome(Status.MISSING)
_INVALID = Outcome(Status.INVALID)
UNKNOWN_WORD = Outcome(Status.INVALID, word_known=False)

_WORDS = {
    _RAN: "ok success successful succeeded done complete completed green not_verified unverified"
    " ran measured",
    _PASSED: "pass passed correct verified valid ✅ ✓ ✔",
    _WRONG: "incorrect wrong wrong_result mismatch fail_accuracy accuracy_fail accuracy_failed"
    " failed_accuracy fail_correctness correctness_fail correctness_failed numerical_error"
    " eager_two_runs_differ nondeterministic",
    _FAILED: "fail failed failure ❌ ✗",
    _BLOCKED: "blocked error err fail_to_run failed_to_run compile_error compile_failed"
    " compilation_error build_error runtime_error infra_error launch_error internal"
    " internal_error model_fail_to_load fail_to_load load_error oom cuda_oom npu_oom"
    " out_of_memory timeout timed_out hang crash crashed segfault aborted killed interrupted"
    " cancelled canceled unsupported not_supported not_implemented not_ported"
    " unavailable xfail exception nan_output device_lost",
    _ABSENT: "skip skipped not_run not_started no_run running pending queued pass_due_to_skip"
    " missing none null n/a na nan - -- — disabled deselected",
    _INVALID: "invalid",
}

STATUS_WORDS: Mapping[str, Outcome] = MappingProxyType(
    {word: outcome for outcome, words in _WORDS.items() for word in words.split()} | {"": _ABSENT}
)
"""Folded word -> what it means. ``ok`` says that it ran, ``pass`` also that its check passed."""

_CORRECT_WORDS = {
    Correctness.PASS: "true pass passed ok yes y 1 correct success verified ✅ ✓ ✔",
    Correctness.FAIL: "false fail failed no n 0 incorrect wrong mismatch ❌ ✗",
    Correctness.UNKNOWN: "unknown none null n/a na nan - -- not_verified unverified skipped skip",
}

CORRECT_WORDS: Mapping[str, Correctness] = MappingProxyType(
    {word: outcome for outcome, words in _CORRECT_WORDS.items() for word in words.split()}
    | {"": Correctness.UNKNOWN}
)
"""Folded word of a correctness column -> the outcome of the output check."""

_DETAIL = re.compile(r"^(?P<head>[^:(\[]+)[:(\[](?P<detail>.*?)[)\]]?$")
_MARKS = "✅✓✔❌✗"
_LONGEST_WORD = 200
_GAPS = re.compile(r"[\s\-]+")


def fold_word(text: str) -> str:
    """Case, outer blanks, inner blanks and hyphens folded: ``CUDA OOM`` becomes ``cuda_oom``."""
    folded = text.strip().casefold()
    return _GAPS.sub("_", folded) if len(folded) > 1 and folded.strip("-—") else folded


def status_of(text: str, extra: Mapping[str, Outcome] = STATUS_WORDS) -> Outcome:
    """What a status cell means; `extra` holds the settings' own words and wins over the table.

    ``TIMEOUT(600s)`` and ``SKIP:oom`` are judged by their head and, where the detail itself is a
    word for "could not run", by the detail. A word no table holds is `UNKNOWN_WORD`.
    """
    word = fold_word(text)
    found = extra.get(word) or STATUS_WORDS.get(word)
    if found is not None:
        return found
    if word[:1] in _MARKS and len(word) > 1:
        mark, rest = status_of(word[0], extra), status_of(word[1:].strip("_ "), extra)
        return rest if rest.word_known and mark.is_bad == rest.is_bad else UNKNOWN_WORD
    match = _DETAIL.match(" ".join(text[:_LONGEST_WORD].split()))
    if match is None or len(text) > _LONGEST_WORD:
        return UNKNOWN_WORD
    head = status_of(match["head"], extra)
    detail = fold_word(match["detail"])
    inner = extra.get(detail) or STATUS_WORDS.get(detail)
    if not head.word_known or head.status is Status.OK:
        # "ok (but ...)" hedges: a detail after a good word is no reason to believe the good word
        return head if head.needs_latency else UNKNOWN_WORD
    if inner is not None and inner.status is Status.BLOCKED:
        return inner
    return head if head.status is not Status.MISSING or "oom" not in detail else _BLOCKED


MEANINGS: Mapping[str, Outcome] = MappingProxyType(
    {
        "ok": _RAN,
        "pass": _PASSED,
        "fail": _WRONG,
        "blocked": _BLOCKED,
        "missing": _ABSENT,
        "invalid": _INVALID,
    }
)
"""What the settings can say of a word; ``fail`` is "ran, and the result is wrong"."""


def parse_status_words(settings: Mapping[str, str]) -> dict[str, Outcome]:
    """The table of `ReadOptions.status_words` from settings such as ``{"parked": "blocked"}``.

    Values are keys of `MEANINGS`: the settings refuse all others.
    """
    return {fold_word(word): MEANINGS[meaning] for word, meaning in settings.items()}
