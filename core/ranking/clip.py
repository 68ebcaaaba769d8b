"""Ranks pictures by CLIP (Radford et al., 2021), as the transformers library computes it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from safetensors import SafetensorError
from torch import Tensor

from core.errors import RankingError
from core.ranking.hub import LARGEST
from core.ranking.ranker import check_images, cosines, of_unit_length, within_memory
from core.run.validation import in_words
from core.storage.files import read_bounded
from core.text import CaptionTokenizer

if TYPE_CHECKING:
    from transformers import CLIPConfig, CLIPModel

_BATCH = 32
"""Images that are embedded at a time."""
_BYTES = 2
"""Fewest bytes of a weight."""
_REMEDY = "Tell the run's organiser; pictures can be drawn without being ranked."

Width = Annotated[int, Field(ge=1, le=8192)]
_Count = Annotated[int, Field(ge=1, le=128)]


class _Tower(BaseModel):
    """Sizes of one of the two networks; other keys of the file are passed over.

    Among those are names of code, of kernels and of quantizers, which must not be looked for.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    hidden_size: Width
    intermediate_size: Width
    num_attention_heads: _Count
    num_hidden_layers: _Count = 12
    hidden_act: Literal["quick_gelu", "gelu"] = "quick_gelu"
    layer_norm_eps: Annotated[float, Field(gt=0, lt=1)] = 1e-5

    @property
    def in_layers(self) -> int:
        """Number of weights in the layers' matrices."""
        width = self.hidden_size
        return self.num_hidden_layers * width * (4 * width + 2 * self.intermediate_size)

    @model_validator(mode="after")
    def _heads_divide(self) -> Self:
        if self.hidden_size % self.num_attention_heads:
            raise ValueError("num_attention_heads must divide hidden_size")
        return self


class _ClipTextTower(_Tower):
    hidden_size: Width = 512
    intermediate_size: Width = 2048
    num_attention_heads: _Count = 8
    vocab_size: Annotated[int, Field(ge=2, le=1 << 20)] = 49_408
    max_position_embeddings: Annotated[int, Field(ge=2, le=4096)] = 77

    @property
    def eos_token_id(self) -> int:
        """Last token of CLIP's vocabularies; some configurations wrongly say 2."""
        return self.vocab_size - 1


class _VisionTower(_Tower):
    hidden_size: Width = 768
    intermediate_size: Width = 3072
    num_attention_heads: _Count = 12
    image_size: Annotated[int, Field(ge=8, le=1024)] = 224
    patch_size: Annotated[int, Field(ge=4, le=256)] = 32


class ClipSizes(BaseModel):
    """A ``config.json`` of a CLIP model, in its bounds."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    model_type: Literal["clip"]
    projection_dim: Width = 512
    """Channels of the embeddings that text and image share."""
    text_config: _ClipTextTower = _ClipTextTower()
    vision_config: _VisionTower = _VisionTower()

    @property
    def fewest_parameters(self) -> int:
        """Number of parameters without biases and norms."""
        text, vision = self.text_config, self.vision_config
        embedded = text.hidden_size * (text.vocab_size + text.max_position_embeddings)
        patches = vision.hidden_size * (
            3 * vision.patch_size**2 + (vision.image_size // vision.patch_size) ** 2
        )
        projections = self.projection_dim * (text.hidden_size + vision.hidden_size)
        return embedded + patches + projections + text.in_layers + vision.in_layers

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the ``config.json`` at ``path``.

        Raises RankingError if it cannot be read or used; the message names the value at fault.
        """
        try:
            return cls.model_validate_json(read_bounded(path, LARGEST[path.name]))
        except ValidationError as error:
            raise RankingError(
                f"{path} is of no CLIP model that can be used: {in_words(error)}.", _REMEDY
            ) from error
        except (OSError, ValueError) as error:
            raise RankingError(f"{path} cannot be read: {error}.", _REMEDY) from error


class ClipRanker:
    """A `Ranker` by CLIP's cosine of prompt and picture."""

    def __init__(self, model: "CLIPModel", sizes: ClipSizes, tokenizer: CaptionTokenizer) -> None:
        """Switch the model to evaluation, in place; its parameters get no gradients from then on.

        Args:
            model: CLIP model, on the device that computes.
            sizes: Sizes of that model: the side of its pictures in pixels, and its vocabulary.
            tokenizer: The model's own tokenizer, which ends prompts with the last token of the vocabulary.
        """
        from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

        self._model, self._tokenizer = model.eval().requires_grad_(False), tokenizer
        self._end = sizes.text_config.eos_token_id
        side = sizes.vision_config.image_size
        # By Pillow: the processor that the library prefers needs torchvision.
        self._processor = CLIPImageProcessorPil(
            size={"shortest_edge": side}, crop_size={"height": side, "width": side}
        )

    @classmethod
    def load(cls, folder: Path, device: torch.device | str = "cpu") -> Self:
        """Load the model in a ``folder`` to a ``device``.

        Its files are ``config.json``, ``tokenizer.json`` and ``model.safetensors``.

        Raises:
            RankingError: a file is missing, damaged, out of bounds, or does not fit the others.
            TextError: the tokenizer cannot be used.
        """
        sizes = ClipSizes.read(folder / "config.json")
        text = sizes.text_config
        tokenizer = CaptionTokenizer.load(
            folder / "tokenizer.json",
            length=text.max_position_embeddings,
            eos_id=text.eos_token_id,
            vocab=text.vocab_size,
        )
        return cls(_load_model(folder, sizes).to(device), sizes, tokenizer)

    @within_memory()
    @torch.inference_mode()
    def scores(self, prompt: str, images: Tensor) -> Tensor:
        """Score ``images``, floats (n, 3, height, width) in [0, 1], by ``prompt``, as `Ranker.scores` states.

        Returns float32 of shape (n,), and raises the same errors.
        """
        check_images(images)
        return cosines(self._read(prompt), self._seen_all(images))

    @within_memory()
    @torch.inference_mode()
    def embed_texts(self, texts: Sequence[str]) -> Tensor:
        """Return the embeddings of ``texts``, float32 (n, d), as `Embedder.embed_texts` states.

        They are read one by one, as each is cut to its own length.
        """
        return of_unit_length(torch.stack([self._read(text) for text in texts]))

    @within_memory()
    @torch.inference_mode()
    def embed_images(self, images: Tensor) -> Tensor:
        """Return the embeddings of ``images``, float32 (n, d), as `Embedder.embed_images` states."""
        check_images(images)
        return of_unit_length(self._seen_all(images))

    def _seen_all(self, images: Tensor) -> Tensor:
        return torch.cat([self._seen(batch) for batch in images.split(_BATCH)])

    def _read(self, prompt: str) -> Tensor:
        """Return the embedding of a prompt, (d,), cut to the tokens that the model has positions for."""
        tokens = self._tokenizer.encode([prompt])
        tokens = tokens[:, : int((tokens == self._end).int().argmax()) + 1]
        embedding: Tensor = self._model.get_text_features(tokens.to(self._model.device)).pooler_output[0]
        return embedding

    def _seen(self, images: Tensor) -> Tensor:
        """Return the embeddings (n, d) of images, resized and normalised as by CLIP's own processor."""
        pixels = (images.detach().clamp(0, 1) * 255).round().byte().permute(0, 2, 3, 1).cpu().numpy()
        values = self._processor.preprocess(
            list(pixels), input_data_format="channels_last", return_tensors="pt"
        )
        features = self._model.get_image_features(values["pixel_values"].to(self._model.device))
        embeddings: Tensor = features.pooler_output
        return embeddings


def _load_model(folder: Path, sizes: ClipSizes) -> "CLIPModel":
    """Load weights from safetensors alone; nothing that the folder names is fetched from elsewhere."""
    from transformers import CLIPModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        _check_size(folder / "model.safetensors", sizes)
        model, found = CLIPModel.from_pretrained(
            folder,
            config=_config(sizes),
            attn_implementation="sdpa",
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
        )
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
        reason = str(error).partition("\n")[0]
        raise RankingError(f"The CLIP model in {folder} cannot be used: {reason}.", _REMEDY) from error
    if missing := sorted(found["missing_keys"]):
        raise RankingError(
            f"The CLIP model in {folder} lacks {len(missing)} tensors, such as {missing[0]}.", _REMEDY
        )
    return model


def _check_size(weights: Path, sizes: ClipSizes) -> None:
    """Check that the file is large enough for its model.

    The library would create missing tensors, in as much memory as the configuration says.
    """
    if _BYTES * sizes.fewest_parameters > weights.stat().st_size:
        raise RankingError(f"{weights} is too small for the model of that size in its config.json.", _REMEDY)


def _config(sizes: ClipSizes) -> "CLIPConfig":
    from transformers import CLIPConfig

    values = sizes.model_dump(exclude={"model_type"})
    values["text_config"]["eos_token_id"] = sizes.text_config.eos_token_id
    return CLIPConfig(**values)
