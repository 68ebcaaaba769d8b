"""The contents of a published model's folder, and the shapes of its parameters before memory is taken for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from torch import Size, Tensor

from core.errors import CheckpointError
from core.memory.parameters import count
from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.published.document import ModelOrigin
from core.run.contact import ClipRanking
from core.skeletons import shapes_alone

LARGEST = {"depth": 1024, "dim_head": 512, "text_length": 4096, "grid": 64, "convolution_size": 64}
"""Largest values in a file from elsewhere of fields that the size of its tensors does not bound."""
_BYTES = 2
"""Fewest bytes of a parameter."""


def parameter_shapes(config: ModelConfig, file_size: int | None = None) -> dict[str, Size]:
    """Return names and shapes of the parameters of a model of ``config``, shared ones once.

    Raises:
        CheckpointError: the model is beyond `LARGEST`, or cannot be in a file of ``file_size`` bytes.
    """
    for field, limit in LARGEST.items():
        if (value := getattr(config, field)) > limit:
            raise _absurd(f"with {field} = {value} is too large: the limit is {limit}")
    if file_size is not None and _BYTES * (parameters := count(config)) > file_size:
        raise _absurd(f"of {parameters:,} parameters cannot be in a file of {file_size:,} bytes")
    with shapes_alone():
        return {name: tensor.shape for name, tensor in Transformer(config).state_dict().items()}


def _absurd(why: str) -> CheckpointError:
    return CheckpointError(
        f"A model {why}.", "See that it is this model, or get it again where it was published."
    )


@dataclass(frozen=True)
class TokenizerFile:
    """A tokenizer's file, and the ids that it is used with."""

    path: Path
    eos_id: int = 1
    pad_id: int = 1
    """Id of the padding; by default T5's end token, as in the paper."""


@dataclass(frozen=True)
class CodecFiles:
    """An image codec in taming's format."""

    config: Path
    weights: Path

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """Return the files in the ``folder`` of a codec that was imported, or comes with a run."""
        return cls(folder / "config.yaml", folder / "vqgan.safetensors")


@dataclass(frozen=True)
class Model:
    """A model to publish."""

    config: ModelConfig
    parameters: Mapping[str, Tensor]
    origin: ModelOrigin
    tokenizer: TokenizerFile | None = None
    codec: CodecFiles | None = None
    ranker: ClipRanking | Path | None = None
    """Ranker of its pictures: a model on the Hub, or a scorer's file (`core.ranking.scorer`); None: no ranker."""
    usual_guidance: float = 1.0
    """Factor by which its drawings are guided, without a unit; 1 if it cannot be guided."""
