"""Rules that credit each peer for a committed epoch: pure, and false claims gain nothing.

The commit names contributors and their weights, under a digest that the whole group signed; yet a weight is what a
peer told its reducers. So a peer is credited the weight, bounded by what a machine of its class can do in the time.
Where the recorder has looked for the peer's own signed records of the epoch, these bound the credit as well: in a
small swarm it reads all records, in a large one those of a few shards that it draws (an audit).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from coordinator.errors import LedgerError
from core.memory.speed import Work
from core.model.techniques import Techniques
from core.run.rules import RunModel
from core.swarm.wire.device_class import DeviceClass

MAX_CONTRIBUTORS = 16_384
"""Most contributors of an epoch, which bounds the recorder's memory and the time of the epoch's transaction."""
MAX_SAMPLES = 1e9
UNSEEN_SECONDS = 10.0
"""Seconds between the newest record that could be seen and the round: it lives 12 s and is renewed every 3 s."""
_CARRIED = 2.0
"""Most epochs of work that one round may credit: a peer whose round was overtaken carries its samples over."""
_TERA = 1e12
PEAK_RATES: dict[DeviceClass, float] = {
    DeviceClass.CPU: 10 * _TERA,  # 64 cores with AVX-512 in float32
    DeviceClass.GPU_8: 200 * _TERA,  # RTX 4070 Ti: 160
    DeviceClass.GPU_16: 300 * _TERA,  # RTX 5080: 225
    DeviceClass.GPU_24: 500 * _TERA,  # RTX 5090: 419
    DeviceClass.GPU_LARGE: 2_500 * _TERA,  # B200: 2,250
    DeviceClass.UNKNOWN: 10 * _TERA,  # who does not tell is believed as much as the slowest
}
"""Floating point operations per second, by the vendors' data sheets: 16-bit tensor cores without sparsity."""

_SLOWEST_SHARE = 1e-3
"""Share of the peak rate below which no machine trains. A thousandth of a processor's bound is a Raspberry Pi."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A peer's own statements in its signed progress records towards an epoch."""

    samples: float
    """Highest number of samples that the peer has stated."""
    samples_per_second: float
    """Highest speed that the peer has stated."""
    device: DeviceClass
    unseen_seconds: float = UNSEEN_SECONDS
    """Seconds, at most, for which the peer worked on after it had these samples; more than usual after an audit."""


@dataclass(frozen=True, slots=True)
class KnownMachine:
    """A peer's machine by the last of its records that was read, in this epoch or before."""

    device: DeviceClass = DeviceClass.UNKNOWN
    samples_per_second: float = 0.0
    """Last speed that the peer has stated; 0 if it is not known."""


@dataclass(frozen=True)
class Audit:
    """The peers whose own records were looked for while an epoch was computed."""

    peers: frozenset[str] | None
    """Their ids in base58; None for all peers."""

    def covers(self, peer_id: str) -> bool:
        """Return true if the records of that peer were looked for: it is doubted if there were none."""
        return self.peers is None or peer_id in self.peers


EVERY_PEER = Audit(None)
"""The audit of a small swarm, whose records are all read."""
NO_PEER = Audit(frozenset())
"""The audit of an epoch that was over before the recorder saw it."""


@dataclass(frozen=True)
class CommittedEpoch:
    """A committed epoch as it is known; peers by their ids in base58."""

    generation: int
    epoch: int
    """Epochs done, as checkpoints count them."""
    time: datetime
    """Time of the commit; aware."""
    seconds: float
    """Seconds since the epoch before."""
    samples: float
    root: str
    """Digest of the commit, in hex."""
    loss: float | None = None
    contributors: Mapping[str, float] = field(default_factory=dict)
    """Weight of each in samples. It is empty if the round's summary could not be had: then no peer is credited."""
    claims: Mapping[str, Claim] = field(default_factory=dict)
    """Statements of those whose own records were read."""
    audit: Audit = EVERY_PEER
    machines: Mapping[str, KnownMachine] = field(default_factory=dict)
    """Machines of contributors by earlier records; they count for those whom the audit does not cover."""
    peers: int | None = None
    """Number of peers that took part, where the contributors are not known."""
    traffic: int | None = None
    """Traffic in bytes."""


class CreditReason(StrEnum):
    """Reasons to credit less than the commit reports."""

    NONSENSE = "its weight is not a number of samples"
    UNCLAIMED = "it published no progress before the commit"
    ABOVE_CLAIM = "its own progress records report less"
    ABOVE_DEVICE = "it exceeds what a machine of its class can compute"
    ABOVE_EPOCH = "the sum of all claims exceeds the samples of the epoch"


@dataclass(frozen=True)
class PeerCredit:
    """A peer's credit for an epoch."""

    peer_id: str
    samples: int
    compute_seconds: float
    """Estimated seconds of computing, at most the seconds that the epoch took."""


@dataclass(frozen=True)
class PeerDoubt:
    """The fact that a peer was credited less than the commit reports."""

    peer_id: str
    claimed: float
    """Samples that the commit gives the peer; 0 if that is no number of samples."""
    credited: int
    why: CreditReason


@dataclass(frozen=True)
class Assessment:
    """Credits in the order of peer ids; each peer at most once, and none without credit."""

    credits: tuple[PeerCredit, ...]
    doubts: tuple[PeerDoubt, ...]

    @property
    def peer_ids(self) -> set[str]:
        """Ids of all peers in it."""
        return {item.peer_id for item in self.credits} | {item.peer_id for item in self.doubts}


@dataclass(frozen=True)
class _Allowed:
    peer_id: str
    weight: float
    samples: int
    why: CreditReason | None


def assess(epoch: CommittedEpoch, operations: float) -> Assessment:
    """Credit an epoch's contributors; ``operations`` are those of a sample (`operations_of`).

    LedgerError where the epoch itself makes no sense. The credits' sum is at most the epoch's samples.
    """
    _require_sense(epoch)
    allowed = [_allowed(epoch, peer_id, operations) for peer_id in sorted(epoch.contributors)]
    shared = list(_within(allowed, int(epoch.samples)))
    credits_ = (_credit(epoch, item, operations) for item in shared if item.samples)
    doubts = (PeerDoubt(item.peer_id, item.weight, item.samples, item.why) for item in shared if item.why)
    return Assessment(tuple(credits_), tuple(doubts))


def _require_sense(epoch: CommittedEpoch) -> None:
    remedy = "It is left out of the ledger; the recorder's log names the commit."
    if epoch.generation < 0 or epoch.epoch < 0:
        raise LedgerError(f"There is no epoch {epoch.epoch} of generation {epoch.generation}.", remedy)
    if not 0 < epoch.samples <= MAX_SAMPLES:
        raise LedgerError(f"Epoch {epoch.epoch} claims {epoch.samples} samples.", remedy)
    if not 0 <= epoch.seconds < math.inf:
        raise LedgerError(f"Epoch {epoch.epoch} claims {epoch.seconds} seconds.", remedy)
    if len(epoch.contributors) > MAX_CONTRIBUTORS:
        raise LedgerError(f"Epoch {epoch.epoch} names {len(epoch.contributors)} contributors.", remedy)


def _allowed(epoch: CommittedEpoch, peer_id: str, operations: float) -> _Allowed:
    """Return the least of a peer's weight, its claim, if that is known, and what its machine can do, in samples."""
    weight = epoch.contributors[peer_id]
    if not 0 <= weight <= MAX_SAMPLES:
        return _Allowed(peer_id, 0.0, 0, CreditReason.NONSENSE)
    claim = _sensible(epoch.claims.get(peer_id))
    able = _able(_machine(epoch, peer_id, claim).device, epoch, operations)
    is_silent = claim is None and epoch.audit.covers(peer_id)
    bounds = [(able, CreditReason.UNCLAIMED if is_silent else CreditReason.ABOVE_DEVICE)]
    if claim:
        stated = claim.samples + claim.samples_per_second * claim.unseen_seconds
        bounds.append((stated, CreditReason.ABOVE_CLAIM))
    bound, why = min(bounds)
    credited = int(min(weight, bound))
    return _Allowed(peer_id, weight, credited, why if credited < int(weight) else None)


def _machine(epoch: CommittedEpoch, peer_id: str, claim: Claim | None) -> KnownMachine:
    """Return the machine by which a peer is judged: that of its claim, or if it was not audited, of earlier ones."""
    if claim is not None:
        return KnownMachine(claim.device, claim.samples_per_second)
    unknown = KnownMachine()
    return unknown if epoch.audit.covers(peer_id) else epoch.machines.get(peer_id, unknown)


def of_unknown_class(epoch: CommittedEpoch, operations: float) -> Sequence[str]:
    """Return the contributors whose class is not known, and of which more work was committed than the slowest does.

    Args:
        epoch: the epoch.
        operations: those of a sample (`operations_of`).
    """
    able = _able(DeviceClass.UNKNOWN, epoch, operations)
    known = epoch.claims.keys() | epoch.machines.keys()
    beyond = (peer for peer, weight in epoch.contributors.items() if weight > able)
    return [peer for peer in beyond if peer not in known and not epoch.audit.covers(peer)]


def _able(device: DeviceClass, epoch: CommittedEpoch, operations: float) -> float:
    """Return the most samples that a machine of a class can compute for one round."""
    return fastest(device, operations) * (_CARRIED * epoch.seconds + UNSEEN_SECONDS)


def _sensible(claim: Claim | None) -> Claim | None:
    """Return the claim if its numbers are finite, not negative, and not all zero; None otherwise."""
    if claim is None or not (0 <= claim.samples < math.inf and 0 <= claim.samples_per_second < math.inf):
        return None
    return claim if claim.samples or claim.samples_per_second else None


def _within(allowed: list[_Allowed], samples: int) -> Iterator[_Allowed]:
    """Yield the same items, each reduced in proportion if their sum is above ``samples``.

    The calculation is in whole numbers and therefore exact.
    """
    total = sum(item.samples for item in allowed)
    for item in allowed:
        if total <= samples:
            yield item
        else:
            yield _Allowed(
                item.peer_id, item.weight, item.samples * samples // total, CreditReason.ABOVE_EPOCH
            )


def _credit(epoch: CommittedEpoch, item: _Allowed, operations: float) -> PeerCredit:
    machine = _machine(epoch, item.peer_id, _sensible(epoch.claims.get(item.peer_id)))
    least, most = slowest(machine.device, operations), fastest(machine.device, operations)
    seconds = item.samples / min(max(machine.samples_per_second or most, least), most)
    return PeerCredit(item.peer_id, item.samples, min(seconds, epoch.seconds))


def operations_of(model: RunModel) -> int:
    """Return the least number of floating point operations of a sample.

    They are those of the forward and the backward pass, nothing computed twice.
    """
    return Work.of(model, model.sequence_length, shared_layers=0).operations(Techniques())


def fastest(device: DeviceClass, operations: float) -> float:
    """Return the samples per second that no machine of the class surpasses; a sample takes ``operations``."""
    return PEAK_RATES[device] / operations


def slowest(device: DeviceClass, operations: float) -> float:
    """Return the samples per second that every machine of the class surpasses; a sample takes ``operations``."""
    return _SLOWEST_SHARE * fastest(device, operations)
