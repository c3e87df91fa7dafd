"""Do kreport's device clocks agree with Triton's own ``do_bench``, in one process on one GPU?

    python -m bench.device.agreement bench/suites/gpu_triton.py --json agreement.json

Every side of every case is timed by ``triton.testing.do_bench`` (its defaults, the median:
25 ms of warm-up, 100 ms of samples, the L2 overwritten before each) and by the clocks of kreport,
``event_cold`` with as much warm-up and as many samples. Their order is shuffled and the GPU rests
before each. A second ``event_cold`` does not fill the queue, as do_bench does not. Printed: medians
in microseconds as they come, what disagrees above 20 us, and what a sample costs.

Two kinds of kernels disagree for a reason. One of several launches takes the host longer to queue
than the flush takes the device: do_bench then times the gaps between its parts. And a matrix
product that meets the power limit slows down while it is timed, the longer the more.
"""

import argparse
import json
import math
import random
import statistics
import time
from functools import partial
from pathlib import Path

import triton.testing

from kreport.harness.clock import NotTimeable
from kreport.harness.clocks import TIMERS, open_clocks
from kreport.harness.device import EventClock, open_device
from kreport.harness.suite import load_suite

ROUNDS = 3
SAMPLES = 100
WARMUP = 20
DO_BENCH_WARMUP_MS, DO_BENCH_MS = 25, 100
REST_S = 0.02
LONG_US = 20.0
"""Below this the events themselves are percents of the number."""
ALLOWED_PCT = 2.0


def medians_us(work, clocks, starved, write_ms):
    """Median of round medians, per clock and for do_bench, taken in turns."""
    prepared, seen = {}, {"do_bench": [], "starved": []}
    for clock in clocks:
        try:
            prepared[clock] = clock.prepare(work)
            seen[clock.record.timer] = []
        except NotTimeable as reason:
            print(f"  {clock.record.timer}: {reason}")
    estimate_ms = triton.testing.do_bench(work, return_mode="median") + write_ms
    effort = (
        math.ceil(DO_BENCH_WARMUP_MS / estimate_ms),
        math.ceil(DO_BENCH_MS / estimate_ms),
    )
    ways = {
        "do_bench": partial(do_bench_ms, work),
        "starved": partial(median_ms, starved, work, *effort),
    }
    for clock, ready in prepared.items():
        timer = clock.record.timer
        how_much = effort if timer == "event_cold" else (WARMUP, SAMPLES)
        ways[timer] = partial(median_ms, clock, ready, *how_much)
    for _ in range(ROUNDS):
        for timer in random.sample(list(ways), len(ways)):
            time.sleep(REST_S)
            seen[timer].append(ways[timer]())
    return {timer: statistics.median(rounds) * 1e3 for timer, rounds in seen.items()}


def do_bench_ms(work):
    return triton.testing.do_bench(
        work, warmup=DO_BENCH_WARMUP_MS, rep=DO_BENCH_MS, return_mode="median"
    )


def median_ms(clock, ready, warmup, samples):
    clock.warm_up(ready, warmup)
    return statistics.median(clock.samples_ms(ready, samples))


def compare_sides(suite, clocks, device):
    starved = EventClock(device, flush=True, fill_queue=False)
    for case in suite.cases:
        inputs = case.inputs(case.shape)
        for side, kernel in case.sides.items():
            seen = medians_us(partial(kernel, *inputs), clocks, starved, device.write_s * 1e3)
            yield {
                "case": case.title,
                "side": side.value,
                "apart_pct": (seen["event_cold"] / seen["do_bench"] - 1) * 100,
                "starved_apart_pct": (seen["starved"] / seen["do_bench"] - 1) * 100,
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
            "step_ns": clock.record.resolution_ms * 1e6,
            "reads_us": statistics.median(samples) * 1e3,
            "wall_us": wall_us,
        }


def nothing():
    pass


OTHERS = [timer for timer in TIMERS if timer != "event_cold"]


def head():
    titles = ["case", "side", "do_bench", "event_cold", "apart", "queue not filled", *OTHERS]
    return f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|"


def line(row):
    cells = [
        row["case"],
        row["side"],
        f"{row['do_bench_us']:.2f}",
        f"{row['event_cold_us']:.2f}",
        f"{row['apart_pct']:+.2f}%",
        f"{row['starved_apart_pct']:+.2f}%",
        *(f"{row.get(f'{timer}_us', math.nan):.2f}" for timer in OTHERS),
    ]
    return f"| {' | '.join(cells)} |"


def print_verdict(rows):
    long = [row for row in rows if row["do_bench_us"] > LONG_US]
    apart = [row for row in long if abs(row["apart_pct"]) > ALLOWED_PCT]
    close = len(long) - len(apart)
    print(f"\n{close} of {len(long)} above {LONG_US:g} us within {ALLOWED_PCT:g} %")
    for row in apart:
        print(
            f"  {row['case']} {row['side']}: {row['apart_pct']:+.2f}%, "
            f"{row['starved_apart_pct']:+.2f}% with the queue not filled"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    suite = load_suite(options.suite)
    device = open_device(suite.device)
    clocks, _sync = open_clocks(TIMERS, suite.device, suite.sync)
    costs = list(sample_costs(clocks))
    record = clocks[-1].record
    print(f"{record.device}, {dict(record.versions)}, flush {record.flushed_bytes >> 20} MiB")
    print(head())
    rows = []
    for row in compare_sides(suite, clocks, device):
        print(line(row), flush=True)
        rows.append(row)
    print_verdict(rows)
    for cost in costs:
        print(
            f"{cost['timer']}: smallest step {cost['step_ns']:.0f} ns, reads "
            f"{cost['reads_us']:.2f} us of nothing, a sample costs {cost['wall_us']:.1f} us"
        )
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "costs": costs}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
