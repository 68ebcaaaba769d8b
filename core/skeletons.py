"""Models of shapes alone: they take no memory, for code that needs only names, shapes and numbers of weights."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode


@contextmanager
def shapes_alone() -> Iterator[None]:
    """Make the tensors of what is built within on the device ``meta``, and draw no initial values for them."""
    with torch.device("meta"), _Undrawn():
        yield


class _Undrawn(TorchFunctionMode):
    """Leaves normal draws out: on ``meta`` PyTorch makes them by its compiler, which takes a second and 80 MB."""

    _DRAWS = (Tensor.normal_, nn.init.normal_)

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if func in self._DRAWS:
            return args[0] if args else kwargs["tensor"]
        return func(*args, **kwargs)
