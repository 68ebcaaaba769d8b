"""Builds the events of a training loop from its parts."""

from hivemind.utils import get_dht_time

from core.data.streaming.sample_stream import SampleStream
from core.memory.planning import MemoryPlan
from core.memory.units import format_size
from core.messages.events import EpochCommitted, Planned, Progress
from core.run.rules import SwarmRules
from core.swarm.bandwidth import Way
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.peer import Peer
from core.swarm.update import LandedEpoch
from core.swarm.wire.records import ProgressRecord
from core.trainer.pace import Pace


def planned(plan: MemoryPlan) -> Planned:
    """Return the report of the memory plan ``plan``."""
    return Planned(
        reason=plan.reason,
        micro_batch=plan.techniques.micro_batch,
        gpu_bytes=plan.taken.gpu,
        ram_bytes=plan.taken.ram,
    )


def summary_of(plan: MemoryPlan) -> str:
    """Return the memory plan ``plan`` for a log: its reason, precision and optimizer, and the bytes it predicts."""
    techniques, taken = plan.techniques, plan.taken
    bits = 8 if techniques.eight_bit_optimizer else 32
    device = "processor" if techniques.optimizer_on_cpu or not plan.on_gpu else "GPU"
    return (
        f"{plan.reason} Precision: {techniques.precision}; optimizer: {bits} bits, on the {device}. "
        f"Predicted: {format_size(taken.gpu)} of GPU memory, {format_size(taken.ram)} of RAM."
    )


def progress(peer: Peer, pace: Pace, stream: SampleStream, rules: SwarmRules) -> Progress:
    """Return the progress of ``peer`` and its swarm in an epoch under the ``rules`` of its run.

    ``pace`` counts the peer's micro-steps; ``stream`` knows how long it waited for data.
    """
    optimizer, line, target = peer.optimizer, peer.line, rules.target_batch_size
    own, view = optimizer.record(), optimizer.view
    samples, rate = int(view.samples(own, target, view.time)), view.samples_per_second(own)
    return Progress(
        epoch=optimizer.epoch,
        loss=optimizer.loss,
        samples=optimizer.samples,
        swarm_samples=samples,
        target_batch_size=target,
        peers=view.trainers(),
        samples_per_second=rate,
        # The clock begins no round to which no peer contributes.
        seconds_to_next_epoch=_left(view, own, rules) if samples or rate else None,
        round_seconds=rules.round_seconds,
        bytes_sent=line.on_wire(Way.UP),
        bytes_received=line.on_wire(Way.DOWN),
        micro_steps=pace.micro_steps,
        compute_seconds=pace.compute_seconds,
        data_wait=stream.waiting_share(),
        waiting=optimizer.waiting,
    )


def _left(view: SwarmView, own: ProgressRecord, rules: SwarmRules) -> float | None:
    now = view.time if rules.round_seconds is None else get_dht_time()
    left = view.seconds_to_round(own, rules.target_batch_size, rules.round_seconds, now)
    return left if left < float("inf") else None


def committed(landed: LandedEpoch, sent: int, received: int) -> EpochCommitted:
    """Return the report of the epoch ``landed``; ``sent`` and ``received`` are bytes since the one before."""
    outcome = landed.outcome
    return EpochCommitted(
        epoch=landed.place.epoch,
        loss=landed.loss,
        samples=round(outcome.samples),
        own_samples=landed.own_samples,
        peers=outcome.members,
        seconds=landed.seconds,
        parameter_digest=landed.place.digest,
        bytes_sent=sent,
        bytes_received=received,
    )
