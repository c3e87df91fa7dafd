"""A suite with ports that ruin the device for their whole process, between cases that are fine.

    kreport bench bench/suites/gpu_faults.py --runs 2 --out runs-with-faults/

Needs a CUDA device. The port of `out_of_range` trips an assertion on the device, after which every
call of that process fails; the one of `too_much` asks for more memory than there is.
"""

import torch

from kreport import Suite

suite = Suite("gpu-faults", device="cuda", warmup=3, repeats=20)


def ones(shape):
    return [torch.ones(shape["x"], device="cuda")]


def double(x):
    return x * 2


def out_of_range(x):
    return x[torch.full((4,), 1 << 30, device="cuda")]


def too_much(_x):
    return torch.ones(1 << 42, device="cuda")


for kernel, port in (
    ("before", double),
    ("out_of_range", out_of_range),
    ("too_much", too_much),
    ("after", double),
):
    suite.case("faults", kernel, {"x": [1 << 20]}, inputs=ones, baseline=double, pto=port)
