"""Begins a run with the weights of a published model: the first generation that trains starts at that checkpoint.

A new run computes its first weights at random from its own digest, so they need no donor. Other weights need a
checkpoint and a generation that begins with it, as after a rollback; its epoch is 1, since 0 has no checkpoint.
The checkpoint is entered under that generation before the manifest is, so a process that is killed in between
leaves one that belongs to no generation of the run: `Archive.clear_up` removes it.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import exists, select
from torch import Tensor

from coordinator.database.tables import Epoch
from coordinator.errors import HomeError
from coordinator.gate.audit import note
from coordinator.opened import OpenedRun
from coordinator.publisher.archive import Archive
from core.digest import digest
from core.errors import MisfitError
from core.published.model import Model
from core.published.model_folder import open_model
from core.run.manifest import RunManifest
from core.run.training.families import family_of, picture_rules
from core.signing import SigningKey
from core.swarm.state.replica import Replica, place_of
from core.swarm.state.state import OPTIMIZER, PARAMETERS, SwarmState, under

ACTION = "begin with"
"""Name of the action in the audit log."""
EPOCH = 1
"""Epoch at which the run begins: the schedule has made one step, and the optimizer none."""


def begin_with(
    run: OpenedRun, folder: Path, *, by: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> RunManifest:
    """Begin an untrained run with the weights of a model, and return its new manifest.

    The optimizer has made no step. If this was interrupted, nothing has happened, and it may be called again.

    Args:
        run: Run, which no coordinator may serve meanwhile.
        folder: Folder of the model (`idlebrush checkpoint import`).
        by: Actor, for the audit log.
        clock: Time.

    Raises:
        HomeError: the run is served, or has begun.
        MisfitError: the model is another than the run's.
        CheckpointError: the model is damaged, or the checkpoint cannot be written.
        PublishError: the disk is too full.
        ManifestError: the run's model makes no pictures, or the organiser's key is not the run's.
    """
    with run.home.locked():
        manifest = RunManifest.load(
            run.home.manifest
        )  # another command may have signed one since ``run`` was opened
        model = _fitting(open_model(folder).model(), manifest)
        _require_new(run, manifest)
        state = _first_state(manifest, model.parameters)
        _archive(run, _beginning_with(state, manifest, run)).enter(state, place_of(state), None)
        with run.home.rewriting():
            newer = _beginning_with(state, RunManifest.load(run.home.manifest), run)
            newer.save(run.home.manifest)  # from here on it has happened
        with run.database.session() as session:
            note(session, clock(), by, ACTION, _name_of(model))
    return newer


def _archive(run: OpenedRun, manifest: RunManifest) -> Archive:
    return Archive(run.home.checkpoints, run.database, manifest, run.settings.checkpoints.keep)


def _beginning_with(state: SwarmState, manifest: RunManifest, run: OpenedRun) -> RunManifest:
    """Return the signed manifest of the next generation, which begins with a state."""
    parameters, optimizer = (digest(under(half, state.tensors)) for half in (PARAMETERS, OPTIMIZER))
    return manifest.roll_back(SigningKey.load(run.home.organiser_key), EPOCH, parameters, optimizer)


def _name_of(model: Model) -> str:
    origin = model.origin
    return origin.name if origin.kind == "file" else f"{origin.run}, epoch {origin.epoch}"


def _fitting(model: Model, manifest: RunManifest) -> Model:
    """Return the model if it is of the run's kind and sizes."""
    wanted = picture_rules(manifest.training).model
    if model.config != wanted:
        theirs, ours = model.config.model_dump(), wanted.model_dump()
        name = next(name for name in ours if ours[name] != theirs[name])
        raise MisfitError(
            f"The model has {name} = {theirs[name]}, but the run's has {ours[name]}.",
            "Choose a model of the run's sizes, or make another run.",
        )
    return model


def _first_state(manifest: RunManifest, parameters: Mapping[str, Tensor]) -> SwarmState:
    """Return the state with these parameters, and an optimizer that has made no step."""
    training = manifest.training
    model = family_of(training).model(training.model)
    model.load_state_dict(parameters)
    state = Replica.of_run(model, training, genesis=manifest.genesis).state()
    return SwarmState(EPOCH, state.head, state.tensors)


def _require_new(run: OpenedRun, manifest: RunManifest) -> None:
    """Raise HomeError if the run has begun; what an interrupted call has left is no beginning, and is removed."""
    archive = _archive(run, manifest)
    archive.clear_up()
    with run.database.reading() as session:
        was_trained = session.scalar(select(exists(Epoch)))
    if was_trained or manifest.state.serial or archive.kept():
        raise HomeError(
            f"{manifest.contact.title} has begun already.",
            "Make another run: only one that was never served can begin with other weights.",
        )
