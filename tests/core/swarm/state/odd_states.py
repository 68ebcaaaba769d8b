"""States of odd shapes and types, for tests of how a state is cut and joined."""

import torch

from core.swarm.state.state import SwarmState
from tests.core.swarm.builders import digest_of


def some_values(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    draws = torch.Generator().manual_seed(sum(shape))
    if dtype.is_floating_point:
        return torch.randn(shape, generator=draws).to(dtype)
    return torch.randint(0, 2 if dtype == torch.bool else 100, shape, generator=draws).to(dtype)


ODD = {
    "parameters.scalar": some_values((), torch.float32),
    "parameters.one": some_values((1,), torch.uint8),
    "parameters.empty": some_values((0, 3), torch.float32),
    "parameters.matrix": some_values((7, 5), torch.float32),
    "parameters.turned": some_values((5, 7), torch.float32).t(),
    "optimizer.codes": some_values((13,), torch.uint8),
    "optimizer.step": torch.tensor(12345678901),
    "optimizer.half": some_values((3, 1, 3), torch.float16),
    "optimizer.brain": some_values((5,), torch.bfloat16),
    "optimizer.flags": some_values((3,), torch.bool),
    "optimizer.double": some_values((3,), torch.float64),
}


def swarm_state(tensors: dict[str, torch.Tensor], epoch: int = 7) -> SwarmState:
    return SwarmState(epoch, digest_of("head"), tensors)
