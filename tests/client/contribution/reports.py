"""Runs, and what their trainers report, for tests of what is counted of it."""

from collections.abc import Callable
from datetime import UTC, datetime

from client.contribution.stats import Contribution, TrainedRun
from core.messages.events import EpochCommitted, Joined, Progress

Begin = Callable[[], Contribution]
RUN = TrainedRun("d" * 64, "emoji")
OTHER = TrainedRun("e" * 64, "birds")
NOON = datetime(2026, 3, 14, 12, 30, tzinfo=UTC)
PEER = Joined(peer_id="12D3KooW", epoch=0, parameters=10)


def progress(
    micro_steps: int = 0, seconds: float = 0.0, sent: int = 0, received: int = 0, epoch: int = 0
) -> Progress:
    return Progress(
        epoch=epoch,
        loss=1.0,
        samples=3,
        swarm_samples=9,
        target_batch_size=64,
        peers=2,
        samples_per_second=1.0,
        seconds_to_next_epoch=None,
        bytes_sent=sent,
        bytes_received=received,
        micro_steps=micro_steps,
        compute_seconds=seconds,
    )


def committed(epoch: int, own_samples: int = 10) -> EpochCommitted:
    return EpochCommitted(
        epoch=epoch,
        loss=1.0,
        samples=64,
        own_samples=own_samples,
        peers=2,
        seconds=5.0,
        parameter_digest="a",
        bytes_sent=1,
        bytes_received=1,
    )
