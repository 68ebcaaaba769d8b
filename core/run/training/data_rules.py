"""The rules of what a run learns from: its data, the tokens of its text, the codec of its pictures; free of torch."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from core.run.fields import HubCommit, HubRepo, Rules
from core.run.filters import FilterSettings
from core.storage.files import FileRef


class CodesBegin(StrEnum):
    """Origin of the first values of the vectors by which the model knows the codes."""

    DRAWN = "drawn"
    """They are drawn like all other parameters: the model has to learn which codes are alike."""
    CODEBOOK = "codebook"
    """They come from the codec's codebook: codes of like patches are alike from the first step on."""


class CodecRules(Rules):
    """The VQ-GAN that turned images into codes and turns codes into images."""

    config: FileRef
    """File of the configuration: taming-transformers' YAML."""
    weights: FileRef
    """File of the weights: safetensors, or a published checkpoint."""


class TextRules(Rules):
    """The encoding of captions as tokens."""

    tokenizer: FileRef
    """File of the tokenizer: JSON of the ``tokenizers`` library."""
    length: Annotated[int, Field(gt=0, le=65_536)] = 256
    """Tokens of a caption, the end included."""
    vocab: Annotated[int, Field(gt=0, le=2**24)] = 32_100
    """Number of the tokenizer's tokens."""
    eos_id: Annotated[int, Field(ge=0)] = 1
    """Id of the token that ends a caption."""
    pad_id: Annotated[int, Field(ge=0)] = 1
    """Id of the token that fills the rest of a caption."""

    @model_validator(mode="after")
    def _ids_exist(self) -> Self:
        if max(self.eos_id, self.pad_id) >= self.vocab:
            raise ValueError("eos_id and pad_id must be less than vocab")
        return self


class HubSource(Rules):
    """Shards in a data set on the Hugging Face Hub, read as a stream."""

    repo: HubRepo
    revision: HubCommit
    pattern: Annotated[str, StringConstraints(pattern=r"^[\w./*?\[\]-]+$", max_length=200)] = "**/*.parquet"
    """Glob of the files that are shards."""

    @property
    def files(self) -> str:
        """Text that names the files, with the commit that holds them."""
        return f"{self.repo}@{self.revision}/{self.pattern}"


USUAL_GUIDANCE = 1.5
"""Guidance of runs whose model learned pictures without captions as well."""
CaptionDropout = Annotated[float, Field(ge=0, le=0.5)]
"""Share of the samples that a model learns without their caption."""


def usual_guidance(caption_dropout: float) -> float:
    """Return the guidance with which pictures of a run are drawn, without a unit; 1 if its model cannot be guided.

    Args:
        caption_dropout: Share of the samples that the model learned without their caption.
    """
    return USUAL_GUIDANCE if caption_dropout else 1.0


class DataRules(Rules):
    """The code shards that peers learn from: files beside the manifest, or a data set on the Hub."""

    shards: Annotated[tuple[FileRef, ...], Field(max_length=4096)] = ()
    hub: HubSource | None = None
    heldout: FileRef | None = None
    """A shard that no peer trains on, for measurements."""
    filters: FilterSettings = FilterSettings()
    caption_dropout: CaptionDropout = 0.0
    """Share of the samples that a peer computes without their caption, so that drawing can be guided.

    The model then knows pictures in general as well, and `Sampling.guidance` strengthens what a prompt adds to that
    (Ho and Salimans, 2022: 0.1 to 0.2).
    """
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Seed from which each peer's order of rows derives."""

    @property
    def usual_guidance(self) -> float:
        """Guidance with which the run's sample prompts are drawn; 1 if its model cannot be guided."""
        return usual_guidance(self.caption_dropout)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if bool(self.shards) == (self.hub is not None):
            raise ValueError("give either shards or hub")
        if len({ref.path for ref in self.shards}) != len(self.shards):
            raise ValueError("a shard is named twice")
        return self
