"""Do kreport's device clocks agree with Triton's own ``do_bench``, in one process on one GPU?

    python -m bench.device.agreement bench/suites/gpu_triton.py --json agreement.json

Every side of every case is timed by ``triton.testing.do_bench`` and by ``event_cold`` in turns, in
blocks of a few milliseconds whose order is shuffled, and the medians of all samples are compared.
Blocks are short because a matrix product that meets the power limit slows down while it is kept
going, the longer the more: two clocks agree only where both meet the device in the same state.

do_bench launches as it goes. A side of several short kernels can take the host longer to launch
than the flush takes the device; the queue then runs dry, and gaps in it are timed as if they were
the side. Therefore do_bench is also given a flush of twice its size, which gives the host time, and
its quartiles over blocks are shown. Beside them: do_bench as it comes (25 ms of warm-up, 100 ms of
samples), and the other clocks.
"""

import argparse
import json
import math
import random
import statistics
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch
import triton.testing

from kreport.harness.clock import NotTimeable
from kreport.harness.clocks import TIMERS, open_clocks
from kreport.harness.device import open_device
from kreport.harness.suite import load_suite

BLOCKS = 40
BLOCK_WARMUP_MS, BLOCK_MS = 1, 5
SAMPLES = 100
WARMUP = 20
LONG_US = 20.0
"""Below this the events themselves are percents of the number."""
ALLOWED_PCT = 2.0


def compare_side(work, clocks, write_ms):
    """Medians in microseconds by every clock that can time the work, and how far they are apart."""
    alone_ms = triton.testing.do_bench(work, return_mode="median")
    block_ms = alone_ms + write_ms
    effort = math.ceil(BLOCK_WARMUP_MS / block_ms), math.ceil(BLOCK_MS / block_ms)
    cold = next(clock for clock in clocks if clock.record.timer == "event_cold")
    in_turns = {
        "do_bench": partial(do_bench_ms, work),
        "long_flush": partial(long_flush_do_bench_ms, work),
        "event_cold": partial(samples_ms, cold, work, *effort),
    }
    blocks = {way: [] for way in in_turns}
    for _ in range(BLOCKS):
        for way in random.sample(list(in_turns), len(in_turns)):
            blocks[way].append(in_turns[way]())
    row = {
        f"{way}_us": float(np.median(np.concatenate(taken))) * 1e3 for way, taken in blocks.items()
    }
    do_bench_us = [float(np.median(block)) * 1e3 for block in blocks["do_bench"]]
    row["do_bench_quartiles_us"] = np.quantile(do_bench_us, [0.25, 0.75]).tolist()
    row["do_bench_alone_us"] = alone_ms * 1e3
    for way in ("do_bench", "long_flush"):
        row[f"{way}_apart_pct"] = (row["event_cold_us"] / row[f"{way}_us"] - 1) * 100
    for clock in clocks:
        if clock is not cold:
            row[f"{clock.record.timer}_us"] = median_us(clock, work)
    return row


def do_bench_ms(work):
    return triton.testing.do_bench(work, warmup=BLOCK_WARMUP_MS, rep=BLOCK_MS, return_mode="all")


def long_flush_do_bench_ms(work):
    """do_bench with twice the buffer that it overwrites before every call."""
    driver = triton.runtime.driver.active
    usual = driver.get_empty_cache_for_benchmark
    driver.get_empty_cache_for_benchmark = lambda: torch.cat([usual(), usual()])
    try:
        return do_bench_ms(work)
    finally:
        driver.get_empty_cache_for_benchmark = usual


def samples_ms(clock, ready, warmup, samples):
    clock.warm_up(ready, warmup)
    return clock.samples_ms(ready, samples)


def median_us(clock, work):
    try:
        ready = clock.prepare(work)
    except NotTimeable as reason:
        print(f"  {clock.record.timer}: {reason}")
        return math.nan
    return statistics.median(samples_ms(clock, ready, WARMUP, SAMPLES)) * 1e3


def compare_sides(suite, clocks, write_ms):
    for case in suite.cases:
        inputs = case.inputs(case.shape)
        for side, kernel in case.sides.items():
            row = compare_side(partial(kernel, *inputs), clocks, write_ms)
            yield {"case": case.title, "side": side.value, **row}


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
    titles = [
        "case",
        "side",
        "event_cold",
        "do_bench",
        "its quartiles",
        "apart",
        "with twice the flush",
        "apart",
        "do_bench alone",
        *OTHERS,
    ]
    return f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|"


def line(row):
    low, high = row["do_bench_quartiles_us"]
    cells = [
        row["case"],
        row["side"],
        f"{row['event_cold_us']:.2f}",
        f"{row['do_bench_us']:.2f}",
        f"{low:.2f}..{high:.2f}",
        f"{row['do_bench_apart_pct']:+.2f}%",
        f"{row['long_flush_us']:.2f}",
        f"{row['long_flush_apart_pct']:+.2f}%",
        f"{row['do_bench_alone_us']:.2f}",
        *(f"{row[f'{timer}_us']:.2f}" for timer in OTHERS),
    ]
    return f"| {' | '.join(cells)} |"


def print_verdict(rows):
    long = [row for row in rows if row["long_flush_us"] > LONG_US]
    print()
    for way, words in (("do_bench", "do_bench"), ("long_flush", "do_bench with twice the flush")):
        apart = [row for row in long if abs(row[f"{way}_apart_pct"]) > ALLOWED_PCT]
        close = len(long) - len(apart)
        print(f"{close} of {len(long)} above {LONG_US:g} us within {ALLOWED_PCT:g} % of {words}")
        for row in apart:
            low, high = row["do_bench_quartiles_us"]
            print(
                f"  {row['case']} {row['side']}: {row[f'{way}_apart_pct']:+.2f}%, "
                f"quartiles of do_bench {low:.2f}..{high:.2f} us"
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
    for row in compare_sides(suite, clocks, device.write_s * 1e3):
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
