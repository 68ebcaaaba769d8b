"""The dynamic map of bitsandbytes: the 256 values that 8 bits stand for; imported without what it would compile.

Its operations for devices that it has no kernels for are handed to torch.compile on import, which takes half of
the time in which a trainer starts and 110 MB, and nothing here calls them.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor


def _not_the_kernel_hint(record: logging.LogRecord) -> bool:
    """False for the advice, given on import, to install a package that runs compiled code from the Hub."""
    return "gemm_4bit_forward" not in record.getMessage()


def _as_it_is(function: Callable[..., Any] | None = None, **_: Any) -> Any:
    return _as_it_is if function is None else function


@contextmanager
def _nothing_compiled() -> Iterator[None]:
    as_it_was = torch.compile
    torch.compile = _as_it_is  # type: ignore[assignment]
    try:
        yield
    finally:
        torch.compile = as_it_was


logging.getLogger("bitsandbytes.backends.cpu.ops").addFilter(_not_the_kernel_hint)
with _nothing_compiled():
    from bitsandbytes import functional as bnb


def dynamic_map(signed: bool) -> Tensor:
    """float32 (256,), ascending, in [-1, 1] or, unsigned, [0, 1] (Dettmers et al., 2021)."""
    values: Tensor = bnb.create_dynamic_map(signed=signed)
    return values
