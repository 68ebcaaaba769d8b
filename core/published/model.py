"""What goes into the folder of a published model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from torch import Tensor

from core.contact import ClipRanking
from core.model.config import ModelConfig
from core.published.document import Origin


@dataclass(frozen=True)
class TokenizerFile:
    """A tokenizer, and how it is used."""

    path: Path
    eos_id: int = 1
    pad_id: int = 1
    """The paper's: T5's, padded with its end."""


@dataclass(frozen=True)
class CodecFiles:
    """An image codec in taming's format."""

    config: Path
    weights: Path

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """Those of a codec that was imported, or is shipped with a run."""
        return cls(folder / "config.yaml", folder / "vqgan.safetensors")


@dataclass(frozen=True)
class Model:
    """A model to publish."""

    config: ModelConfig
    parameters: Mapping[str, Tensor]
    origin: Origin
    tokenizer: TokenizerFile | None = None
    codec: CodecFiles | None = None
    ranker: ClipRanking | Path | None = None
    """What picks the best of its pictures: a model on the Hub, or the file of a scorer (`core.ranking.scorer`)."""
