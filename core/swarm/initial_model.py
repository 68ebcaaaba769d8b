"""The model with which every peer of a run begins: drawn by the manifest, as the run's family says.

All peers have to begin with the same bits. Sums of floats depend on a processor's vector width, and powers on the
system's library, so families compute only what does not. Normal draws are PyTorch's, which may differ.
"""

import random
from pathlib import Path

import torch

from core.model.family.trainable import TrainableModel
from core.run.manifest import RunManifest
from core.run.training.families import family_of


def initial_model(manifest: RunManifest, folder: Path) -> TrainableModel:
    """Return the model with the parameters that all peers of the run begin with, float32 on the CPU.

    Args:
        manifest: Manifest of the run.
        folder: Folder of the run's files.

    Raises:
        CodecError: The run begins with its codec's codebook, which is damaged, zero or of another shape.
        ManifestError: The codec is missing.
    """
    return family_of(manifest.training).initial_model(manifest, folder, _generator(manifest))


def _generator(manifest: RunManifest) -> torch.Generator:
    """Return the generator from which every peer of the run in ``manifest`` draws the same initial parameters."""
    seed = random.Random(manifest.training_digest).getrandbits(63)
    return torch.Generator().manual_seed(seed)
