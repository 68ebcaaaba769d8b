"""Our kernels for a GPU, compiled for the processor, compute what PyTorch's operations do."""

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.model.ends import token_shift, token_shift_backward
from core.model.feed_forward import geglu, geglu_and_gate, geglu_backward_
from core.model.heads import Heads, Layout, split_heads, split_heads_backward
from core.model.kernels import (
    NAMES,
    SOURCE,
    VALUES,
    KernelArgument,
    Kernels,
    LaunchKernel,
    are_right,
    compiled,
    kernels_for,
)

TOLERANCES = {torch.float32: 2e-6, torch.bfloat16: 8e-3, torch.float16: 1e-3}
"""Relative error of a few operations, one rounding each: PyTorch's own round more often than a kernel does."""
WORDS, GRID, HEADS, WIDTH = 5, 4, 3, 16
LAYOUTS = (Layout(WORDS, GRID, by_columns=False), Layout(WORDS, GRID, by_columns=True))

# A thread after the other; more than there is work for, as a GPU's last block has them.
ON_PROCESSOR = """
#include <cmath>
#include <cstddef>
#include <cstring>
#define __global__
#define __device__
struct Index { unsigned x; };
static thread_local Index blockIdx, threadIdx, blockDim;
static float __uint_as_float(unsigned x) { float out; std::memcpy(&out, &x, 4); return out; }
static unsigned __float_as_uint(float x) { unsigned out; std::memcpy(&out, &x, 4); return out; }
#include SOURCE
#define RUN(kernel) for (blockDim.x = 64, blockIdx.x = 0; blockIdx.x <= threads / 64; blockIdx.x++) \\
    for (threadIdx.x = 0; threadIdx.x < 64; threadIdx.x++) kernel
typedef value_t *V; typedef const value_t *C;
extern "C" {
void run_geglu(unsigned threads, C a, V b, int c, int d) { RUN(geglu)(a, b, c, d); }
void run_geglu_backward(unsigned threads, C a, V b, int c, int d) { RUN(geglu_backward)(a, b, c, d); }
void run_split_heads(unsigned threads, C a, const float *b, float c, V d, V e, V f, V g, V h, V i, SIZES) {
    RUN(split_heads)(a, b, c, d, e, f, g, h, i, batch, positions, heads, width, words, grid, by_columns); }
void run_split_heads_backward(unsigned threads, V a, const float *b, float c, C d, C e, C f, C g, C h, C i, SIZES) {
    RUN(split_heads_backward)(a, b, c, d, e, f, g, h, i, batch, positions, heads, width, words, grid, by_columns); }
void run_shift(unsigned threads, const float *a, V b, int c, int d, int e, int f, int g) {
    RUN(shift)(a, b, c, d, e, f, g); }
void run_shift_backward(unsigned threads, C a, float *b, int c, int d, int e, int f, int g) {
    RUN(shift_backward)(a, b, c, d, e, f, g); }
}
"""


@pytest.fixture(scope="module", params=VALUES, ids=str)
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    found: torch.dtype = request.param
    return found


@pytest.fixture(scope="module")
def launch(dtype: torch.dtype, tmp_path_factory: pytest.TempPathFactory) -> LaunchKernel:
    folder = tmp_path_factory.mktemp("kernels")
    source, library = folder / "kernels.cpp", folder / "kernels.so"
    source.write_text(ON_PROCESSOR)
    options = [f"-DVALUE={VALUES[dtype]}", f'-DSOURCE="{SOURCE}"', "-std=c++20", "-O1", "-shared", "-fPIC"]
    subprocess.run(["g++", *options, str(source), "-o", str(library)], check=True)
    return LaunchOnProcessor(library)


@pytest.fixture(scope="module")
def kernels(launch: LaunchKernel) -> Kernels:
    return Kernels(launch)


class LaunchOnProcessor:
    """Launches the kernels in a library that was compiled for the processor."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))

    def __call__(self, name: str, threads: int, arguments: Sequence[KernelArgument]) -> None:
        converted = [
            ctypes.c_void_p(item.data_ptr())
            if isinstance(item, Tensor)
            else (ctypes.c_int(item) if isinstance(item, int) else ctypes.c_float(item))
            for item in arguments
        ]
        getattr(self._library, f"run_{name}")(ctypes.c_uint(threads), *converted)


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def assert_near(found: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    error = (found.float() - expected.float()).norm() / expected.float().norm()
    assert error <= TOLERANCES[dtype]


def test_geglu(kernels: Kernels, dtype: torch.dtype) -> None:
    hidden = 2 * random(7, 2 * 24, dtype=dtype)
    assert_near(kernels.geglu(hidden), geglu(hidden), dtype)


def test_geglu_backward(kernels: Kernels, dtype: torch.dtype) -> None:
    hidden, grad = 2 * random(7, 2 * 24, dtype=dtype), random(7, 24, dtype=dtype, seed=1)
    _, gate = geglu_and_gate(hidden)
    expected = geglu_backward_(grad.clone(), hidden.clone(), gate)
    assert_near(kernels.geglu_backward_(grad, hidden), expected, dtype)


def test_the_gradient_of_geglu_is_computed_with_the_gate_again_where_no_kernel_can() -> None:
    hidden, grad = random(7, 2 * 24), random(7, 24, seed=1)
    _, gate = geglu_and_gate(hidden)
    expected = geglu_backward_(grad.clone(), hidden.clone(), gate)
    assert torch.equal(geglu_backward_(grad, hidden, None), expected)


def rotations(positions: int) -> Tensor:
    angles = random(positions, WIDTH // 2, seed=2)
    return torch.stack([angles.cos(), angles.sin()], dim=-1)


@pytest.mark.parametrize("rows", [GRID, 2, 0])
@pytest.mark.parametrize("layout", LAYOUTS, ids=("rows", "columns"))
def test_split_heads_and_back(kernels: Kernels, dtype: torch.dtype, layout: Layout, rows: int) -> None:
    positions = WORDS + rows * GRID
    qkv, table = random(2, positions, 3 * HEADS * WIDTH, dtype=dtype), rotations(WORDS + GRID * GRID)
    expected = split_heads(qkv, table, layout)
    found = Heads(*(torch.full_like(item, 7.0) for item in expected))
    kernels.split_heads(qkv, table, found, layout)
    for one, other in zip(found, expected, strict=True):
        if other.numel():
            assert_near(one, other, dtype)
    back = torch.empty_like(qkv)
    kernels.split_heads_backward(back, table, expected, layout)
    assert_near(back, split_heads_backward(expected, 2, table, layout), dtype)


@pytest.mark.parametrize("positions", [WORDS + GRID * GRID, WORDS + GRID, WORDS, 3])
def test_token_shift_and_back(kernels: Kernels, dtype: torch.dtype, positions: int) -> None:
    x, grad = random(2, positions, 32), random(2, positions, 32, dtype=dtype, seed=1)
    assert torch.equal(kernels.shift(x, dtype, WORDS, GRID), token_shift(x.to(dtype), WORDS, GRID))
    expected = token_shift_backward(grad, WORDS, GRID).float()
    assert torch.equal(kernels.shift_backward(grad, WORDS, GRID), expected)


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), float("nan"), 65520.0, 1e-7, 3.3895e38])
def test_values_are_rounded_as_pytorch_rounds_them(
    kernels: Kernels, dtype: torch.dtype, value: float
) -> None:
    x = torch.full((1, 1, 32), value)
    assert torch.equal(kernels.shift(x, dtype, 0, 1)[..., -8:].isnan(), x.to(dtype)[..., -8:].isnan())
    assert torch.equal(
        kernels.shift(x, dtype, 0, 1).nan_to_num(3.0)[..., -8:], x.to(dtype).nan_to_num(3.0)[..., -8:]
    )


def test_right_kernels_are_found_right(kernels: Kernels, dtype: torch.dtype) -> None:
    assert are_right(kernels, torch.device("cpu"), dtype)


@pytest.mark.parametrize("wrong", NAMES)
def test_a_kernel_that_writes_something_else_is_found_wrong(
    launch: LaunchKernel, dtype: torch.dtype, wrong: str
) -> None:
    def launch_wrongly(name: str, threads: int, arguments: Sequence[KernelArgument]) -> None:
        launch(name, threads, arguments)
        if name == wrong:
            written = arguments[{"split_heads": 5, "split_heads_backward": 0}.get(name, 1)]
            assert isinstance(written, Tensor)
            written.flatten()[-1] += 9

    assert not are_right(Kernels(launch_wrongly), torch.device("cpu"), dtype)


def test_a_processor_uses_pytorchs_own() -> None:
    assert kernels_for(torch.zeros(8), dtype=torch.float32, channels=8) is None


def test_without_cudas_bindings_the_compiler_is_missing() -> None:
    with pytest.raises((ImportError, RuntimeError)):
        compiled("no kernel", ["--gpu-architecture=sm_75"])
