"""Do kreport's device clocks agree with Triton's own ``do_bench``, in one process on one GPU?

    python -m bench.device.agreement bench/suites/gpu_triton.py --json agreement.json

Every side of every case is timed in turns by ``triton.testing.do_bench`` (its defaults: events,
L2 overwritten before each call, the median asked for) and by every clock of kreport. Printed: a
table of medians, the largest disagreement among kernels above 20 us, and what a sample costs.
"""

import argparse
import json
import statistics
import time
from functools import partial
from pathlib import Path

import triton.testing

from kreport.harness.clock import NotTimeable
from kreport.harness.clocks import TIMERS, open_clocks
from kreport.harness.suite import load_suite

ROUNDS = 5
SAMPLES = 100
WARMUP = 20
LONG_US = 20.0
"""Below this, one step of the event clock and the launch itself are percents of the number."""


def medians_us(work, clocks):
    """Median of round medians, per clock and for do_bench, taken in turns."""
    prepared, seen = {}, {"do_bench": []}
    for clock in clocks:
        try:
            prepared[clock] = clock.prepare(work)
            seen[clock.record.timer] = []
        except NotTimeable as reason:
            print(f"  {clock.record.timer}: {reason}")
    for _ in range(ROUNDS):
        ms = triton.testing.do_bench(work, return_mode="median")
        seen["do_bench"].append(ms * 1e3)
        for clock, ready in prepared.items():
            clock.warm_up(ready, WARMUP)
            samples = clock.samples_ms(ready, SAMPLES)
            seen[clock.record.timer].append(statistics.median(samples) * 1e3)
    return {timer: statistics.median(rounds) for timer, rounds in seen.items()}


def compare_sides(suite, clocks):
    for case in suite.cases:
        inputs = case.inputs(case.shape)
        for side, kernel in case.sides.items():
            seen = medians_us(partial(kernel, *inputs), clocks)
            apart_pct = (seen["event_cold"] / seen["do_bench"] - 1) * 100
            yield {
                "kernel": case.kernel,
                "shape": case.label,
                "side": side.value,
                "apart_pct": apart_pct,
                **{f"{timer}_us": value for timer, value in seen.items()},
            }


def sample_costs(clocks, calls=500):
    """Per clock, with work that does nothing: what a sample reads, and what taking it costs."""
    for clock in clocks:
        if clock.record.timer.startswith("graph"):
            continue
        clock.warm_up(nothing, WARMUP)
        began = time.perf_counter()
        samples = [sample for _ in range(calls // 10) for sample in clock.samples_ms(nothing, 10)]
        wall_us = (time.perf_counter() - began) / calls * 1e6
        yield {
            "timer": clock.record.timer,
            "reads_us": statistics.median(samples) * 1e3,
            "wall_us": wall_us,
        }


def nothing():
    pass


def print_table(rows):
    print(
        "| kernel | shape | side | do_bench us | event_cold us | apart | "
        + " | ".join(timer for timer in TIMERS if timer != "event_cold")
        + " |"
    )
    print("|---|---|---|---|---|---|" + "---|" * (len(TIMERS) - 1))
    for row in rows:
        others = " | ".join(
            f"{row[f'{timer}_us']:.2f}" if f"{timer}_us" in row else "n/a"
            for timer in TIMERS
            if timer != "event_cold"
        )
        print(
            f"| {row['kernel']} | {row['shape']} | {row['side']} | {row['do_bench_us']:.2f} "
            f"| {row['event_cold_us']:.2f} | {row['apart_pct']:+.2f}% | {others} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    suite = load_suite(options.suite)
    clocks, _sync = open_clocks(TIMERS, suite.device, suite.sync)
    costs = list(sample_costs(clocks))
    rows = list(compare_sides(suite, clocks))
    record = clocks[-1].record
    print(f"{record.device}, {dict(record.versions)}, flush {record.flushed_bytes >> 20} MiB")
    print_table(rows)
    long = [row for row in rows if row["do_bench_us"] > LONG_US]
    worst = max(long, key=lambda row: abs(row["apart_pct"]))
    print(
        f"\n{len(long)} of {len(rows)} above {LONG_US:g} us; furthest apart: {worst['kernel']} "
        f"{worst['shape']} {worst['side']} {worst['apart_pct']:+.2f}%"
    )
    for cost in costs:
        print(
            f"{cost['timer']}: reads {cost['reads_us']:.2f} us of nothing, "
            f"a sample costs {cost['wall_us']:.1f} us"
        )
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "costs": costs}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
