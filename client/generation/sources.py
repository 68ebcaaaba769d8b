"""Finds the trained model to draw with: the one that was asked for, the joined run's, or a demo's."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from client.generation.joined_frames import DEMO, joined_folder
from client.joining.embedded import (
    MANIFESTS,
    EmbeddedSet,
    ShippedModel,
    embedded_run,
    lent_model,
    saved_epoch,
    shipped_model,
)
from client.joining.run_card import MANIFEST
from client.paths import Paths
from core.errors import GenerationError
from core.generation.parts import ModelSource
from core.published.model_folder import ModelFolder, is_model, open_model
from core.run.manifest import RunManifest
from core.storage import checkpoint

_MANIFESTS = (MANIFEST, f"run/{MANIFEST}")
"""Manifest of a joined run and of a demo, relative to its folder."""
_CHECKPOINTS = ("peer/checkpoint", "checkpoint", "../checkpoint")
"""Checkpoint of a joined run and of a demo, relative to its folder or its manifest's."""
_ABOVE_CHECKPOINT = ("..", "../..")
_REMEDY = (
    "Train one with `idlebrush demo` or `idlebrush join`, or give its folder with --checkpoint or --run."
)

_TEXT_REMEDY = "Train one with `idlebrush demo --run text`, or give its folder with --checkpoint or --run."


def find_model(paths: Paths, run: Path | None = None, saved: Path | None = None) -> ModelSource | ModelFolder:
    """Return the published model in ``saved``, if there is one, or else the result of `find_source`."""
    if saved is not None and is_model(saved):
        return open_model(saved)
    return find_source(paths, run, saved)


def find_source(
    paths: Paths, run: Path | None = None, saved: Path | None = None, embedded: Path | None = None
) -> ModelSource:
    """Return the model and its run's files; raise GenerationError if there is none.

    Without ``run`` and ``saved``, it is the joined run's or the demo's, if that makes pictures. The model that is
    shipped with the starter run draws in place of a joined run's that has learned less, or where there is none.

    Args:
        paths: The user's folders.
        run: a run's manifest, or the folder of a joined run or of a demo.
        saved: a checkpoint's folder; its run is looked for around it if it is not given.
        embedded: folder of the runs that are shipped with the program; None: the program's own.
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
    shipped, joined = shipped_model(embedded), joined_folder(paths)
    models = [model for model in (shipped, shipped_model(lent_model(paths.swarm))) if model is not None]
    for folder in filter(None, (joined, DEMO, paths.swarm)):
        if (
            _checkpoint_in(folder) is not None
            and (source := _of_run(folder)).manifest.training.makes_pictures
        ):
            return _led(source, models)
    own = _drawing_manifest(joined)
    if own is not None:
        digest = RunManifest.load(own).training_digest
        manifest, found = own, next((model for model in models if model.leads(digest, None)), None)
    else:
        manifest, found = (embedded or embedded_run()) / MANIFESTS[EmbeddedSet.STARTER], shipped
    if found is not None:
        return replace(_source(manifest, found.checkpoint), is_shipped=True)
    raise GenerationError(f"No trained model was found in a joined run or in {DEMO}.", _REMEDY)


def text_source(paths: Paths, run: Path | None = None, saved: Path | None = None) -> ModelSource:
    """Return a language model and its run's files.

    Without ``run`` and ``saved``, it is the joined run's, the demo's or the one of the swarm on this computer.

    Args:
        paths: The user's folders.
        run: a run's manifest, or the folder of a joined run or of a demo.
        saved: a checkpoint's folder; its run is looked for around it if it is not given.

    Raises:
        GenerationError: There is none, or the model makes no texts.
    """
    if run is not None or saved is not None:
        if not (found := find_source(paths, run, saved)).manifest.training.writes_texts:
            raise GenerationError("This model writes no text.", "Draw with `idlebrush generate`.")
        return found
    for folder in filter(None, (joined_folder(paths), DEMO, paths.swarm)):
        if _checkpoint_in(folder) is not None and (found := _of_run(folder)).manifest.training.writes_texts:
            return found
    raise GenerationError(f"No trained language model was found in a joined run or in {DEMO}.", _TEXT_REMEDY)


def _drawing_manifest(joined: Path | None) -> Path | None:
    """Return the manifest of the ``joined`` run; None if there is none, or its model makes no pictures."""
    if joined is None or not any((joined / name).is_file() for name in _MANIFESTS):
        return None
    manifest = _manifest_in(joined)
    return manifest if RunManifest.load(manifest).training.makes_pictures else None


def _led(source: ModelSource, models: Sequence[ShippedModel]) -> ModelSource:
    """Return ``source`` with the checkpoint of the first of the shipped ``models`` that has learned more."""
    digest, own = source.manifest.training_digest, saved_epoch(source.checkpoint)
    found = next((model for model in models if model.leads(digest, own)), None)
    return source if found is None else replace(source, checkpoint=found.checkpoint, is_shipped=True)


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
