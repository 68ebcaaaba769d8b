"""An image codec's configuration file: taming-transformers' own YAML, validated before it is used."""

from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.errors import CodecError
from core.storage.files import read_bounded

CONFIG_BYTES = 1 << 13
"""Largest size of a configuration file, in bytes."""
ATTENTION_SIDE = 64
"""Largest side on which attention is allowed: it holds a matrix of (side * side)^2 for each image."""

_REMEDY = "Get the codec's configuration again from where the run's manifest came from."

_FAULTS = (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError)
"""Errors of PyYAML: where a value is not of the type that it has or states, Python's own, as for ``2001-99-99``."""

Channels = Annotated[int, Field(ge=1, le=4096)]


class BackboneConfig(BaseModel):
    """The encoder, and the decoder that mirrors it: taming's ``ddconfig``, whose other keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    double_z: Literal[False] = False
    z_channels: Channels
    """Channels of the encoder's output, which a convolution maps to those of the codebook."""
    resolution: Annotated[int, Field(ge=8, le=1024)]
    """Positions along one side of the encoder's input: pixels, unless `CodecParams.pixel_unshuffle` joins them."""
    in_channels: Channels
    """Channels of the encoder's input: 3, times the square of `CodecParams.pixel_unshuffle`."""
    out_ch: Channels
    """Channels of the decoder's output, which are as many as those of the encoder's input."""
    ch: Annotated[int, Field(ge=32, le=1024, multiple_of=32)]
    """Channels of the first level, a multiple of the 32 groups of the group normalisation."""
    ch_mult: Annotated[
        tuple[Annotated[int, Field(ge=1, le=16)], ...], Field(strict=False, min_length=1, max_length=8)
    ]
    """Channels of each level as a multiple of `ch`; the side is halved from one level to the next."""
    num_res_blocks: Annotated[int, Field(ge=1, le=8)]
    """Residual blocks of each level of the encoder; the decoder has one more."""
    attn_resolutions: Annotated[
        tuple[Annotated[int, Field(ge=1, le=ATTENTION_SIDE)], ...], Field(strict=False, max_length=8)
    ]
    """Sides of levels, in positions, that have attention after each residual block."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Probability with which training drops a value in a residual block."""
    resamp_with_conv: bool = True


class CodecParams(BaseModel):
    """Parameters of the codec: taming's ``params``, and ``pixel_unshuffle`` and ``patch_encoder``, which are ours.

    With ``pixel_unshuffle: k`` every k x k block of pixels becomes one position of k * k times as many
    channels before the encoder, and the reverse follows the decoder: ``resolution``, ``in_channels`` and
    ``out_ch`` are then those behind it. The costly layers at full resolution fall away.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    embed_dim: Channels
    """Channels of a vector of the codebook."""
    n_embed: Annotated[int, Field(ge=2, le=1 << 16)]
    """Number of vectors in the codebook."""
    ddconfig: BackboneConfig
    pixel_unshuffle: Annotated[int, Field(ge=1, le=16)] = 1
    """Side k of the blocks, in pixels; 1 leaves images as they are."""
    patch_encoder: bool = False
    """True if the encoder sees nothing but the pixels of a code's own place (`PatchEncoder`), instead of taming's."""
    remap: None = None
    """A remapped codebook gives its codes another meaning, which nothing here knows of."""


class ModelSection(BaseModel):
    """The part of the file that says what the model is."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    target: Literal["taming.models.vqgan.VQModel", "taming.models.vqgan.GumbelVQ"]
    """Chooses the quantizer. The name is compared, never imported."""
    params: CodecParams


class CodecConfig(BaseModel):
    """A whole configuration file, in the format that taming-transformers publishes its models with."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    model: ModelSection

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        backbone, params = self.model.params.ddconfig, self.model.params
        pixels = 3 * params.pixel_unshuffle**2
        if (backbone.in_channels, backbone.out_ch) != (pixels, pixels):
            raise ValueError(f"in_channels and out_ch must be {pixels}: RGB after pixel_unshuffle")
        if backbone.resolution % self._backbone_downsampling:
            raise ValueError("resolution must be a multiple of what ch_mult downsamples it by")
        if self.grid > ATTENTION_SIDE:
            raise ValueError(f"the grid of codes must be at most {ATTENTION_SIDE} on a side")
        if self.gumbel and params.embed_dim != backbone.z_channels:
            raise ValueError("embed_dim and z_channels must be equal with GumbelVQ")
        return self

    @property
    def gumbel(self) -> bool:
        """True if codes are chosen by Gumbel-softmax logits instead of the nearest codebook vector."""
        return self.model.target.endswith("GumbelVQ")

    @property
    def codebook_name(self) -> str:
        """Name of the codebook, of shape (n_embed, embed_dim), among the weights."""
        return f"quantize.{'embed' if self.gumbel else 'embedding'}.weight"

    @property
    def resolution(self) -> int:
        """Pixels on a side of the images the codec was trained on."""
        return self.model.params.ddconfig.resolution * self.model.params.pixel_unshuffle

    @property
    def downsampling(self) -> int:
        """Pixels on a side that one code stands for: f."""
        return self._backbone_downsampling * self.model.params.pixel_unshuffle

    @property
    def grid(self) -> int:
        """Codes on a side of an image of ``resolution``."""
        return self.resolution // self.downsampling

    @property
    def _backbone_downsampling(self) -> int:
        return 1 << (len(self.model.params.ddconfig.ch_mult) - 1)


class _HasReferences(yaml.YAMLError):
    """A file has references."""


class _PlainLoader(yaml.SafeLoader):
    """Reads YAML without references, of which a few lines stand for any amount of data."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Return the next node, at ``index`` of its ``parent``; raises _HasReferences if it is a reference."""
        if self.check_event(yaml.AliasEvent):
            raise _HasReferences
        return super().compose_node(parent, index)


def read_config(path: Path) -> CodecConfig:
    """Read, validate and return the configuration file at ``path``.

    Raises:
        CodecError: the file is missing, too long, no YAML, or a value is missing or out of bounds.
    """
    try:
        content = read_bounded(path, CONFIG_BYTES)
    except OSError as error:
        raise CodecError(f"{path} cannot be read: {error.strerror or error}.", _REMEDY) from error
    except ValueError as error:
        raise CodecError(f"{path} is too long for a codec's configuration.", _REMEDY) from error
    return parse_config(content, str(path))


def parse_config(content: bytes, name: str) -> CodecConfig:
    """Validate the content of a configuration file, and return the configuration.

    Args:
        content: Bytes of the file.
        name: Name of the file in error messages.

    Raises:
        CodecError: it is no YAML, has references, or a value is missing or out of bounds.
    """
    try:
        return CodecConfig.model_validate(yaml.load(content, _PlainLoader))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the file"
        raise CodecError(f"{name} cannot be used: {field}: {first['msg']}.", _REMEDY) from error
    except _HasReferences as error:
        raise CodecError(f"{name} has references, which are not read.", _REMEDY) from error
    except _FAULTS as error:
        raise CodecError(f"{name} is not a YAML file.", _REMEDY) from error
