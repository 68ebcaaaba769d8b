"""Checkpoints: a directory with model, optimizer and place in the run, written whole or not at all.

At every instant a path that was saved to holds a complete checkpoint, the old or the new
(`core.storage.replacement`). Being safetensors and JSON, it can run no code, and it is verified before it is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from torch import Size, Tensor

from core.digest import digest
from core.errors import CheckpointError
from core.storage.checkpoint_document import (
    DOCUMENT_FILE,
    LARGEST,
    CheckpointFile,
    Document,
    StoredFile,
    parse,
)
from core.storage.disk import Disk
from core.storage.files import sha256_of
from core.storage.parameter_file import read_parameters, read_tensors
from core.storage.replacement import clear_up, place, replace_directory

_MODEL: CheckpointFile = "model.safetensors"
_OPTIMIZER: CheckpointFile = "optimizer.safetensors"
_DOCUMENT = DOCUMENT_FILE
_OF_FILE_MANAGERS = (".DS_Store", ".directory")
"""Files of settings that file managers leave in folders; they can be deleted with the folder."""
_TAKE_ANOTHER = "Use another checkpoint of this run, or let the swarm send the state."
_DISK = Disk()


@dataclass(frozen=True)
class TrainingState:
    """Everything that is needed to continue from the end of an epoch exactly.

    ``parameters`` has each own parameter once; the cursor, random state and metadata hold JSON values.
    """

    run: str
    training_digest: str
    epoch: int
    parameters: Mapping[str, Tensor]
    optimizer: Mapping[str, Tensor]
    cursor: Mapping[str, Any] = field(default_factory=dict)
    random_state: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The contents of a sound checkpoint."""

    run: str
    training_digest: str
    epoch: int
    parameters: int
    parameter_digest: str
    size: int  # bytes of its tensors' files
    """Bytes of the files of its tensors."""


@dataclass(frozen=True)
class Weights:
    """The model of a checkpoint, and its place in the run.

    Parameters are those of the mapped file: copy them.
    """

    run: str
    training_digest: str
    epoch: int
    parameter_digest: str
    parameters: Mapping[str, Tensor]


def save(directory: Path, state: TrainingState, *, disk: Disk = _DISK) -> None:
    """Write a checkpoint of ``state``, and replace an existing one only once the new one is complete on disk.

    Args:
        directory: Directory of the checkpoint; it may hold no other files.
        state: State to save; tensors may have any shape.
        disk: File operations.

    Raises:
        CheckpointError: it cannot be written, or the directory holds something else; an existing checkpoint
            is kept.
    """
    directory = directory.resolve()

    def write(incoming: Path) -> None:
        disk.write_tensors(incoming / _MODEL, state.parameters)
        disk.write_tensors(incoming / _OPTIMIZER, state.optimizer)
        disk.write_text(incoming / _DOCUMENT, _describe(state, incoming).text())

    try:
        clear_up(directory, disk)
        _refuse_foreign(directory)
        replace_directory(directory, write, disk)
    except (OSError, SafetensorError) as error:  # the latter is what a full disk is to safetensors
        raise CheckpointError(
            f"The checkpoint could not be written to {directory}: {getattr(error, 'strerror', None) or error}.",
            "Free space on that disk or choose another directory; what was saved before is still there.",
        ) from error


def exists(directory: Path) -> bool:
    """Return true if there is a checkpoint, sound or not, in ``directory``."""
    return place(directory.resolve(), _DOCUMENT) is not None


def load(directory: Path) -> TrainingState:
    """Read the checkpoint in ``directory`` into memory of its own, after a check of sizes, digests and format.

    Raises:
        CheckpointError: there is none, or it is damaged, foreign or of a newer format.
    """
    return _read(_find(directory.resolve()))[1]


def load_weights(directory: Path, expected: Mapping[str, Size]) -> Weights:
    """Read the parameters of the checkpoint in ``directory`` alone, after a check of their names and shapes.

    ``expected`` gives the shape of each parameter of the model, by name.

    Raises:
        CheckpointError: as ``load``; the parameters are those of another model, or a value is not a finite
            number.
    """
    directory = directory.resolve()
    try:
        return _weights(_find(directory), expected)
    except CheckpointError:
        return _weights(_find(directory), expected)  # a trainer may just have replaced it


def verify(directory: Path) -> Report:
    """Read the checkpoint in ``directory`` and report its contents; raises CheckpointError as ``load`` does."""
    document, state = _read(_find(directory.resolve()))
    return Report(
        run=state.run,
        training_digest=state.training_digest,
        epoch=state.epoch,
        parameters=sum(tensor.numel() for tensor in state.parameters.values()),
        parameter_digest=document.parameter_digest,
        size=sum(file.size for file in document.files.values()),
    )


def _refuse_foreign(directory: Path) -> None:
    """Check that the directory holds nothing but a checkpoint, which would replace all other files."""
    if not directory.exists():
        return
    foreign = {path.name for path in directory.iterdir()}
    foreign -= {_MODEL, _OPTIMIZER, _DOCUMENT, *_OF_FILE_MANAGERS}
    if foreign:
        raise CheckpointError(
            f"{directory} holds {min(foreign)}, which does not belong to a checkpoint.",
            "Choose another directory for the checkpoint, or move the file.",
        )


def _describe(state: TrainingState, directory: Path) -> Document:
    return Document(
        run=state.run,
        training_digest=state.training_digest,
        epoch=state.epoch,
        parameter_digest=digest(state.parameters),
        files={name: _measure(directory / name) for name in (_MODEL, _OPTIMIZER)},
        cursor=dict(state.cursor),
        random_state=dict(state.random_state),
        metadata=dict(state.metadata),
    )


def _measure(path: Path) -> StoredFile:
    return StoredFile(size=path.stat().st_size, sha256=sha256_of(path))


def _find(directory: Path) -> Path:
    if (found := place(directory, _DOCUMENT)) is not None:
        return found
    raise CheckpointError(
        f"There is no checkpoint in {directory}: {_DOCUMENT} is missing.",
        "Give the directory that holds it, or start without a checkpoint.",
    )


def _read(directory: Path) -> tuple[Document, TrainingState]:
    try:
        document = parse(_bounded_text(directory / _DOCUMENT), directory)
        _check_files(document.files, directory)
    except OSError as error:
        raise _unreadable(directory, error) from error
    parameters, optimizer = read_tensors(directory / _MODEL), read_tensors(directory / _OPTIMIZER)
    if digest(parameters) != document.parameter_digest:
        raise _damaged(directory / _MODEL, "its parameters are not those it was saved with")
    state = TrainingState(
        run=document.run,
        training_digest=document.training_digest,
        epoch=document.epoch,
        parameters=parameters,
        optimizer=optimizer,
        cursor=document.cursor,
        random_state=document.random_state,
        metadata=document.metadata,
    )
    return document, state


def _weights(directory: Path, expected: Mapping[str, Size]) -> Weights:
    try:
        document = parse(_bounded_text(directory / _DOCUMENT), directory)
        _check_files({_MODEL: document.files[_MODEL]}, directory)
    except OSError as error:
        raise _unreadable(directory, error) from error
    parameters = read_parameters(directory / _MODEL, expected)
    if digest(parameters) != document.parameter_digest:
        raise _damaged(directory / _MODEL, "its parameters are not those it was saved with")
    return Weights(
        document.run, document.training_digest, document.epoch, document.parameter_digest, parameters
    )


def _bounded_text(path: Path) -> bytes:
    with path.open("rb") as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise _damaged(path, "it is far too large")
    return text


def _check_files(files: Mapping[CheckpointFile, StoredFile], directory: Path) -> None:
    """Check sizes before digests: a file of another size than it should have is not read."""
    for name, stored in files.items():
        path = directory / name
        if not path.is_file():
            raise _damaged(path, "it is missing")
        if path.stat().st_size != stored.size:
            raise _damaged(path, f"it has {path.stat().st_size:,} bytes instead of {stored.size:,}")
    for name, stored in files.items():
        if _measure(directory / name) != stored:
            raise _damaged(directory / name, "its content has changed")


def _unreadable(directory: Path, error: OSError) -> CheckpointError:
    return CheckpointError(
        f"The checkpoint in {directory} cannot be read: {error.strerror or error}.", _TAKE_ANOTHER
    )


def _damaged(path: Path, why: str) -> CheckpointError:
    return CheckpointError(f"The checkpoint is damaged: {path.name} in {path.parent}: {why}.", _TAKE_ANOTHER)
