"""Products as fast as a device computes them, where that costs no precision.

A GPU's 16-bit products are summed up in float32, and can be had so. A CPU's float32 products go to the faster of
torch's two libraries. By default torch gives them to MKL, which on AMD's processors uses half of the vector width
that oneDNN uses: 95 against 220 GFLOP/s on one core of an EPYC with AVX-512. torch asks oneDNN only if bfloat16
products are allowed. oneDNN makes use of that where a processor has units for bfloat16 matrices (AMX), and there it
stays forbidden.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from torch import Tensor

_SIDE = 256
_ROUNDING = 1e-5
"""Relative error of a product of `_SIDE` terms: 4e-7 in float32, 3e-3 in bfloat16."""


@contextmanager
def fast_products(device: torch.device) -> Iterator[None]:
    """Compute products of float32 matrices inside the block as exactly as before, and as fast as this machine can.

    Args:
        device: Device of the matrices; only a CPU is affected.
    """
    if device.type != "cpu" or not _onednn_is_exact():
        yield
        return
    with _allowed():
        yield


@contextmanager
def _allowed() -> Iterator[None]:
    matmul: Any = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
    before = matmul.fp32_precision
    matmul.fp32_precision = "bf16"
    try:
        yield
    finally:
        matmul.fp32_precision = before


@cache
def _onednn_is_exact() -> bool:
    generator = torch.Generator().manual_seed(0)
    a, b = (torch.randn(_SIDE, _SIDE, generator=generator) for _ in range(2))
    exact = a.double() @ b.double()
    with _allowed():
        error = (a @ b - exact).norm() / exact.norm()
    return float(error) < _ROUNDING


def wide_product(left: Tensor, right: Tensor, dtype: torch.dtype) -> Tensor:
    """Compute ``left @ right``, (rows, columns), in the type ``dtype``.

    A GPU gives a product of 16-bit matrices in float32 as it was summed up; others are rounded to 16 bits first.

    Args:
        left: Matrix, (rows, inner).
        right: Matrix of the same type, (inner, columns).
        dtype: Type of the result.
    """
    if _sums_apart(left, dtype):
        return torch.mm(left, right, out_dtype=dtype)
    return (left @ right).to(dtype)


def column_sums(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the sums of the columns of ``x``, (rows, columns), in the type ``dtype``.

    A GPU's own sum takes a buffer of a megabyte for each of its multiprocessors; a product takes none.
    """
    if _sums_apart(x, dtype):
        return torch.mm(x.new_ones(1, len(x)), x, out_dtype=dtype)[0]
    return x.sum(dim=0, dtype=dtype)


def _sums_apart(x: Tensor, dtype: torch.dtype) -> bool:
    return x.device.type != "cpu" and dtype == torch.float32 and x.dtype in (torch.bfloat16, torch.float16)
