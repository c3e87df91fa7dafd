"""``python -m bench.verdicts RUNS``: what verdicts are worth, next to the rules of other tools.

RUNS is a folder or quoted glob of sample files of the same code. Writes results.md and results.png
here. ``--rounds FILE`` adds a ``*_rounds.json`` with rounds of the same code, medians alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import combinations
from pathlib import Path

from bench.verdicts.curve import curve
from bench.verdicts.material import Material, load, write_rounds
from bench.verdicts.trials import EFFECTS_PCT, KREPORT, UNCONFIRMED, Scores, run_trials
from kreport.model import Verdict
from kreport.readers import read_runs
from kreport.verdicts import Inputs, Question, compare_runs

HERE = Path(__file__).parent
CURVE_TRIALS = 60


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.verdicts", description=__doc__)
    parser.add_argument("runs", metavar="RUNS")
    parser.add_argument("--old", type=int, default=10, help="old runs of the larger set-up")
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--rounds", metavar="FILE", action="append", default=[])
    parser.add_argument("--out", metavar="DIR", type=Path, default=HERE)
    asked = parser.parse_args()

    material = load(asked.runs)
    needed = asked.old + 1
    if len(material.runs) < needed:
        sys.exit(f"{asked.runs}: {len(material.runs)} runs, {needed} are needed")
    lines = [
        "# What verdicts are worth",
        "",
        f"{len(material.runs)} runs of the same code, {len(material.keys)} ports on"
        f" {len(material.clocks)} clocks, {asked.trials} draws a set-up. One new run in each draw;"
        " a random half of the ports is slowed by a factor. Alarms: same code called changed.",
        "",
    ]
    for old in (1, asked.old):
        scores = run_trials(material, old, asked.trials)
        lines += _section(scores, old)
    lines += _curves(material, scores, asked.old, asked.out)
    for name in asked.rounds:
        lines += _rounds(Path(name))
    (asked.out / "results.md").write_text("\n".join(lines) + "\n", "utf-8")
    sys.stdout.write("\n".join(lines) + "\n")


def _section(scores: Scores, old: int) -> list[str]:
    plural = "runs" if old > 1 else "run"
    lines = [f"## {old} old {plural} against 1 new run", ""]
    heads = [f"+{effect} % found" for effect in EFFECTS_PCT]
    for clock in sorted({clock for _, clock in scores}):
        lines += [
            f"### {clock or 'latency'}",
            "",
            f"| rule | alarms | {' | '.join(heads)} |",
            "| --- | ---: | ---: | ---: |",
        ]
        others = sorted({rule for rule, _ in scores} - {KREPORT, UNCONFIRMED})
        for rule in (KREPORT, UNCONFIRMED, *others):
            score = scores[rule, clock]
            if rule == UNCONFIRMED and old > 1:
                continue
            cells = [f"{score.alarm_pct:.1f} %"]
            cells += [f"{score.found_pct(effect):.1f} %" for effect in EFFECTS_PCT]
            lines.append(f"| {rule} | {' | '.join(cells)} |")
        printed = scores[KREPORT, clock].at_printed
        if printed:
            share = 100 * sum(printed) / len(printed)
            lines += [
                "",
                f"A slowdown of exactly the printed detectable effect is found in {share:.1f} %.",
            ]
        lines.append("")
    return lines


def _curves(material: Material, scores: Scores, old: int, out: Path) -> list[str]:
    from bench.verdicts.picture import draw

    curves = {clock: curve(material, clock, old, CURVE_TRIALS) for clock in material.clocks}
    draw(scores, curves, out / "results.png", f"{old} old runs against 1 new run")
    lines = ["## Alarms against power", "", "![alarms against power](results.png)", ""]
    for clock, points in curves.items():
        lines += [
            f"### {clock or 'latency'}, other levels of a single test",
            "",
            "| level | alarms | +8 % found |",
            "| ---: | ---: | ---: |",
            *(f"| {level:g} | {alarms:.2f} % | {found:.1f} % |" for level, alarms, found in points),
            "",
        ]
    return lines


def _rounds(report: Path) -> list[str]:
    """Rounds of the same code, medians alone: every split into old and new rounds."""
    lines = [f"## Rounds of the same code: {report.name}", ""]
    lines += [
        "| old | new | cases | confirmed alarms | cannot tell |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        rounds = write_rounds(report, Path(folder))
        if len(rounds) < 2:
            return [lines[0], "", f"{len(rounds)} round only: nothing to compare.", ""]
        for size in range(1, len(rounds)):
            for old in combinations(range(len(rounds)), size):
                new = [i for i in range(len(rounds)) if i not in old]
                tables = [read_runs([str(rounds[i]) for i in part]) for part in (old, new)]
                cases = compare_runs(Inputs(*tables), Question()).cases
                alarms = sum(case.pto.changed and case.confirmed for case in cases)
                unsure = sum(case.verdict is Verdict.CANNOT_TELL for case in cases)
                names = ["+".join(str(i + 1) for i in part) for part in (old, new)]
                lines.append(f"| {names[0]} | {names[1]} | {len(cases)} | {alarms} | {unsure} |")
    return [*lines, ""]


if __name__ == "__main__":
    main()
