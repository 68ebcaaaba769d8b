"""A codec of the real architecture, tiny and untrained, and pictures of noise to encode with it."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from core.codec.autoencoder import Autoencoder
from core.codec.config import read_config
from core.codec.weights import save_weights
from core.data.sources.folder import ImageFolder

CODEC_CONFIG = """
model:
  target: taming.models.vqgan.VQModel
  params:
    embed_dim: 4
    n_embed: 16
    ddconfig:
      {z_channels: 4, resolution: 8, in_channels: 3, out_ch: 3, ch: 32, ch_mult: [1, 1], num_res_blocks: 1,
      attn_resolutions: []}
"""


def write_codec(folder: Path, codes: int = 16) -> Path:
    """Writes the codec's configuration and weights; a code, one of so many, stands for 2 x 2 pixels."""
    (folder / "config.yaml").write_text(CODEC_CONFIG.replace("n_embed: 16", f"n_embed: {codes}"))
    torch.manual_seed(0)
    model = Autoencoder(read_config(folder / "config.yaml"))
    with torch.no_grad():
        model.codebook.normal_()
    save_weights(model.state_dict(), folder / "vqgan.safetensors")
    return folder


def picture(seed: int, size: tuple[int, int] = (20, 16), kind: str = "PNG") -> bytes:
    """An encoded image of noise; ``size`` is height and width."""
    noise = np.random.default_rng(seed).integers(0, 256, (*size, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, kind)
    return buffer.getvalue()


def write_source(folder: Path, pictures: Sequence[tuple[str, bytes, dict[str, object]]]) -> ImageFolder:
    """A folder of images whose captions are their names, with more metadata for each."""
    folder.mkdir()
    for name, data, _ in pictures:
        (folder / name).write_bytes(data)
    lines = [
        json.dumps({"file_name": name, "caption": name.removesuffix(".png"), **more})
        for name, _, more in pictures
    ]
    (folder / "metadata.jsonl").write_text("\n".join(lines))
    return ImageFolder(folder)
