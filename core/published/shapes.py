"""Which parameters a configuration asks for, told before memory is taken for any of them."""

import torch
from torch import Size

from core.errors import CheckpointError
from core.model.config import ModelConfig
from core.model.transformer import Transformer

LARGEST = {"depth": 1024, "text_length": 4096, "grid": 64, "convolution_size": 64}
"""What a file from elsewhere may ask for where the size of its tensors bounds nothing."""


def parameter_shapes(config: ModelConfig) -> dict[str, Size]:
    """Names and shapes of the parameters, shared ones once; CheckpointError for a model beyond `LARGEST`."""
    for field, limit in LARGEST.items():
        if (value := getattr(config, field)) > limit:
            raise CheckpointError(
                f"A model with {field} = {value} is beyond what is read from files: at most {limit}.",
                "Get the model again from where it was published.",
            )
    with torch.device("meta"):
        return {name: tensor.shape for name, tensor in Transformer(config).state_dict().items()}
