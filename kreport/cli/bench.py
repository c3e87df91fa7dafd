"""``kreport bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kreport.cli import options


def bench(
    suite: Annotated[Path, typer.Argument(metavar="SUITE.py", help="The file that lists cases.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where each run is kept.")] = Path(
        "runs"
    ),
    runs: Annotated[int, typer.Option(metavar="N", help="How often, in a process each.")] = 10,
    timer: Annotated[
        str | None,
        typer.Option(metavar="CLOCK,...", help="host, event, event_cold, graph, graph_cold."),
    ] = None,
    warmup: Annotated[int | None, typer.Option(metavar="N", help="Untimed calls first.")] = None,
    repeats: Annotated[int | None, typer.Option(metavar="N", help="Samples a run.")] = None,
    target_ms: Annotated[
        float | None, typer.Option(metavar="MS", help="Time to fill, instead of --repeats.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Order of the cases; random, and recorded.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="S", help="Longest silence before a side counts as hung.")
    ] = 120.0,
    memory: Annotated[
        float | None,
        typer.Option(metavar="GIB", help="Most memory for a host suite; 0: no limit."),
    ] = None,
    matrix: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Write the kernel-state matrix too.")
    ] = None,
    gz: Annotated[bool, typer.Option("--gz", help="Compress the samples.")] = False,
    effect: options.Effect = None,
    output: options.Format = options.ConsoleOrJson.CONSOLE,
    quiet: options.Quiet = False,
) -> int:
    """Measure a suite, baseline against port, and keep the samples of every run.

    Blocked and wrong sides are results. DIR is what build, diff and calibrate read.
    """
    from kreport.pipeline.bench import BenchRequest, bench_suite
    from kreport.settings import load

    settings = load({"effect_pct": effect}).settings
    timers = None if timer is None else tuple(name.strip() for name in timer.split(","))
    return bench_suite(
        BenchRequest(
            suite=suite,
            out=out,
            runs=runs,
            timers=timers,
            warmup=warmup,
            repeats=repeats,
            target_ms=target_ms,
            seed=seed,
            timeout_s=timeout,
            memory_gib=memory,
            matrix=matrix,
            compress=gz,
            effect_pct=settings.effect_pct,
            output=output.value,
            quiet=quiet,
        )
    )
