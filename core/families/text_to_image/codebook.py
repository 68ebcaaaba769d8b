"""The codec's codebook as the vectors by which a model begins to know the codes.

All peers have to begin with the same bits. Sums of floats depend on a processor's vector width, and powers on the
system's library, so this is computed element by element, by sums that are rounded once, and by square roots.
"""

import math
from pathlib import Path

import torch
from torch import Tensor

from core.codec.config import read_config
from core.codec.weights import read_weights
from core.errors import CodecError
from core.families.text_to_image.rules import TextToImageRules
from core.storage.files import resolve_file


def codebook(training: TextToImageRules, folder: Path) -> Tensor:
    """Return the codebook of the run's codec, (codes, channels).

    Args:
        training: Rules of the run.
        folder: Folder of the run's files.

    Raises:
        CodecError: The codec is damaged, or its codebook is of another shape.
        ManifestError: The codec is missing.
    """
    codec = training.codec
    config = read_config(resolve_file(codec.config, folder))
    shape = torch.Size((training.model.image_vocab, config.model.params.embed_dim))
    return read_weights(resolve_file(codec.weights, folder), {config.codebook_name: shape})[
        config.codebook_name
    ]


def sketched(vectors: Tensor, dim: int, generator: torch.Generator) -> Tensor:
    """Return vectors of ``dim`` channels whose inner products are about those of the given ones, times one factor.

    Channels are repeated, or added up, to fill the new ones, each time with a sign drawn by lot: a count sketch
    (Charikar, Chen and Farach-Colton, 2002). The values spread as widely as those that linear maps begin with.

    Args:
        vectors: Vectors to sketch, (n, channels).
        dim: Number of channels of the result, which is float64 (n, dim).
        generator: Source of the signs.

    Raises:
        CodecError: All vectors are zero.
    """
    source, channels = vectors.double(), vectors.shape[1]
    repetitions = max(dim, channels)
    signs = torch.randint(0, 2, (repetitions,), generator=generator).double() * 2 - 1
    result = torch.zeros(len(source), dim, dtype=torch.float64)
    for index in range(repetitions):
        result[:, index % dim] += signs[index] * source[:, index % channels]
    square = math.fsum((source * source).flatten().tolist()) / source.numel() * max(1, channels / dim)
    if not square:
        raise CodecError("The codebook of the run's codec is zero.", "Tell the organiser of the run.")
    return result.mul_(1 / math.sqrt(3 * dim * square))
