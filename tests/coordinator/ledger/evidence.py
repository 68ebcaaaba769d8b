"""Epochs as a recorder would tell of them, for tests of the ledger."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from coordinator.ledger.credit import Claim, CommittedEpoch
from core.swarm.wire.device_class import DeviceClass

START = datetime(2026, 11, 1, 10, 0, tzinfo=UTC)
OPERATIONS = 1e9
"""Operations for a sample; by our bounds, a processor can do at most 10,000 samples a second."""

PEERS = tuple(f"Qm{letter * 38}{letter}{number:05d}" for number, letter in enumerate("abcdef"))
"""Peer ids in base58."""


def epoch_of(
    contributors: Mapping[str, float],
    epoch: int = 1,
    *,
    generation: int = 0,
    samples: float | None = None,
    seconds: float = 10.0,
    time: datetime | None = None,
    claims: Mapping[str, Claim] | None = None,
    loss: float | None = 2.5,
) -> CommittedEpoch:
    """An epoch whose contributors told the truth beforehand, unless ``claims`` says otherwise."""
    honest = {peer: claim(weight, weight / 10) for peer, weight in contributors.items()}
    return CommittedEpoch(
        generation=generation,
        epoch=epoch,
        time=time or START + timedelta(seconds=seconds * epoch),
        seconds=seconds,
        samples=sum(contributors.values()) if samples is None else samples,
        root=f"{generation * 1000 + epoch:064x}",
        loss=loss,
        contributors=contributors,
        claims=honest if claims is None else claims,
    )


def claim(samples: float, rate: float, device: DeviceClass = DeviceClass.CPU) -> Claim:
    return Claim(samples, rate, device)
