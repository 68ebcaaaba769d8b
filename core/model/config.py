"""Definition of a model: sizes, attention patterns, sharing; validated, frozen, without torch."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator


class AttentionPattern(StrEnum):
    """Codes that a code sees besides all of the text and itself."""

    ROW = "row"
    COLUMN = "column"
    CONVOLUTIONAL = "convolutional"


Size = Annotated[int, Field(gt=0)]


class ModelConfig(BaseModel):
    """A decoder-only transformer over [captions | codes], as in Training Transformers Together, section 3.1.

    The first ``depth - 1`` layers cycle through ``patterns`` and through ``shared_layers`` sets of attention
    and feed-forward weights (0: every layer has its own); the last has ``last_pattern`` and its own weights.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    dim: Size
    """Channels of a position in the stream that the layers add to."""
    depth: Size
    heads: Size
    dim_head: Size = 64
    """Channels of an attention head."""
    text_length: Size = 256
    """Tokens of a caption, padding included."""
    text_vocab: Size = 32_100
    """Number of the tokenizer's tokens."""
    grid: Size = 32
    """Codes along one side of an image."""
    image_vocab: Size = 8192
    """Number of codes in the codebook."""
    patterns: Annotated[tuple[AttentionPattern, ...], Field(min_length=1, strict=False)] = (
        AttentionPattern.ROW,
        AttentionPattern.COLUMN,
        AttentionPattern.ROW,
        AttentionPattern.ROW,
    )
    last_pattern: Annotated[AttentionPattern, Field(strict=False)] = AttentionPattern.CONVOLUTIONAL
    convolution_size: Size = 5
    """Side, in codes, of the square that the convolutional pattern sees."""
    shared_layers: Annotated[int, Field(ge=0)] = 4
    """Number of sets of weights that all layers but the last use in turns; 0: every layer has its own."""
    feed_forward_factor: Size = 4
    """Channels inside the feed-forward sublayer, as a multiple of `dim`."""
    reversible: bool = True
    rotary: bool = True
    token_shift: bool = True
    image_loss_weight: Annotated[float, Field(gt=0)] = 7.0
    """Weight of the loss of the codes; that of the text has weight 1."""

    @model_validator(mode="after")
    def _consistent(self) -> "ModelConfig":
        if self.dim % 4:
            raise ValueError("dim must be a multiple of 4: token shift moves quarters of the channels")
        if self.rotary and self.dim_head < 8:
            raise ValueError("dim_head must be at least 8 with rotary embeddings")
        if self.dim_head % 2:
            raise ValueError("dim_head must be even: rotary embeddings turn pairs of channels")
        if self.shared_layers and self.shared_layers % len(self.patterns):
            raise ValueError("shared_layers must be a multiple of the number of patterns")
        return self

    @property
    def text_classes(self) -> int:
        """Text tokens, and one padding token for each text position, in place of token 0."""
        return self.text_vocab + self.text_length

    @property
    def text_positions(self) -> int:
        """Positions of the text in the sequence: BOS and the text."""
        return self.text_length + 1

    @property
    def image_length(self) -> int:
        """Codes in an image."""
        return self.grid * self.grid

    @property
    def sequence_length(self) -> int:
        """Positions that predict: BOS, the text, and the codes but the last."""
        return self.text_length + self.image_length

    def layer_pattern(self, layer: int) -> AttentionPattern:
        """Return the attention pattern of a ``layer``, counted from 0."""
        return self.last_pattern if layer == self.depth - 1 else self.patterns[layer % len(self.patterns)]

    def weight_set(self, layer: int) -> int:
        """Return the index of the attention and feed-forward weights of a layer; the last layer has its own."""
        if layer == self.depth - 1 or not self.shared_layers:
            return layer
        return layer % self.shared_layers


_PRESETS = {
    "dalle": ModelConfig(dim=1024, depth=64, heads=16),
    "emoji": ModelConfig(
        dim=192, depth=6, heads=3, text_length=16, text_vocab=2048, grid=8, image_vocab=1024, shared_layers=0
    ),
}


def preset(name: str) -> ModelConfig:
    """Return a named configuration: ``dalle`` is the paper's model, ``emoji`` that of the embedded run of all emoji.

    Raises:
        ValueError: there is none called ``name``.
    """
    try:
        return _PRESETS[name]
    except KeyError:
        raise ValueError(
            f"There is no preset {name!r}. Choose one of: {', '.join(sorted(_PRESETS))}."
        ) from None
