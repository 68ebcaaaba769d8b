"""Finds what a file of weights does not say of itself: which model it is, and which run a checkpoint is of."""

from pathlib import Path

from core.errors import CheckpointError
from core.model.config import ModelConfig, preset
from core.published.model_folder import is_model, load_model
from core.run import RunManifest

_MANIFEST = "run.toml"
_LEVELS = 3
"""How far above a checkpoint its run's manifest lies: a client's trainers and a demo's have folders of their own."""


def config_like(named: str) -> ModelConfig:
    """The configuration of a preset, of a run by its manifest or folder, or of a published model by its folder.

    Raises:
        CheckpointError: it is none of these.
        ManifestError: the manifest cannot be used.
    """
    path = Path(named)
    if is_model(path):
        return load_model(path).document.model
    if (path / _MANIFEST).is_file():
        path = path / _MANIFEST
    if path.is_file():
        return RunManifest.load(path).training.model
    try:
        return preset(named)
    except ValueError as error:
        raise CheckpointError(
            f"{named} is no run's manifest, no model's folder and no preset. {error}", "Check the path."
        ) from error


def manifest_of(checkpoint: Path) -> Path:
    """The manifest of the run that a checkpoint was trained in, as clients and demos lay them out."""
    for folder in checkpoint.resolve().parents[:_LEVELS]:
        for found in (folder / _MANIFEST, folder / "run" / _MANIFEST):
            if found.is_file():
                return found
    raise CheckpointError(
        f"A checkpoint does not say what model it is, and near {checkpoint} lies no manifest of its run.",
        "Name the run's manifest by --run.",
    )
