"""A codec as a folder holds it: its configuration, and its one file of weights."""

from pathlib import Path

import torch

from core.codec.vqgan import ImageCodec, load_codec
from core.errors import CodecError
from core.files import sha256_of

_CONFIG_NAME = "config.yaml"


def codec_in(folder: Path, device: torch.device | str = "cpu") -> tuple[ImageCodec, str]:
    """The codec of a folder, on a device, and the digest of its weights.

    Raises:
        CodecError: its configuration or weights are missing, or cannot be used.
    """
    weights = weights_in(folder)
    return load_codec(folder / _CONFIG_NAME, weights).to(device), sha256_of(weights)


def weights_in(folder: Path) -> Path:
    """The one file of weights in a codec's folder: safetensors, or a published checkpoint.

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
    """The device of a choice: ``cpu``, ``cuda``, or ``auto`` for a GPU where there is one.

    Raises:
        CodecError: there is no GPU that PyTorch can use.
    """
    has_gpu = torch.cuda.is_available()
    if choice == "cuda" and not has_gpu:
        raise CodecError("There is no GPU that PyTorch can use here.", "Encode with --device cpu.")
    return torch.device("cuda" if has_gpu and choice != "cpu" else "cpu")
