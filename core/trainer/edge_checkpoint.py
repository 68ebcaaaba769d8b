"""This peer's own checkpoint: it goes back to the last epoch's edge, and one that fails does not end the training."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from core.data.streaming.sample_stream import SampleStream
from core.errors import CheckpointError
from core.messages.events import CheckpointSaved, Event, Notice
from core.run.manifest import RunManifest
from core.storage import checkpoint
from core.swarm.peer import Peer
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place, state_tensors
from core.swarm.state.state import SwarmState
from core.trainer.random_state import capture_random_state

_OWN_WORK = "own_work."


@dataclass(frozen=True)
class Edge:
    """The place of the data and of the generators at an epoch's edge."""

    epoch: int
    cursor: dict[str, Any]
    random_state: dict[str, Any]
    own_work: dict[str, Tensor]
    """Work of this peer at the edge, kept when runs must repeat exactly."""


class EdgeCheckpoint:
    """Remembers the last epoch's edge, and writes it on request once it is of the run's generation."""

    def __init__(
        self,
        directory: Path,
        manifest: RunManifest,
        peer: Peer,
        stream: SampleStream,
        report: Callable[[Event], None],
        *,
        deterministic: bool = False,
    ) -> None:
        """Remember this moment as the first edge.

        Args:
            directory: Folder of this peer's checkpoint.
            manifest: Manifest of the run. States from before its generation are not written.
            peer: Peer whose parameters and optimizer state are saved.
            stream: Stream of samples whose place is saved.
            report: Called with each checkpoint saved, and with a notice of the first of several failures in a row.
            deterministic: True for a run that must repeat exactly: it ends if it cannot save, and the peer's own work
                past the edge is saved, too. Any other run reports a failure and continues.
        """
        self._directory, self._manifest, self._peer, self._stream = directory, manifest, peer, stream
        self._report, self._deterministic = report, deterministic
        self._written: Place | None = None
        self.failed = False
        """True if the last attempt failed, so that another is due before its time."""
        self.pass_edge()

    def pass_edge(self) -> None:
        """Remember this moment as the edge of the epoch that the peer is at."""
        exact = self._peer.work.exact_state() if self._deterministic else {}
        self._edge = Edge(
            self._peer.optimizer.epoch,
            self._stream.state_dict(),
            capture_random_state(),
            exact,
        )

    def save(self) -> None:
        """Write the last epoch's edge, unless it is written already or this peer has not begun.

        Raises CheckpointError in a deterministic run if it cannot be written.
        """
        place = self._peer.replica.place
        if place.epoch == 0 or place.epoch < self._manifest.state.epoch or place == self._written:
            return
        if self._edge.epoch != place.epoch:  # the state was downloaded since
            self.pass_edge()
        try:
            checkpoint.save(self._directory, self._state(place))
        except CheckpointError as error:
            self._report_failure(error)
            return
        self._written, self.failed = place, False
        self._report(CheckpointSaved(epoch=place.epoch, path=self._directory))

    def _report_failure(self, error: CheckpointError) -> None:
        """Report the first of several failures in a row.

        The next attempt is at the next epoch, which may be seconds away.
        """
        if self._deterministic:
            raise error
        if not self.failed:
            self._report(Notice(text=f"{error.what} {error.remedy} Training continues, and tries again."))
        self.failed = True

    def _state(self, place: Place) -> checkpoint.TrainingState:
        replica, edge = self._peer.replica, self._edge
        own_work = edge.own_work if self._deterministic else self._peer.work.lasting_state()
        return checkpoint.TrainingState(
            run=self._manifest.training.name,
            training_digest=self._manifest.training_digest,
            epoch=place.epoch,
            parameters=replica.parameters(),
            optimizer={
                **replica.optimizer_state(),
                **{_OWN_WORK + name: item for name, item in own_work.items()},
            },
            cursor=edge.cursor,
            random_state=edge.random_state,
            metadata={"head": place.head.hex(), "generation": self._manifest.state.generation},
        )


def load(directory: Path, manifest: RunManifest) -> checkpoint.TrainingState | None:
    """Return this peer's own checkpoint in ``directory``; None at its first start.

    Raises CheckpointError if it is damaged, or does not belong to the run of ``manifest``.
    """
    if not checkpoint.exists(directory):
        return None
    saved = checkpoint.load(directory)
    if saved.training_digest != manifest.training_digest:
        raise CheckpointError(
            f"The checkpoint in {directory} belongs to another run ({saved.run}).",
            "Choose another folder for this run, or delete the checkpoint.",
        )
    return saved


def own_work(saved: checkpoint.TrainingState) -> dict[str, Tensor]:
    """Return the peer's own work in the checkpoint ``saved``, as `PeerWork.load` takes it.

    The tensors have names and their own shapes.
    """
    return {
        name.removeprefix(_OWN_WORK): item
        for name, item in saved.optimizer.items()
        if name.startswith(_OWN_WORK)
    }


def swarm_state(saved: checkpoint.TrainingState, manifest: RunManifest) -> SwarmState | None:
    """Return the shared state of a swarm in the checkpoint ``saved``.

    It is None if the run of ``manifest`` was rolled back to another state since. The position in the data is
    used even then: after a rollback peers do not see again the data that led the run astray, as Chowdhery et
    al. (2022) skipped it when they trained PaLM (section 5.1).
    """
    optimizer = {k: v for k, v in saved.optimizer.items() if not k.startswith(_OWN_WORK)}
    tensors = state_tensors(saved.parameters, optimizer)
    beginning = Beginning.of(manifest)
    if saved.metadata.get("generation") == manifest.state.generation:
        return SwarmState(saved.epoch, bytes.fromhex(str(saved.metadata["head"])), tensors)
    state = SwarmState(saved.epoch, beginning.head, tensors)
    return state if saved.epoch > 0 and beginning.is_named(state) else None
