"""Puts one peer of a run together: identity, DHT, averager, replica, optimizer; and takes it apart again."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import hivemind
import torch
from torch import nn

from core.errors import SwarmError
from core.run import RunManifest
from core.swarm.accumulator import Accumulator
from core.swarm.admission.admission import Admission
from core.swarm.averager import GradientAverager
from core.swarm.bandwidth import Line
from core.swarm.beginning import Beginning
from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.company import Alone, Swarm
from core.swarm.dht import Network, start_dht
from core.swarm.identity import PeerIdentity
from core.swarm.partition import round_parts
from core.swarm.progress import ProgressTracker
from core.swarm.replica import Replica
from core.swarm.run_state import RunStateValidator, StateWatch
from core.swarm.state import SwarmState, schema_of
from core.swarm.update import Landing


@dataclass
class Peer:
    """The parts of a running peer that a training loop needs."""

    identity: PeerIdentity
    dht: "hivemind.DHT"
    averager: GradientAverager
    replica: Replica
    accumulator: Accumulator
    optimizer: CollaborativeOptimizer
    state_watch: StateWatch
    admission: Admission | None
    """None in an open run."""

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
    ) -> Self:
        """Enter a run's swarm with a freshly initialised model, or where ``saved`` says.

        Forks processes: the model must be on the CPU, and CUDA not initialised. Raises SwarmError if the swarm can't
        be entered, and AdmissionError if ``token`` does not admit this peer to a run that has a gate.
        """
        training, beginning = manifest.training, Beginning.of(manifest)
        replica = _replica(manifest, model, saved, beginning)
        if landing is not None:
            _require_begun(replica, beginning)
        identity = PeerIdentity.load_or_create(identity_file)
        admission = Admission.of_run(manifest, identity.peer_id, token)
        dht = start_dht(
            network,
            identity,
            prefix=manifest.dht_prefix,
            total_epochs=training.schedule.total_epochs,
            validators=[RunStateValidator(manifest)],
            admission=admission,
        )
        parameters = [parameter for _, parameter in replica.masters.named_parameters()]
        averager = GradientAverager(
            [*(torch.zeros_like(item) for item in parameters), torch.zeros(1)],
            round_parts([item.numel() for item in parameters], training.swarm),
            dht=dht,
            identity=identity,
            prefix=manifest.dht_prefix,
            rules=training.swarm,
            state_schema=schema_of(replica.state().tensors),
            client_mode=network.client_mode,
            line=line,
            beginning=beginning,
            admission=admission,
        )
        accumulator = Accumulator(replica.masters.model_parameters())
        optimizer = CollaborativeOptimizer(
            replica,
            accumulator,
            averager,
            Alone() if landing is not None else _swarm(manifest, dht, identity, beginning),
            training.swarm,
            landing=landing,
            notify=notify,
        )
        return cls(
            identity, dht, averager, replica, accumulator, optimizer, StateWatch(dht, manifest), admission
        )

    @property
    def line(self) -> Line:
        """What the peer sent and received, and its caps, which may be changed at any time."""
        return self.averager.line

    def leave(self) -> None:
        """Leave the swarm in order and end the processes that were forked."""
        self.optimizer.close()
        self.averager.shutdown()
        self.dht.shutdown()


def _replica(
    manifest: RunManifest, model: nn.Module, saved: SwarmState | None, beginning: Beginning
) -> Replica:
    training = manifest.training
    replica = Replica(model, training.optimizer, training.schedule, genesis=beginning.head)
    if saved is not None:
        replica.take(saved)
        replica.masters.copy_to_model()
    return replica


def _require_begun(replica: Replica, beginning: Beginning) -> None:
    if replica.place.epoch < beginning.epoch:
        raise SwarmError(
            f"The run was taken back to epoch {beginning.epoch}, and a peer alone has nobody to get that from.",
            "Give it a checkpoint of that epoch, or let it join the swarm.",
        )


def _swarm(manifest: RunManifest, dht: "hivemind.DHT", identity: PeerIdentity, beginning: Beginning) -> Swarm:
    rules = manifest.training.swarm
    tracker = ProgressTracker(dht, manifest.dht_prefix, identity.owner, rules.target_batch_size)
    return Swarm(tracker, rules, beginning=beginning)


def initial_model_generator(manifest: RunManifest) -> torch.Generator:
    """The generator from which every peer of a run draws the same initial parameters."""
    seed = random.Random(manifest.training_digest).getrandbits(63)
    return torch.Generator().manual_seed(seed)
