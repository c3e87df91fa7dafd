"""The class of a kernel over time, as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kreport import stamps
from kreport.report.text import one_line
from kreport.trend.states import State, states_of

if TYPE_CHECKING:
    from kreport.archive.history import History, RunName
    from kreport.kernels import KernelResult
    from kreport.report.catalogue import Catalogue


def states_text(states: Sequence[State], history: History, text: Catalogue) -> str:
    """``tile-first until 2026-03-11 ..., PTO-blocked for 3 runs``; "" where nothing changed."""
    if len(states) < 2:
        return ""
    before, now = states[-2:]
    return text(
        "history.changed" if now.runs > 1 else "history.changed_newest",
        before=_class(before, text),
        until=_run(history.runs[before.last], text),
        now=_class(now, text),
        n=now.runs,
    )


def history_teller(past: History, text: Catalogue) -> Callable[[KernelResult], str]:
    """A function that says of a kernel in a new report how its class came to be, or "".

    `past` are the runs before the reported one (`History.before`); the report itself counts as
    one more run.
    """
    known = states_of(past)

    def tell(kernel: KernelResult) -> str:
        states = known.get((kernel.family, kernel.name), ())
        if not states:
            return ""
        if states[-1].kernel_class is kernel.kernel_class:
            if len(states) < 2:
                return ""
            before, runs = states[-2], states[-1].runs + 1
        else:
            before, runs = states[-1], 1
        return text(
            "history.changed" if runs > 1 else "history.changed_now",
            before=_class(before, text),
            until=_run(past.runs[before.last], text),
            now=text(f"class.{kernel.kernel_class}"),
            n=runs,
        )

    return tell


def _class(state: State, text: Catalogue) -> str:
    name = text(f"class.{state.kernel_class}")
    return f"{name} ({text(f'blocker.{state.blocker}')})" if state.blocker else name


def _run(run: RunName, text: Catalogue) -> str:
    return stamps.readable(run.stamp) or text("history.run", run=one_line(run.run, 40))
