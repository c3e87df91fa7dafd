"""Alarms against power as a picture: a point a rule, a line for the levels of the noise model."""

from __future__ import annotations

from pathlib import Path

import matplotlib

from bench.verdicts.trials import KREPORT, UNCONFIRMED, Scores

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # the backend is chosen first

FLOOR_PCT = 0.05
MARKS = "o^svDP*XhH<>"


def draw(
    scores: Scores,
    curves: dict[str, list[tuple[float, float, float]]],
    path: Path,
    title: str,
) -> None:
    """One panel a clock; alarms on a log axis, none drawn at the left edge."""
    clocks = sorted({clock for _, clock in scores})
    figure, panels = plt.subplots(1, len(clocks), figsize=(5 * len(clocks), 4.6), sharey=True)
    for panel, clock in zip([panels] if len(clocks) == 1 else panels, clocks, strict=True):
        line = curves[clock]
        panel.plot(
            [max(alarms, FLOOR_PCT) for _, alarms, _ in line],
            [found for _, _, found in line],
            color="tab:blue",
            linewidth=1,
            label="noise model, other levels",
        )
        for mark, rule in zip(
            MARKS, sorted({rule for rule, _ in scores} - {UNCONFIRMED}), strict=False
        ):
            score = scores[rule, clock]
            panel.plot(
                max(score.alarm_pct, FLOOR_PCT),
                score.found_pct(8),
                mark,
                markersize=11 if rule == KREPORT else 7,
                label=rule,
            )
        panel.set_xscale("log")
        panel.set_xlim(FLOOR_PCT * 0.8, 100)
        panel.set_ylim(-3, 103)
        panel.set_title(clock or "latency")
        panel.set_xlabel("same code called changed, % of cases")
        panel.grid(alpha=0.3)
    figure.axes[0].set_ylabel("+8 % found, % of cases")
    figure.axes[-1].legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.suptitle(title)
    figure.savefig(path, bbox_inches="tight", dpi=110, metadata={"Software": None})
