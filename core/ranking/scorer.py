"""A small image-text scorer: two networks whose embeddings of a picture and of its caption point the same way.

It is for runs of small pictures that CLIP was not made for: CLIP's objective (Radford et al., 2021, section 2.3) on
the run's own pictures and tokens. Its file is safetensors that carry their configuration.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Self

import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialize
from torch import Tensor, nn
from torch.nn import functional

from core.errors import RankingError
from core.ranking.ranker import check_images, cosines, of_unit_length, within_memory
from core.run.validation import in_words
from core.skeletons import shapes_alone
from core.storage.files import write_atomically
from core.text import CaptionTokenizer

LARGEST = 256 << 20
"""Largest size of a scorer's file, in bytes."""
_PATCH = 4
"""Pixels on a side that become channels before the first convolution, which saves costly layers at full size."""
_STRIDE = 4 * _PATCH
"""Pixels on a side that one position after the last convolution stands for."""
_GROUPS = 8
"""Number of groups in which channels are normalised."""
_HEADS = 4
_BATCH = 256
"""Pictures, or captions, that are embedded at a time."""
_KINDS = {"F16", "F32"}
"""Types of numbers that are allowed, by safetensors' names; it has others that torch does not compute with."""
_CONFIG = "scorer"
"""Key of the configuration in the file's metadata."""
_REMEDY = "Get the run's files again from where its manifest came from."


class ScorerConfig(BaseModel):
    """Sizes of a scorer."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    vocab: Annotated[int, Field(ge=1, le=1 << 16)]
    """Number of the tokenizer's tokens."""
    length: Annotated[int, Field(ge=1, le=1024)]
    """Tokens of a caption, padding included."""
    resolution: Annotated[int, Field(ge=_STRIDE, le=256, multiple_of=_STRIDE)]
    """Pixels on a side; pictures of another size are resized."""
    width: Annotated[int, Field(ge=_GROUPS, le=256, multiple_of=_GROUPS)] = 32
    """Channels of the first convolution; the next two stages have twice and four times as many."""
    dim: Annotated[int, Field(ge=_HEADS, le=1024, multiple_of=_HEADS)] = 96
    """Channels of words, and of the embeddings."""
    depth: Annotated[int, Field(ge=0, le=12)] = 1
    """Attention layers over a caption."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Probability with which training drops a value."""


class _Residual(nn.Module):
    """Two convolutions, each normalised and activated before, whose output is added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(*_convolution(channels, channels), *_convolution(channels, channels))

    def forward(self, hidden: Tensor) -> Tensor:
        added: Tensor = self.layers(hidden)
        return hidden + added


def _convolution(channels: int, to: int, stride: int = 1) -> list[nn.Module]:
    return [nn.GroupNorm(_GROUPS, channels), nn.SiLU(), nn.Conv2d(channels, to, 3, stride, padding=1)]


class _ImageTower(nn.Sequential):
    """Maps pixels (n, 3, resolution, resolution) in [0, 1] to embeddings (n, dim)."""

    def __init__(self, config: ScorerConfig) -> None:
        width, places = config.width, (config.resolution // _STRIDE) ** 2
        super().__init__(
            nn.PixelUnshuffle(_PATCH),
            nn.Conv2d(3 * _PATCH**2, width, 3, padding=1),
            _Residual(width),
            *_convolution(width, 2 * width, stride=2),
            _Residual(2 * width),
            *_convolution(2 * width, 4 * width, stride=2),
            _Residual(4 * width),
            nn.GroupNorm(_GROUPS, 4 * width),
            nn.SiLU(),
            nn.Flatten(),
            nn.Dropout(config.dropout),
            nn.Linear(4 * width * places, config.dim),
        )


class _TextTower(nn.Module):
    """Maps tokens, int64 (n, length), to embeddings (n, dim)."""

    def __init__(self, config: ScorerConfig) -> None:
        super().__init__()
        # Drawn uniformly: normal draws on the meta device load torch's compiler, which takes seconds.
        self.words = nn.Parameter(torch.empty(config.vocab, config.dim).uniform_(-0.1, 0.1))
        self.places = nn.Parameter(torch.empty(config.length, config.dim).uniform_(-0.1, 0.1))
        self.layers = nn.ModuleList(_attention_layer(config) for _ in range(config.depth))
        self.out = nn.Sequential(
            nn.LayerNorm(config.dim),
            nn.Linear(config.dim, 2 * config.dim),
            nn.GELU(),
            nn.Linear(2 * config.dim, config.dim),
        )

    def forward(self, tokens: Tensor) -> Tensor:
        # The last token is the end or padding, whichever their ids. Were they averaged with the words, captions would
        # start so much alike that nothing is learned.
        words = tokens != tokens[:, -1:]
        words[:, 0] = True  # of a caption without any
        hidden = functional.embedding(tokens, self.words) + self.places
        for layer in self.layers:
            hidden = layer(hidden, src_key_padding_mask=~words)
        weights = words / words.sum(dim=1, keepdim=True)
        embeddings: Tensor = self.out(torch.einsum("nld,nl->nd", hidden, weights))
        return embeddings


def _attention_layer(config: ScorerConfig) -> nn.TransformerEncoderLayer:
    return nn.TransformerEncoderLayer(
        config.dim, _HEADS, 2 * config.dim, config.dropout, "gelu", batch_first=True, norm_first=True
    )


class Scorer(nn.Module):
    """The text and image networks, whose embeddings are compared by the cosine of the angle."""

    def __init__(self, config: ScorerConfig) -> None:
        """Build both networks in the sizes of ``config``, with random weights from torch's generator."""
        super().__init__()
        self.config = config
        self.image = _ImageTower(config)
        self.text = _TextTower(config)

    def save(self, path: Path) -> None:
        """Write the weights, in 16 bits, and the configuration to ``path``; whole or not at all."""
        half = {
            name: tensor.detach().to(torch.float16).contiguous() for name, tensor in self.state_dict().items()
        }
        write_atomically(path, serialize(half, {_CONFIG: self.config.model_dump_json()}))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the scorer in the file at ``path``; its sizes are checked before memory is taken for it.

        Raises:
            RankingError: the file is missing, too large, damaged, or none of a scorer.
        """
        try:
            if path.stat().st_size > LARGEST:
                raise RankingError(f"{path} is too large for a scorer.", _REMEDY)
            with safe_open(path, framework="pt") as file:
                scorer = cls._unfilled(file.metadata() or {})
                expected = {name: list(tensor.shape) for name, tensor in scorer.state_dict().items()}
                names = file.keys()
                stored = {name: file.get_slice(name) for name in names}
                kinds = {one.get_dtype() for one in stored.values()}
                if kinds - _KINDS or {name: one.get_shape() for name, one in stored.items()} != expected:
                    raise RankingError(f"{path} does not hold the weights that it says.", _REMEDY)
                weights = {name: file.get_tensor(name).float() for name in names}
        except OSError as error:
            raise RankingError(f"{path} cannot be read: {error.strerror or error}.", _REMEDY) from error
        except SafetensorError as error:
            raise RankingError(f"{path} is damaged, or no safetensors file.", _REMEDY) from error
        except ValidationError as error:
            raise RankingError(f"{path} holds no scorer: {in_words(error)}.", _REMEDY) from error
        scorer.load_state_dict(weights, assign=True)
        return scorer

    @classmethod
    def _unfilled(cls, metadata: Mapping[str, str]) -> Self:
        """Return a scorer with shapes and no memory; ValidationError if the metadata are of none."""
        config = ScorerConfig.model_validate_json(metadata.get(_CONFIG, "{}"))
        with shapes_alone():
            return cls(config)


class ScorerRanker:
    """A `Ranker` by a scorer of the run."""

    def __init__(
        self, scorer: Scorer, tokenizer: CaptionTokenizer, device: torch.device | str = "cpu"
    ) -> None:
        """Move the scorer and switch it to evaluation, in place; its parameters get no gradients from then on.

        Args:
            scorer: Scorer of the run.
            tokenizer: Tokenizer of the run, whose length and vocabulary are those of the scorer.
            device: Device that computes; prompts and pictures are moved there.
        """
        self._scorer = scorer.to(device).eval().requires_grad_(False)
        self._tokenizer, self._device = tokenizer, device

    @classmethod
    def load(cls, path: Path, tokenizer: CaptionTokenizer, device: torch.device | str = "cpu") -> Self:
        """Load the scorer at ``path`` to a ``device``, to rank by tokens of ``tokenizer``.

        Raises RankingError as `Scorer.load`, or if the scorer was made for other tokens.
        """
        scorer = Scorer.load(path)
        if (tokenizer.length, tokenizer.vocab_size) != (scorer.config.length, scorer.config.vocab):
            raise RankingError(
                f"The scorer {path} was made for another tokenizer than the run's.",
                "Tell the run's organiser; pictures can be drawn without being ranked.",
            )
        return cls(scorer, tokenizer, device)

    @within_memory()
    @torch.inference_mode()
    def scores(self, prompt: str, images: Tensor) -> Tensor:
        """Score ``images``, floats (n, 3, height, width) in [0, 1], by ``prompt``, as `Ranker.scores` states.

        Returns float32 of shape (n,), and raises the same errors.
        """
        check_images(images)
        return cosines(self._read([prompt])[0], self._seen(images))

    @within_memory()
    @torch.inference_mode()
    def embed_texts(self, texts: Sequence[str]) -> Tensor:
        """Return the embeddings of ``texts``, float32 (n, dim), as `Embedder.embed_texts` states."""
        return of_unit_length(self._read(texts))

    @within_memory()
    @torch.inference_mode()
    def embed_images(self, images: Tensor) -> Tensor:
        """Return the embeddings of ``images``, float32 (n, dim), as `Embedder.embed_images` states."""
        check_images(images)
        return of_unit_length(self._seen(images))

    def _read(self, texts: Sequence[str]) -> Tensor:
        tokens = self._tokenizer.encode(texts).to(self._device)
        return torch.cat([self._scorer.text(batch) for batch in tokens.split(_BATCH)])

    def _seen(self, images: Tensor) -> Tensor:
        return torch.cat([self._scorer.image(self._resized(batch)) for batch in images.split(_BATCH)])

    def _resized(self, images: Tensor) -> Tensor:
        side = self._scorer.config.resolution
        pixels = images.to(self._device, torch.float32).clamp(0, 1)
        if pixels.shape[2:] == (side, side):
            return pixels
        return functional.interpolate(pixels, (side, side), mode="bilinear", antialias=True)
