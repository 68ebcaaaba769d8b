"""Finds the trained model to draw with: the one that was asked for, the joined run's, or a demo's."""

from pathlib import Path

from client.joining.run_card import MANIFEST
from client.paths import Paths
from client.service.kept.choices import DaemonState
from client.state_file import LARGEST
from core.errors import GenerationError
from core.generation.parts import ModelSource
from core.published.model_folder import ModelFolder, is_model, open_model
from core.run.manifest import RunManifest
from core.storage import checkpoint
from core.storage.files import read_bounded

DEMO = Path("demo")
"""Folder of `idlebrush demo`, unless another is given."""
_MANIFESTS = (MANIFEST, f"run/{MANIFEST}")
"""Manifest of a joined run and of a demo, relative to its folder."""
_CHECKPOINTS = ("peer/checkpoint", "checkpoint", "../checkpoint")
"""Checkpoint of a joined run and of a demo, relative to its folder or its manifest's."""
_ABOVE_CHECKPOINT = ("..", "../..")
_REMEDY = (
    "Train one with `idlebrush demo` or `idlebrush join`, or give its folder with --checkpoint or --run."
)


def find_model(paths: Paths, run: Path | None = None, saved: Path | None = None) -> ModelSource | ModelFolder:
    """Return the published model in ``saved``, if there is one, or else the result of `find_source`."""
    if saved is not None and is_model(saved):
        return open_model(saved)
    return find_source(paths, run, saved)


def find_source(paths: Paths, run: Path | None = None, saved: Path | None = None) -> ModelSource:
    """Return the model and its run's files; raise GenerationError if there is none.

    Args:
        run: a run's manifest, or the folder of a joined run or of a demo.
        saved: a checkpoint's folder; its run is looked for around it if it is not given.
    """
    if saved is not None:
        if not checkpoint.exists(saved):
            raise GenerationError(
                f"There is no checkpoint and no model in {saved}.",
                "Give the folder of one; `idlebrush checkpoint import` makes one of a file of weights.",
            )
        manifest = _manifest_in(run) if run else _manifest_above(saved)
        return _source(manifest, saved)
    if run is not None:
        return _of_run(run)
    for folder in (joined_folder(paths), DEMO):
        if folder is not None and _checkpoint_in(folder) is not None:
            return _of_run(folder)
    raise GenerationError(f"No trained model was found in a joined run or in {DEMO}.", _REMEDY)


def joined_folder(paths: Paths) -> Path | None:
    """Return the folder of the run that the daemon trains or would train, or None if none is known."""
    try:
        return DaemonState.model_validate_json(read_bounded(paths.state, LARGEST)).run_folder
    except (OSError, ValueError):  # the daemon tells of a file that cannot be used
        return None


def _of_run(run: Path) -> ModelSource:
    manifest = _manifest_in(run)
    saved = _checkpoint_in(manifest.parent)
    if saved is None:
        raise GenerationError(f"The run in {run} has no checkpoint yet.", _REMEDY)
    return _source(manifest, saved)


def _source(manifest: Path, saved: Path) -> ModelSource:
    return ModelSource(RunManifest.load(manifest), manifest.parent, saved)


def _checkpoint_in(folder: Path) -> Path | None:
    places = [folder / name for name in _CHECKPOINTS]
    return next((place for place in places if checkpoint.exists(place)), None)


def _manifest_in(run: Path) -> Path:
    if run.is_file():
        return run
    found = next((run / name for name in _MANIFESTS if (run / name).is_file()), None)
    if found is None:
        raise GenerationError(f"There is no run in {run}: {MANIFEST} is missing.", _REMEDY)
    return found


def _manifest_above(saved: Path) -> Path:
    around = [saved.resolve() / above / name for above in _ABOVE_CHECKPOINT for name in _MANIFESTS]
    found = next((place.resolve() for place in around if place.is_file()), None)
    if found is None:
        raise GenerationError(
            f"The run of the checkpoint in {saved} is not beside it.", "Give it with --run."
        )
    return found
