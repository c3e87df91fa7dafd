"""A suite for a GPU with torch and Triton: torch as the baseline, Triton ports beside it.

    kreport bench bench/suites/gpu_triton.py --runs 10 --out runs/

Needs a CUDA device. With TRITON_INTERPRET=1 and no device the ports run on the CPU, slowly: good
for checking results, not for timing.
"""

import os

import torch
import triton
import triton.language as tl

from kreport import Suite
from kreport.harness.agreement import close_within

INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
DEVICE = "cpu" if INTERPRETED else "cuda"

suite = Suite("gpu-triton", device="" if INTERPRETED else "cuda", warmup=20, repeats=100)
half = close_within(2e-2, 2e-2)
single = close_within(1e-4, 1e-4)


@triton.jit
def load_scalar(pointer):
    return tl.load(pointer)


@triton.jit
def store_scalar(pointer, value):
    tl.store(pointer, value)


@triton.jit
def matmul_kernel(
    x,
    weight,
    out,
    rows,
    columns,
    depth,
    block_m: tl.constexpr,
    block_n: tl.constexpr,
    block_k: tl.constexpr,
):
    program = tl.program_id(0)
    across = tl.cdiv(columns, block_n)
    # Groups of eight row blocks share their weight blocks in the L2.
    group = program // (8 * across)
    first = group * 8
    size = min(tl.cdiv(rows, block_m) - first, 8)
    down = first + (program % (8 * across)) % size
    right = (program % (8 * across)) // size
    row = down * block_m + tl.arange(0, block_m)
    column = right * block_n + tl.arange(0, block_n)
    inner = tl.arange(0, block_k)
    total = tl.zeros((block_m, block_n), dtype=tl.float32)
    for start in range(0, depth, block_k):
        left = tl.load(x + row[:, None] * depth + (start + inner)[None, :])
        under = tl.load(weight + (start + inner)[:, None] * columns + column[None, :])
        total = tl.dot(left, under, total)
    tl.store(out + row[:, None] * columns + column[None, :], total.to(tl.float16))


def matmul(x, weight):
    (rows, depth), columns = x.shape, weight.shape[1]
    out = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
    grid = (triton.cdiv(rows, 128) * triton.cdiv(columns, 128),)
    matmul_kernel[grid](
        x,
        weight,
        out,
        rows,
        columns,
        depth,
        block_m=128,
        block_n=128,
        block_k=64,
        num_warps=8,
        num_stages=3,
    )
    return out


@triton.jit
def softmax_kernel(x, out, width, block_size: tl.constexpr):
    offset = tl.program_id(0) * width
    column = tl.arange(0, block_size)
    row = tl.load(x + offset + column, mask=column < width, other=-float("inf"))
    power = tl.exp(row - tl.max(row, 0))
    tl.store(out + offset + column, power / tl.sum(power, 0), mask=column < width)


def softmax(x):
    out = torch.empty_like(x)
    block = triton.next_power_of_2(x.shape[1])
    softmax_kernel[(x.shape[0],)](x, out, x.shape[1], block_size=block, num_warps=8)
    return out


@triton.jit
def rms_norm_kernel(x, weight, out, width, block_size: tl.constexpr):
    offset = tl.program_id(0) * width
    column = tl.arange(0, block_size)
    inside = column < width
    row = tl.load(x + offset + column, mask=inside, other=0.0)
    scale = 1.0 / tl.sqrt(tl.sum(row * row, 0) / width + 1e-6)
    factor = tl.load(weight + column, mask=inside, other=0.0)
    tl.store(out + offset + column, row * scale * factor, mask=inside)


def rms_norm(x, weight):
    out = torch.empty_like(x)
    block = triton.next_power_of_2(x.shape[1])
    rms_norm_kernel[(x.shape[0],)](x, weight, out, x.shape[1], block_size=block, num_warps=8)
    return out


def torch_rms_norm(x, weight):
    return torch.nn.functional.rms_norm(x, (x.shape[1],), weight, 1e-6)


@triton.jit
def rope_kernel(x, cosine, sine, out, half_width: tl.constexpr):
    token = tl.program_id(0)
    offset = token * 2 * half_width
    lane = tl.arange(0, half_width)
    even = tl.load(x + offset + lane)
    odd = tl.load(x + offset + half_width + lane)
    turn = tl.load(cosine + token * half_width + lane)
    lean = tl.load(sine + token * half_width + lane)
    tl.store(out + offset + lane, even * turn - odd * lean)
    tl.store(out + offset + half_width + lane, odd * turn + even * lean)


def rope(x, cosine, sine):
    out = torch.empty_like(x)
    rope_kernel[(x.shape[0],)](x, cosine, sine, out, half_width=x.shape[1] // 2, num_warps=2)
    return out


def torch_rope(x, cosine, sine):
    even, odd = x.chunk(2, dim=1)
    return torch.cat((even * cosine - odd * sine, odd * cosine + even * sine), dim=1)


@triton.jit
def permute_tile_kernel(tokens, order, out, width, block_size: tl.constexpr):
    row = tl.program_id(0)
    source = tl.load(order + row)
    column = tl.arange(0, block_size)
    inside = column < width
    piece = tl.load(tokens + source * width + column, mask=inside)
    tl.store(out + row * width + column, piece, mask=inside)


def permute_tile(tokens, order):
    out = torch.empty_like(tokens)
    block = triton.next_power_of_2(tokens.shape[1])
    permute_tile_kernel[(tokens.shape[0],)](tokens, order, out, tokens.shape[1], block_size=block)
    return out


@triton.jit
def permute_scalar_kernel(tokens, order, out, width):
    row = tl.program_id(0)
    source = load_scalar(order + row)
    for column in range(width):
        store_scalar(out + row * width + column, load_scalar(tokens + source * width + column))


def permute_scalar(tokens, order):
    out = torch.empty_like(tokens)
    permute_scalar_kernel[(tokens.shape[0],)](tokens, order, out, tokens.shape[1], num_warps=1)
    return out


def torch_permute(tokens, order):
    return tokens[order]


@triton.jit
def swiglu_kernel(gate, up, out, size, block_size: tl.constexpr):
    place = tl.program_id(0) * block_size + tl.arange(0, block_size)
    inside = place < size
    value = tl.load(gate + place, mask=inside)
    tl.store(out + place, value * tl.sigmoid(value) * tl.load(up + place, mask=inside), mask=inside)


def swiglu(gate, up):
    out = torch.empty_like(gate)
    swiglu_kernel[(triton.cdiv(gate.numel(), 1024),)](gate, up, out, gate.numel(), block_size=1024)
    return out


def torch_swiglu(gate, up):
    return torch.nn.functional.silu(gate) * up


def normal(dtype):
    def inputs(shape):
        torch.manual_seed(20260321)
        return [torch.randn(size, dtype=dtype, device=DEVICE) for size in shape.values()]

    return inputs


def shuffled(shape):
    torch.manual_seed(20260321)
    tokens = torch.randn(shape["tokens"], device=DEVICE)
    return [tokens, torch.randperm(shape["tokens"][0], device=DEVICE)]


def angles(shape):
    torch.manual_seed(20260321)
    tokens, width = shape["x"]
    angle = torch.rand((tokens, width // 2), device=DEVICE)
    return [torch.randn((tokens, width), device=DEVICE), torch.cos(angle), torch.sin(angle)]


def small_or(*shapes):
    """The shapes, or one that an interpreter gets through in a moment."""
    return [[128, 128, 128][: len(shapes[0])]] if INTERPRETED else shapes


for rows, columns, depth in small_or((512, 512, 512), (2048, 2048, 2048), (4096, 4096, 4096)):
    suite.case(
        "gmm",
        "matmul",
        {"x": [rows, depth], "weight": [depth, columns]},
        inputs=normal(torch.float16),
        baseline=torch.matmul,
        pto=matmul,
        check=half,
    )
for rows, width in small_or((256, 1024), (4096, 4096), (16384, 4096)):
    suite.case(
        "attention",
        "softmax",
        {"x": [rows, width]},
        inputs=normal(torch.float32),
        baseline=lambda x: torch.softmax(x, 1),
        pto=softmax,
        check=single,
    )
for rows, width in small_or((256, 1024), (4096, 4096), (16384, 4096)):
    suite.case(
        "norm",
        "rms_norm",
        {"x": [rows, width], "weight": [width]},
        inputs=normal(torch.float32),
        baseline=torch_rms_norm,
        pto=rms_norm,
        check=single,
    )
for tokens, width in small_or((1024, 128), (65536, 128)):
    suite.case(
        "position",
        "rope",
        {"x": [tokens, width]},
        inputs=angles,
        baseline=torch_rope,
        pto=rope,
        check=single,
    )
for tokens, width in small_or((1024, 1024), (16384, 2048)):
    for kernel, port in (("token_permute", permute_tile), ("token_permute_scalar", permute_scalar)):
        suite.case(
            "moe",
            kernel,
            {"tokens": [tokens, width]},
            inputs=shuffled,
            baseline=torch_permute,
            pto=port,
            check=single,
        )
for rows, width in small_or((256, 1024), (8192, 4096)):
    suite.case(
        "ffn",
        "swiglu",
        {"gate": [rows, width], "up": [rows, width]},
        inputs=normal(torch.float32),
        baseline=torch_swiglu,
        pto=swiglu,
        check=single,
    )
