"""A suite for any machine with NumPy: library calls against plain loops, with what goes wrong too.

    kreport bench bench/suites/cpu_numpy.py --runs 10 --out runs/

The baseline is NumPy's own routine. Ports are written the way a first port often is: some are good,
one walks its elements one by one, one is not there yet, and one is fast and wrong.
"""

import os

# One thread for matrix products: two of them fighting for a core is what would be measured.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from kreport import Suite
from kreport.harness.agreement import close_within

suite = Suite("cpu-numpy", warmup=5, repeats=40)


def load_scalar(array, index):
    return array[index]


def store_scalar(array, index, value):
    array[index] = value


def normal(shape):
    """One float64 array for every entry of the shape, the same in every process."""
    random = np.random.default_rng(20260321)
    return [random.standard_normal(size) for size in shape.values()]


def softmax_in_one_go(x):
    shifted = np.exp(x - x.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def softmax_by_rows(x):
    out = np.empty_like(x)
    for index, row in enumerate(x):
        shifted = np.exp(row - row.max())
        out[index] = shifted / shifted.sum()
    return out


def rms_norm_in_one_go(x, weight):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * weight


def rms_norm_by_rows(x, weight):
    out = np.empty_like(x)
    for index, row in enumerate(x):
        out[index] = row / np.sqrt(row @ row / row.size + 1e-6) * weight
    return out


def rms_norm_without_epsilon_and_mean(x, weight):
    """Forgets the mean: quick, and wrong."""
    return x / np.sqrt((x * x).sum(axis=1, keepdims=True)) * weight


def matmul_blocked(x, weight, block=64):
    out = np.zeros((x.shape[0], weight.shape[1]))
    for start in range(0, x.shape[1], block):
        stop = start + block
        out += x[:, start:stop] @ weight[start:stop]
    return out


def prefix_sum_by_elements(x):
    out = np.empty_like(x)
    total = 0.0
    for index in range(x.size):
        total += load_scalar(x, index)
        store_scalar(out, index, total)
    return out


def top_rows(x):
    return np.partition(x, -8, axis=1)[:, -8:]


for size in (128, 384):
    suite.case(
        "gmm",
        "matmul",
        {"x": [size, size], "weight": [size, size]},
        inputs=normal,
        baseline=np.matmul,
        pto=matmul_blocked,
        check=close_within(1e-9, 1e-9),
    )
for rows in (64, 512):
    suite.case(
        "attention",
        "softmax",
        {"x": [rows, 256]},
        inputs=normal,
        baseline=softmax_in_one_go,
        pto=softmax_by_rows,
        check=close_within(1e-9),
    )
suite.case(
    "norm",
    "rms_norm",
    {"x": [256, 256], "weight": [256]},
    inputs=normal,
    baseline=rms_norm_in_one_go,
    pto=rms_norm_by_rows,
    check=close_within(1e-9),
)
suite.case(
    "norm",
    "rms_norm_quick",
    {"x": [256, 256], "weight": [256]},
    inputs=normal,
    baseline=rms_norm_in_one_go,
    pto=rms_norm_without_epsilon_and_mean,
    check=close_within(1e-9),
)
suite.case(
    "scan",
    "prefix_sum",
    {"x": [4096]},
    inputs=normal,
    baseline=np.cumsum,
    pto=prefix_sum_by_elements,
    check=close_within(1e-9, 1e-9),
)
suite.case(
    "select",
    "top_rows",
    {"x": [128, 512]},
    inputs=normal,
    baseline=top_rows,
    pto=None,
    pto_reason="not ported: no partial sort in the tile language yet",
)
