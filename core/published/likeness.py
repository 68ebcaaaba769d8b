"""Which model a file of weights holds, said by naming something that is alike."""

from pathlib import Path

from core.errors import CheckpointError
from core.model.config import ModelConfig, preset
from core.published.model_folder import is_model, open_model
from core.run import RunManifest

_MANIFEST = "run.toml"


def config_like(named: str) -> ModelConfig:
    """The configuration of a preset, of a run by its manifest or folder, or of a published model by its folder.

    Raises:
        CheckpointError: it is none of these.
        ManifestError: the manifest cannot be used.
    """
    path = Path(named)
    if is_model(path):
        return open_model(path).document.model
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
