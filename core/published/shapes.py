"""Which parameters a configuration asks for, told before memory is taken for any of them."""

import torch
from torch import Size

from core.errors import CheckpointError
from core.memory.parameters import count
from core.model.config import ModelConfig
from core.model.transformer import Transformer

LARGEST = {"depth": 1024, "dim_head": 512, "text_length": 4096, "grid": 64, "convolution_size": 64}
"""What a file from elsewhere may ask for where the size of its tensors bounds nothing."""
_BYTES = 2
"""Of a parameter, at the least."""


def parameter_shapes(config: ModelConfig, file_size: int | None = None) -> dict[str, Size]:
    """Names and shapes of the parameters, shared ones once.

    Raises:
        CheckpointError: the model is beyond `LARGEST`, or cannot be in a file of ``file_size`` bytes.
    """
    for field, limit in LARGEST.items():
        if (value := getattr(config, field)) > limit:
            raise _absurd(f"with {field} = {value} is beyond what is read from files, which is {limit}")
    if file_size is not None and _BYTES * (parameters := count(config)) > file_size:
        raise _absurd(f"of {parameters:,} parameters cannot be in a file of {file_size:,} bytes")
    with torch.device("meta"):
        return {name: tensor.shape for name, tensor in Transformer(config).state_dict().items()}


def _absurd(why: str) -> CheckpointError:
    return CheckpointError(
        f"A model {why}.", "See that it is this model, or get it again where it was published."
    )
