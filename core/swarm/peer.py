"""Builds one peer of a run from identity, DHT, averager, replica and optimizer, and has it leave in order."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

import hivemind
from torch import nn

from core.errors import SwarmError
from core.messages.reach import Reach
from core.run.expected_traffic import most_rounds_fetched
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.swarm.admission.admission import Admission
from core.swarm.averaging.averager import GradientAverager
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.bandwidth import Line
from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.dht import Network, start_dht
from core.swarm.membership.membership import Alone, Swarm
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.run_state import RunStateValidator, StateWatch
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.neighbours import ask_in_reach
from core.swarm.overlap import Landing
from core.swarm.phase import Phase
from core.swarm.rounds.events import Observer, unobserved
from core.swarm.rounds.partition import Part, as_received, round_parts, round_tensors
from core.swarm.routes import naming_missing_routes
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.beginning import Beginning
from core.swarm.state.local_training import LocalTraining
from core.swarm.state.low_rank_work import LowRankAccumulator
from core.swarm.state.peer_work import PeerWork
from core.swarm.state.replica import Replica
from core.swarm.state.run_schema import schema_of_run
from core.swarm.state.state import SwarmState
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OwnCertificate

_LOOK_SECONDS = 0.02


@dataclass
class Peer:
    """The parts of a running peer that a training loop needs."""

    identity: PeerIdentity
    dht: "hivemind.DHT"
    averager: GradientAverager
    replica: Replica
    work: PeerWork
    optimizer: CollaborativeOptimizer
    state_watch: StateWatch
    admission: Admission | None
    """Admission of this peer; None in an open run."""

    @classmethod
    def start(
        cls,
        manifest: RunManifest,
        model: nn.Module,
        network: Network,
        identity_file: Path,
        *,
        line: Line | None = None,
        saved: SwarmState | None = None,
        landing: Landing | None = None,
        token: str | None = None,
        notify: Callable[[str], None] = lambda text: None,
        observe: Observer = unobserved,
    ) -> Self:
        """Enter a run's swarm with a freshly initialised model, or with a saved state.

        Forks processes: the model must be on the CPU, and CUDA not initialised.

        Args:
            manifest: the run's manifest.
            model: the model to train, of which the replica keeps float32 master copies.
            network: the addresses of this peer, and the peers that it asks first.
            identity_file: file of the peer's key; made if it is missing.
            line: the connection with its caps and counts; None for one without caps.
            saved: a state to start from in place of the model's own parameters.
            landing: micro-steps at which updates land, for a deterministic peer that is alone; None joins the
                swarm.
            token: the access token for a run that has a gate.
            notify: called with messages for the volunteer.
            observe: called with the events of each round, in the process that exchanges gradients.

        Raises:
            SwarmError: the swarm can't be entered, or a peer alone lacks the state to which the run was taken
                back.
            AdmissionError: ``token`` does not admit this peer to a run that has a gate.
        """
        beginning = Beginning.of(manifest)
        if landing is not None:
            _require_begun(saved, beginning)
        identity = PeerIdentity.load_or_create(identity_file)
        admission = Admission.of_run(manifest, identity.peer_id, token)
        entrant = _Entrant(manifest, network, identity, admission)
        line = line or Line()
        dht = entrant.start_dht(line)
        averager = entrant.fork_averager(dht, model, line, observe)
        # Once all is forked: the children would keep the master copies as they are now, beside those that change.
        replica = _replica(manifest, model, saved, beginning)
        membership = (
            Alone()
            if landing is not None
            else _swarm(
                manifest, dht, identity, beginning, is_called=not network.client_mode, admission=admission
            )
        )
        work = _work(manifest.training, replica, lambda: membership.view)
        optimizer = CollaborativeOptimizer(
            replica,
            work,
            averager,
            membership,
            manifest.training.swarm,
            landing=landing,
            reach=entrant.first_reach,
            notify=notify,
            certificate=OwnCertificate(admission),
        )
        return cls(identity, dht, averager, replica, work, optimizer, StateWatch(dht, manifest), admission)

    @property
    def line(self) -> Line:
        """Counts of the bytes that the peer sent and received, and its caps, which may be changed at any time."""
        return self.averager.line

    def leave(self) -> None:
        """Leave the swarm in order and end the processes that were forked."""
        self.optimizer.close()
        self.averager.shutdown()
        self.dht.shutdown()


@dataclass(frozen=True)
class _Entrant:
    """A peer that is about to enter the swarm of a run, and forks its processes for that."""

    manifest: RunManifest
    network: Network
    identity: PeerIdentity
    admission: Admission | None

    @property
    def first_reach(self) -> Reach | None:
        """Way in which others reach the peer at first; None where its averager alone knows that."""
        network = self.network
        # A peer behind a router serves others once a relay passes connections to it.
        return Reach.OUTGOING if network.client_mode and network.contact is not None else None

    def start_dht(self, line: Line) -> "hivemind.DHT":
        """Start the peer's DHT node, which counts for ``line``; raises SwarmError if the swarm can't be entered."""
        with naming_missing_routes(self.network.initial_peers):
            return start_dht(
                self.network,
                self.identity,
                prefix=self.manifest.dht_prefix,
                total_epochs=self.manifest.training.schedule.total_epochs,
                validators=[RunStateValidator(self.manifest)],
                admission=self.admission,
                line=line,
            )

    def fork_averager(
        self, dht: "hivemind.DHT", model: nn.Module, line: Line, observe: Observer
    ) -> GradientAverager:
        """Start the averager for gradients in the shapes of the model's parameters."""
        training = self.manifest.training
        shapes = [parameter.shape for _, parameter in model.named_parameters()]
        return GradientAverager(
            round_tensors(shapes, training.swarm),
            self._participant(dht, round_parts(shapes, training.swarm), observe),
            state_schema=schema_of_run(training),
            line=line,
            beginning=Beginning.of(self.manifest),
        )

    def _participant(self, dht: "hivemind.DHT", parts: Sequence[Part], observe: Observer) -> RoundParticipant:
        return RoundParticipant(
            parts,
            dht,
            self.identity,
            self.manifest.dht_prefix,
            self.manifest.training.swarm,
            client_mode=self.network.client_mode and self.network.contact is None,
            admission=self.admission,
            observe=observe,
        )


def _replica(
    manifest: RunManifest, model: nn.Module, saved: SwarmState | None, beginning: Beginning
) -> Replica:
    training = manifest.training
    replica = Replica.of_run(model, training, genesis=beginning.head)
    if saved is not None:
        replica.take(saved)
        replica.masters.copy_to_model()
    return replica


def _work(training: TrainingRules, replica: Replica, view: Callable[[], SwarmView]) -> PeerWork:
    parameters, swarm = replica.masters.model_parameters(), training.swarm
    parts = round_parts([item.shape for item in parameters], swarm)
    if swarm.low_rank is not None:
        return LowRankAccumulator(parameters, replica.bases, parts, as_received)
    if swarm.local_steps is None:
        return Accumulator(parameters)
    return LocalTraining(
        replica,
        swarm.local_steps,
        training.optimizer,
        training.schedule,
        target_batch_size=swarm.target_batch_size,
        parts=parts,
        sent=as_received,
        trainers=lambda: view().trainers(),
    )


def _require_begun(saved: SwarmState | None, beginning: Beginning) -> None:
    if (saved.epoch if saved is not None else 0) < beginning.epoch:
        raise SwarmError(
            f"The run was rolled back to epoch {beginning.epoch}, and a peer that trains alone cannot download that.",
            "Give it a checkpoint of that epoch, or let it join the swarm.",
        )


def _swarm(
    manifest: RunManifest,
    dht: "hivemind.DHT",
    identity: PeerIdentity,
    beginning: Beginning,
    *,
    is_called: bool,
    admission: Admission | None,
) -> Swarm:
    """Return the other peers of the swarm; ``is_called`` is true if they can call this peer's DHT node.

    ``admission`` certifies this peer's records; None in an open run.
    """
    training = manifest.training
    tracker = ProgressTracker.of_run(
        dht,
        manifest,
        identity.owner,
        ask_in_reach=partial(ask_in_reach, dht),
        deputy=identity if is_called else None,
        admission=admission,
    )
    most_rounds = most_rounds_fetched(training)
    return Swarm(tracker, training.swarm, beginning=beginning, most_rounds=most_rounds)


# --- leaving at no cost for the other peers ------------------------------------------------------------------


def finish_round(optimizer: CollaborativeOptimizer, seconds: float) -> None:
    """Advance ``optimizer`` until no round or update is under way, for at most ``seconds``."""
    deadline = time.monotonic() + seconds
    while optimizer.phase in (Phase.AVERAGING, Phase.UPDATING) and time.monotonic() < deadline:
        optimizer.advance()
        time.sleep(_LOOK_SECONDS)


def linger(optimizer: CollaborativeOptimizer, seconds: float) -> None:
    """Wait until the other peers have the last epoch of ``optimizer`` too, for at most ``seconds``.

    No peer then has to fetch that epoch from one that is gone.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and _is_awaited(optimizer):
        time.sleep(_LOOK_SECONDS)


def _is_awaited(optimizer: CollaborativeOptimizer) -> bool:
    behind = (item for item in optimizer.view.others if item.epoch == optimizer.epoch - 1)
    return any(item.synchronised and not item.paused for item in behind)
