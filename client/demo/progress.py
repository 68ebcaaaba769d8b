"""Holds a demo's state as one snapshot, and updates it by each message: pure, for a display to draw."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from client.api.messages import TrainerMessage
from core.messages.events import (
    CheckpointSaved,
    EpochCommitted,
    Finished,
    Joined,
    Notice,
    Progress,
    SamplesDrawn,
)

NOTICES_KEPT = 5


class DemoStage(StrEnum):
    STARTING = "starting"
    TRAINING = "training"
    FINISHED = "finished"
    RESTARTING = "restarting"
    ENDED = "ended"


@dataclass(frozen=True)
class EpochRecord:
    """A committed epoch, as a line of ``metrics.jsonl`` has it."""

    epoch: int
    """Number of epochs done."""
    loss: float
    samples: int
    peers: int
    seconds: float


@dataclass(frozen=True)
class ReportedTraffic:
    """Bytes that one trainer passed in an epoch, as it reported them with the commit."""

    trainer: int
    sent: int
    received: int


@dataclass(frozen=True)
class PeerView:
    """One trainer process, all its lives together."""

    stage: DemoStage = DemoStage.STARTING
    progress: Progress | None = None
    epoch: int = 0
    """Newest epoch whose parameters the trainer holds."""
    digest: str | None = None
    """Digest of its parameters after that epoch; None until this session has seen it commit one."""
    sent_before: int = 0
    received_before: int = 0
    """Bytes of its earlier lives."""
    has_joined: bool = False
    """True if any of its lives has entered the swarm."""

    @property
    def bytes_sent(self) -> int:
        return self.sent_before + (self.progress.bytes_sent if self.progress else 0)

    @property
    def bytes_received(self) -> int:
        return self.received_before + (self.progress.bytes_received if self.progress else 0)


@dataclass(frozen=True)
class DemoState:
    """The swarm as the demo sees it."""

    peers: tuple[PeerView, ...]
    target: int | None
    """Number of epochs to complete; None: continue until stopped."""
    epochs: tuple[EpochRecord, ...] = ()
    """Epochs in order, with those of earlier sessions."""
    session_epoch: int | None = None
    """Newest epoch that was committed in this session."""
    traffic: ReportedTraffic | None = None
    """Traffic of that epoch, of the trainer that reported it first; the others' is not known yet then."""
    session_peers: int = 0
    """Largest number of trainers that made an epoch of this session together."""
    swarm: Progress | None = None
    """The newest report of any peer that is in the newest epoch."""
    samples: SamplesDrawn | None = None
    checkpoint_epoch: int | None = None
    notices: tuple[str, ...] = ()
    noted: int = 0
    """Number of notices so far, including those that were dropped."""
    has_entry: bool = False
    """True once the manifest names the addresses by which other trainers enter the swarm."""
    web: str | None = None
    """Address of the run's page on the coordinator's website."""
    coordinator_notices: tuple[str, ...] = ()
    """Newest notices of the coordinator, oldest first."""

    @classmethod
    def begin(cls, peers: int, target: int | None, epochs: tuple[EpochRecord, ...] = ()) -> "DemoState":
        return cls(peers=(PeerView(),) * peers, target=target, epochs=epochs)

    @property
    def epoch(self) -> int:
        """Epochs done."""
        return self.epochs[-1].epoch if self.epochs else 0

    @property
    def all_joined(self) -> bool:
        """True if the swarm was complete once: from then on no trainer waits for others."""
        return all(peer.has_joined for peer in self.peers)

    @property
    def all_finished(self) -> bool:
        """True if every trainer is done: those that stayed for the others may leave."""
        return all(peer.stage is DemoStage.FINISHED for peer in self.peers)

    @property
    def bytes_sent(self) -> int:
        return sum(peer.bytes_sent for peer in self.peers)

    @property
    def bytes_received(self) -> int:
        return sum(peer.bytes_received for peer in self.peers)


def hear(state: DemoState, number: int, message: TrainerMessage) -> DemoState:
    """Return the state after trainer `number` sent a message."""
    peer = state.peers[number]
    match message:
        case Joined():
            return _with(
                state, number, replace(peer, stage=DemoStage.TRAINING, epoch=message.epoch, has_joined=True)
            )
        case Progress():
            state = _with(state, number, replace(peer, progress=message))
            return replace(state, swarm=_newer(state.swarm, message))
        case EpochCommitted():
            return _commit(state, number, message)
        case Finished():
            ended = replace(
                peer, stage=DemoStage.FINISHED, epoch=message.epoch, digest=message.parameter_digest
            )
            return _with(state, number, ended)
        case Notice():
            return note(state, f"Trainer {number}: {message.text}")
        case SamplesDrawn():
            return replace(state, samples=message)
        case CheckpointSaved() if number == 0:
            return replace(state, checkpoint_epoch=message.epoch)
    return state


def note(state: DemoState, text: str) -> DemoState:
    """Add a notice for the user; the oldest is dropped."""
    return replace(state, notices=(*state.notices, text)[-NOTICES_KEPT:], noted=state.noted + 1)


def see(state: DemoState, web: str | None, notices: tuple[str, ...], *, has_entry: bool = False) -> DemoState:
    """Return the state after a report of the coordinator.

    Args:
        state: The state before.
        web: Address of its website; None: it does not answer yet.
        notices: Its newest notices, oldest first.
        has_entry: True if the manifest names the addresses of the swarm's entry.
    """
    known = state.coordinator_notices
    state = replace(state, web=web, coordinator_notices=notices, has_entry=has_entry)
    for text in notices:
        state = state if text in known else note(state, text)
    return state


def lose(state: DemoState, number: int, sentence: str, restarting: bool) -> DemoState:
    """Return the state after trainer `number` ended out of order."""
    peer = state.peers[number]
    ended = replace(
        peer,
        stage=DemoStage.RESTARTING if restarting else DemoStage.ENDED,
        progress=None,
        digest=None,
        sent_before=peer.bytes_sent,
        received_before=peer.bytes_received,
    )
    text = f"Trainer {number}: {sentence}" + (" It is started again." if restarting else "")
    return note(_with(state, number, ended), text)


class DemoVerdict(BaseModel):
    """Verdict on what the swarm was asked to do, in a sentence; kept in the folder of the demo."""

    model_config = ConfigDict(frozen=True)

    done: bool
    sentence: str
    epoch: int
    peers: int


def judge(state: DemoState) -> DemoVerdict:
    """Judge if all trainers reached the target, made epochs together, and hold the same parameters."""
    target = state.epoch if state.target is None else state.target
    if missing := _numbers(state, lambda peer: peer.epoch < target):
        fault = f"{missing} did not reach epoch {target}."
    elif missing := _numbers(state, lambda peer: peer.digest is None):
        fault = f"{missing} took no part in the epochs of this session."
    elif state.session_peers < len(state.peers):
        fault = f"No epoch of this session was made by all {len(state.peers)} trainers together."
    elif len({peer.digest for peer in state.peers}) > 1:
        fault = f"The trainers' parameters differ after epoch {target}."
    else:
        fault = ""
    count = len(state.peers)
    praise = f"{count} trainers did {target} epochs together and hold identical parameters."
    return DemoVerdict(done=not fault, sentence=fault or praise, epoch=target, peers=count)


def _numbers(state: DemoState, lacks: Callable[[PeerView], bool]) -> str:
    numbers = [str(number) for number, peer in enumerate(state.peers) if lacks(peer)]
    return f"Trainer {' and '.join(numbers)}" if numbers else ""


def _with(state: DemoState, number: int, peer: PeerView) -> DemoState:
    return replace(state, peers=(*state.peers[:number], peer, *state.peers[number + 1 :]))


def _newer(known: Progress | None, heard: Progress) -> Progress:
    return known if known and known.epoch > heard.epoch else heard


def _commit(state: DemoState, number: int, message: EpochCommitted) -> DemoState:
    peer = state.peers[number]
    peer = replace(peer, epoch=message.epoch, digest=message.parameter_digest)
    record = EpochRecord(message.epoch, message.loss, message.samples, message.peers, message.seconds)
    state = _with(state, number, peer)
    if state.session_epoch is not None and record.epoch <= state.session_epoch:
        return state
    # A session that resumed from an earlier checkpoint does the last epochs of the one before again.
    kept = tuple(known for known in state.epochs if known.epoch < record.epoch)
    together = max(state.session_peers, record.peers)
    return replace(
        state,
        epochs=(*kept, record),
        session_epoch=record.epoch,
        session_peers=together,
        traffic=ReportedTraffic(number, message.bytes_sent, message.bytes_received),
    )
