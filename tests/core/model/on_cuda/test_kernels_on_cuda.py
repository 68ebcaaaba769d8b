"""Our kernels on a GPU compute what PyTorch's operations do on a processor, and micro-steps use them."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor

from core.model.ends import token_shift, token_shift_backward
from core.model.feed_forward import geglu, geglu_and_gate, geglu_backward_
from core.model.heads import Layout, split_heads, split_heads_backward
from core.model.kernels import VALUES, Kernels, compiled, kernels_for

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]

TOLERANCES = {torch.float32: 2e-6, torch.bfloat16: 8e-3, torch.float16: 1e-3}
WORDS, GRID, HEADS, WIDTH, DIM = 257, 8, 4, 64, 256
POSITIONS = WORDS + GRID * GRID


@pytest.fixture(params=VALUES, ids=str)
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    found: torch.dtype = request.param
    return found


@pytest.fixture
def kernels(dtype: torch.dtype) -> Kernels:
    found = kernels_for(torch.zeros(8, device="cuda"), dtype=dtype, channels=8)
    assert found is not None
    return found


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def assert_near(found: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
    assert found.dtype == expected.dtype
    error = (found.cpu().float() - expected.float()).norm() / expected.float().norm()
    assert error <= TOLERANCES[dtype]


def test_geglu_and_back(kernels: Kernels, dtype: torch.dtype) -> None:
    hidden, grad = random(1000, 2 * DIM, dtype=dtype), random(1000, DIM, dtype=dtype, seed=1)
    assert_near(kernels.geglu(hidden.cuda()), geglu(hidden), dtype)
    found = kernels.geglu_backward_(grad.cuda(), hidden.cuda())
    assert_near(found, geglu_backward_(grad, hidden, geglu_and_gate(hidden)[1]), dtype)


@pytest.mark.parametrize("by_columns", [False, True])
def test_split_heads_and_back(kernels: Kernels, dtype: torch.dtype, by_columns: bool) -> None:
    layout = Layout(WORDS, GRID, by_columns)
    angles = random(POSITIONS, WIDTH // 2, seed=1)
    table = torch.stack([angles.cos(), angles.sin()], dim=-1)
    qkv = random(2, POSITIONS, 3 * HEADS * WIDTH, dtype=dtype)
    expected, given = split_heads(qkv, table, layout), qkv.cuda()
    found = split_heads(given, table.cuda(), layout)
    for one, other in zip(found, expected, strict=True):
        assert_near(one, other, dtype)
    back = torch.empty_like(given)
    kernels.split_heads_backward(back, table.cuda(), found, layout)
    assert_near(back, split_heads_backward(expected, 2, table, layout), dtype)


def test_token_shift_and_back(kernels: Kernels, dtype: torch.dtype) -> None:
    x, grad = random(2, POSITIONS, DIM), random(2, POSITIONS, DIM, dtype=dtype, seed=1)
    found = kernels.shift(x.cuda(), dtype, WORDS, GRID)
    assert torch.equal(found.cpu(), token_shift(x.to(dtype), WORDS, GRID))
    back = kernels.shift_backward(grad.cuda(), WORDS, GRID)
    assert torch.equal(back.cpu(), token_shift_backward(grad, WORDS, GRID).float())


def test_another_thread_and_stream_may_launch_them(kernels: Kernels, dtype: torch.dtype) -> None:
    hidden = random(64, 2 * DIM, dtype=dtype)

    def compute() -> Tensor:
        with torch.cuda.stream(torch.cuda.Stream()):
            return kernels.geglu(hidden.cuda()).cpu()

    with ThreadPoolExecutor(1) as threads:
        assert_near(threads.submit(compute).result(), geglu(hidden), dtype)


def test_tensors_that_a_kernel_cannot_load_are_left_to_pytorch() -> None:
    x = torch.zeros(64, 64, device="cuda")
    assert kernels_for(x, dtype=torch.float32, channels=12) is None
    assert kernels_for(x[:, :32], dtype=torch.float32, channels=8) is None
    assert kernels_for(x.flatten()[1:], dtype=torch.float32, channels=8) is None
    assert kernels_for(x, dtype=torch.float64, channels=8) is None


def test_a_source_that_is_refused_says_why() -> None:
    with pytest.raises(RuntimeError, match="undefined"):
        compiled('extern "C" __global__ void wrong() { missing(); }', ["--gpu-architecture=sm_80"])
