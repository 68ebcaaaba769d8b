"""A decoding step as a CUDA graph: hundreds of small kernels are launched as one.

NOT TRIED YET: no GPU could be had. What it captures is tested on a CPU, with positions in tensors as here.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from core.generation.slots import Position

_WARM_UPS = 3


class CapturedStep:
    """Does what a step does, with the codes and the position that lie in tensors of its own."""

    def __init__(self, step: Callable[[Tensor, Position], Tensor], images: int, device: torch.device) -> None:
        """``step`` may be run at position 0 before it is needed: what it does there, it does again."""
        self._codes = torch.zeros(images, dtype=torch.int64, device=device)
        self._position = torch.zeros(1, dtype=torch.int64, device=device)
        aside, here = torch.cuda.Stream(device), torch.cuda.current_stream(device)
        aside.wait_stream(here)
        with torch.cuda.stream(aside):  # libraries take their workspaces, which a capture must not
            for _ in range(_WARM_UPS):
                step(self._codes, self._position)
        here.wait_stream(aside)
        self._graph = torch.cuda.CUDAGraph()
        # Of that stream's GPU, which need not be the current one; other threads of a trainer go on as they like.
        with torch.cuda.graph(self._graph, stream=aside, capture_error_mode="thread_local"):
            self._out = step(self._codes, self._position)

    def __call__(self, codes: Tensor, position: int) -> Tensor:
        """What ``step`` returns; the next call writes over it."""
        self._codes.copy_(codes)
        self._position.fill_(position)
        self._graph.replay()
        return self._out
