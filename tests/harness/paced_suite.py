"""A suite whose latencies are set from outside: PACE_MS is how long the port sleeps."""

import os
import time

from kreport import Suite

suite = Suite("paced", warmup=1, repeats=10)


def nap(milliseconds):
    def work(x):
        time.sleep(milliseconds / 1e3)
        return x

    return work


for width in (1, 2, 3):
    suite.case(
        "naps",
        f"nap_{width}",
        {"x": [width]},
        inputs=lambda shape: [float(shape["x"][0])],
        baseline=nap(3),
        pto=nap(float(os.environ["PACE_MS"]) if width == 1 else 2),
        structure="tile",
    )
