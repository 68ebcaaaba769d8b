"""The image codec of a run: images to codes and back, by a VQ-GAN in the format of taming-transformers."""

from pathlib import Path
from typing import Self

import torch
from torch import Tensor

from core.codec.autoencoder import Autoencoder
from core.codec.config import ATTENTION_SIDE, CodecConfig, read_config
from core.codec.weights import check_weights, read_weights
from core.errors import CodecError
from core.skeletons import shapes_alone
from core.storage.files import sha256_of


class ImageCodec:
    """Maps images to codes and back, without gradients; the same images have the same codes."""

    def __init__(self, model: Autoencoder) -> None:
        """Switch ``model`` to evaluation, in place; its parameters get no gradients from then on."""
        self._model = model.eval().requires_grad_(False)

    @property
    def config(self) -> CodecConfig:
        """Configuration of the codec."""
        return self._model.config

    @property
    def codebook_size(self) -> int:
        """Number of codes; all are below this."""
        return self.config.model.params.n_embed

    @property
    def downsampling(self) -> int:
        """Pixels on a side that one code stands for: f."""
        return self.config.downsampling

    @property
    def grid(self) -> int:
        """Codes on a side of an image of the size the codec was trained on."""
        return self.config.grid

    def weights(self) -> dict[str, Tensor]:
        """Return the weights, not copies, by the names of taming's models; each has its parameter's shape."""
        return self._model.state_dict()

    def to(self, device: torch.device | str) -> Self:
        """Move the codec to ``device``, in place, and return it."""
        self._model.to(device)
        return self

    @torch.inference_mode()
    def encode(self, images: Tensor) -> Tensor:
        """Return the codes, int64 (n, H / f, W / f), of ``images``, floats (n, 3, H, W) in [0, 1].

        Raises:
            ValueError: another shape or type, or a side that is no multiple of f, or is too large.
        """
        self._check_images(images)
        pixels = images.to(self.device, torch.float32) * 2 - 1
        return self._model.nearest(self._model.latents(pixels)).to(torch.int64).clone()

    @torch.inference_mode()
    def decode(self, codes: Tensor) -> Tensor:
        """Return the images, float32 (n, 3, h * f, w * f) in [0, 1], of ``codes``, int64 (n, h, w).

        Raises:
            CodecError: a code is not of the codebook.
            ValueError: another shape or type.
        """
        self._check_codes(codes)
        pixels = self._model.pixels(self._model.entries(codes.to(self.device)))
        return ((pixels + 1) / 2).clamp(0, 1)

    @property
    def device(self) -> torch.device:
        """Device of the codec."""
        return self._model.codebook.device

    def _check_images(self, images: Tensor) -> None:
        if images.ndim != 4 or images.shape[1] != 3 or not len(images) or not images.is_floating_point():
            raise ValueError(
                f"images must be floats of shape (n, 3, H, W), not {images.dtype} of {tuple(images.shape)}"
            )
        limit = ATTENTION_SIDE * self.downsampling
        if any(side % self.downsampling or not 0 < side <= limit for side in images.shape[2:]):
            raise ValueError(
                f"sides of images must be multiples of {self.downsampling}, at most {limit} pixels"
            )

    def _check_codes(self, codes: Tensor) -> None:
        if codes.ndim != 3 or not len(codes) or codes.dtype != torch.int64:
            raise ValueError(
                f"codes must be int64 of shape (n, h, w), not {codes.dtype} of {tuple(codes.shape)}"
            )
        if any(not 0 < side <= ATTENTION_SIDE for side in codes.shape[1:]):
            raise ValueError(f"a grid of codes has 1 to {ATTENTION_SIDE} codes on a side")
        if not 0 <= int(codes.min()) <= int(codes.max()) < self.codebook_size:
            raise CodecError(
                f"Codes from {int(codes.min())} to {int(codes.max())} are not all of this codec, "
                f"whose codes are 0 to {self.codebook_size - 1}.",
                "Use codes that were made by the same codec.",
            )


def load_codec(config_path: Path, weights_path: Path) -> ImageCodec:
    """Load and return a codec from its configuration in taming's format and its weights.

    No memory is taken for weights before those in the file are known to be what the configuration asks for.

    Args:
        config_path: YAML file of the configuration.
        weights_path: File of the weights, ``.safetensors`` or ``.ckpt``.

    Raises:
        CodecError: one of the files is missing, damaged, out of bounds, or does not fit the other.
    """
    model = _without_weights(read_config(config_path))
    model.load_state_dict(read_weights(weights_path, _shapes(model)), assign=True)
    return ImageCodec(model)


def check_codec_files(config_path: Path, weights_path: Path) -> None:
    """Check the names and the shapes of all weights of a codec, encoder and decoder, without reading their values.

    Args:
        config_path: YAML file of the configuration.
        weights_path: File of the weights, ``.safetensors`` or ``.ckpt``.

    Raises:
        CodecError: one of the files is missing, damaged, out of bounds, or does not fit the other.
    """
    check_weights(weights_path, weight_shapes(read_config(config_path)))


def weight_shapes(config: CodecConfig) -> dict[str, torch.Size]:
    """Return the shape of each weight of a codec by name.

    Args:
        config: Configuration of the codec.
    """
    return _shapes(_without_weights(config))


def _without_weights(config: CodecConfig) -> Autoencoder:
    with shapes_alone():
        return Autoencoder(config)


def _shapes(model: Autoencoder) -> dict[str, torch.Size]:
    return {name: tensor.shape for name, tensor in model.state_dict().items()}


_CONFIG_NAME = "config.yaml"


def codec_in(folder: Path, device: torch.device | str = "cpu") -> tuple[ImageCodec, str]:
    """Return the codec in ``folder``, moved to ``device``, and the SHA-256 of its weights' file.

    Raises:
        CodecError: its configuration or weights are missing, or cannot be used.
    """
    weights = weights_in(folder)
    return load_codec(folder / _CONFIG_NAME, weights).to(device), sha256_of(weights)


def weights_in(folder: Path) -> Path:
    """Return the one file of weights in a codec's ``folder``: safetensors, or a published checkpoint.

    Raises:
        CodecError: there is none, or more than one.
    """
    found = sorted(path for path in folder.glob("*") if path.suffix in (".safetensors", ".ckpt"))
    if len(found) != 1:
        raise CodecError(
            f"{folder} holds {len(found)} files of weights.",
            f"Put one .safetensors or .ckpt file there, beside {_CONFIG_NAME}.",
        )
    return found[0]


def device_for(choice: str) -> torch.device:
    """Return the device of a ``choice``: ``cpu``, ``cuda``, or ``auto`` for a GPU where there is one.

    Raises:
        CodecError: ``cuda`` is chosen, and there is no GPU that PyTorch can use.
    """
    has_gpu = torch.cuda.is_available()
    if choice == "cuda" and not has_gpu:
        raise CodecError("There is no GPU that PyTorch can use here.", "Encode with --device cpu.")
    return torch.device("cuda" if has_gpu and choice != "cpu" else "cpu")
