"""The records that peers write into the DHT: their schemas, bounds and keys."""

from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, Self, TypeVar

import msgpack
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.admission.gate_certificate import MAX_CERTIFICATE_BYTES, user_in
from core.errors import SwarmError
from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.swarm.wire.addresses import may_be_dialled, place_of, version_of
from core.swarm.wire.device_class import DeviceClass

MAX_RECORD_BYTES = 12_000
"""hivemind's DHT process dies of arguments above about 16 KiB, so nothing near that is ever stored."""

MAX_EPOCH = 9_999_999
"""Largest epoch that a record may name; each run's own schedule bounds its epochs closer."""

MOST_MEMBERS = 16_384
"""Most members of which a commit record may state the number."""

MOST_RELAYS = 2
"""Relays that one contact names, at most."""

LARGEST_FRAME = 1 << 20
"""Largest size of a time-lapse picture, in bytes."""

COMMIT_SECONDS, FRAME_SECONDS, CONTACT_SECONDS = 600.0, 6 * 3600.0, 180.0
"""Seconds for which the swarm keeps a record of the kind; one of progress it keeps for `STORED_SECONDS`."""

COMMIT_KEYS = 16
"""DHT keys of commit records, taken in turn by epoch: a look reads the votes of one epoch alone.

Each epoch of a large swarm has other voters, whose records stay for minutes.
"""
MOST_ATTEMPTS = 1 << 40
"""Bound of the number of a vote's attempt."""

Digest = Annotated[bytes, Field(min_length=32, max_length=32)]
_PeerBytes = Annotated[bytes, Field(min_length=34, max_length=34)]
Finite = Annotated[float, Field(ge=0, lt=1e12, allow_inf_nan=False)]


class Record(BaseModel):
    """Fields that all records have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def pack(self) -> dict[str, Any]:
        """Return the record as a plain value for the DHT, which takes no enumerations."""
        return {
            name: str(value) if isinstance(value, StrEnum) else value
            for name, value in self.model_dump().items()
        }


class CertifiedRecord(Record):
    """Fields of records that belong to an admitted user."""

    certificate: Annotated[bytes, Field(max_length=MAX_CERTIFICATE_BYTES)] = b""
    """Packed GateCertificate of the peer that wrote the record; empty in an open run."""

    @property
    def user(self) -> str:
        """Name of the writer's user, as the certificate says, which this does not verify; empty without one."""
        return user_in(self.certificate)


class ProgressRecord(CertifiedRecord):
    """The place of one peer; stored by the peer itself under its own key, about once a second."""

    peer_id: Annotated[bytes, Field(min_length=34, max_length=34)]
    epoch: Annotated[int, Field(ge=0, le=MAX_EPOCH)]
    head: Digest
    """Root digest of the commit that made this epoch (of the run itself at epoch 0)."""
    parameters: Digest
    """Digest of the parameters at this epoch."""
    sketch: Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(max_length=64)]
    """Projection of the parameters, to compare peers whose arithmetic differs in the last bits."""
    samples: Annotated[int, Field(ge=0, lt=100_000_000)]
    """Samples accumulated towards the next epoch."""
    samples_per_second: Finite
    """Samples per second that this peer computes; 0 while it computes nothing."""
    epoch_seconds: Finite = 0.0
    """Seconds since the peer came to its epoch, by which runs with rounds by the clock agree on the next one."""
    time: Finite
    """DHT time at which the counts were taken, in seconds."""
    looks_every: Finite = 3.0
    """Seconds, at most, after which the peer renews the record."""
    reducing: bool
    """True if the peer accepts incoming connections (client-mode peers do not)."""
    auxiliary: bool
    """True if the peer only helps to reduce; it has no parameters of its own."""
    synchronised: bool
    """True if the peer stands behind its epoch; a peer that is still joining follows others."""
    paused: bool
    """True if its owner wants the machine: the peer brings nothing into the next rounds, and gives no state away."""
    leaving: bool = False
    """True in the last record of a peer that ended in order."""
    donates: bool = False
    """True if the peer computes nothing, holds the state of its epoch, and gives it away; it has no vote by that."""
    gives: bool = False
    """True if others can ask the peer for its state and for what it keeps of rounds, though it may not reduce."""
    device: Annotated[DeviceClass, Field(strict=False)] = DeviceClass.UNKNOWN
    """Class of the peer's machine, as the peer itself states it."""
    reach: Annotated[Reach, Field(strict=False)] = Reach.UNCHECKED
    """Way in which others reach the peer, as the peer itself states it.

    A peer that is reached through relays alone reduces, and gives its state, only while no other does better; else it
    is for statistics.
    """
    state: Digest | None = None
    """Root of the pieces of the peer's whole state at this epoch; none for a peer that holds none."""
    waiting: Annotated[SwarmWait, Field(strict=False)] | None = None
    """Reason for which the peer waits for others, as the peer itself states it; none while it continues."""

    @property
    def peers(self) -> int:
        """Number of peers for which the record stands: the one that wrote it."""
        return 1

    @property
    def counted_voices(self) -> int | None:
        """Units of the voices of the peers that a summary has counted (`VOICE` is one); None for a single peer."""
        return None

    @property
    def can_be_asked(self) -> bool:
        """True if the peer answers others' calls: because it reduces, or at least gives what it has."""
        return self.reducing or self.gives

    @property
    def computes(self) -> bool:
        """True if the peer is a trainer at work."""
        return not (self.auxiliary or self.paused or self.leaving)


MOST_REFUSED_ROOTS = 4
"""Roots that one vote may be against; those that were named first give way."""


class CommitRecord(CertifiedRecord):
    """A peer's vote for the aggregate of an epoch; those of more than half of the users commit it.

    ``root`` is the digest over the group, the weight of every part and the digest of its bytes, and
    ``parent``: the record names all of them without carrying them.
    """

    epoch: Annotated[int, Field(ge=0, le=MAX_EPOCH)]
    """The epoch that the averaged gradients lead from; peers that apply it are at ``epoch + 1``."""
    parent: Digest
    root: Digest
    group: Annotated[bytes, Field(min_length=20, max_length=20)]
    members: Annotated[int, Field(ge=1, le=MOST_MEMBERS)]
    """Peers of the group that contributed or could have."""
    samples: Annotated[float, Field(gt=0, lt=1e9, allow_inf_nan=False)]
    """Number of samples behind the averaged gradients."""
    state: Digest | None = None
    """Root of the pieces of the state that the writer's round led from.

    The root of the commit does not cover it: it is what each writer says for itself.
    """
    attempt: Annotated[int, Field(ge=0, lt=MOST_ATTEMPTS)] = 0
    """Number of the vote: a later vote of the writer at the same place has a larger one, and replaces it."""
    withdrawn: bool = False
    """True if the writer takes its vote for the root back: it has not voted for another one yet."""
    refused: Annotated[list[Digest], Field(max_length=MOST_REFUSED_ROOTS)] = []
    """Roots that the writer votes against; none in a vote for an aggregate."""
    signature: Annotated[bytes, Field(max_length=512)] = b""
    """Signature of the writer's key over the run, the place, the attempt and the root (`core.swarm.quorum.votes`).

    That of the DHT, which is gone once a record was read, can't be shown to others.
    """


class FrameRecord(CertifiedRecord):
    """The announcement that a peer has drawn the run's prompts after an epoch, and gives the picture's file."""

    peer_id: Annotated[bytes, Field(min_length=34, max_length=34)]
    epoch: Annotated[int, Field(ge=1, le=MAX_EPOCH)]
    parameters: Digest
    """Digest of the parameters with which the picture was drawn."""
    frame: Digest
    """SHA-256 of the picture's file."""
    size: Annotated[int, Field(gt=0, le=LARGEST_FRAME)]
    """Size of the file in bytes."""


class ContactRecord(CertifiedRecord):
    """The ways in which others can connect to a peer beside those that libp2p finds; stored by the peer itself.

    It names a relay by its id alone, and at most one address of each kind of its own: a peer that lies can't send the
    others to more than two places.
    """

    peer_id: _PeerBytes
    direct: bool
    """True if others connect to the peer at addresses that libp2p knows."""
    relaying: bool
    """True if the peer relays for others."""
    address: Annotated[str, Field(max_length=45)] = ""
    """Public address of IPv4 from which others see the peer's packets come; empty if they can't open its router."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """UDP port of the peer at `address`; 0: there is none."""
    address6: Annotated[str, Field(max_length=45)] = ""
    """The peer's own public address of IPv6; empty if it has none that others saw."""
    port6: Annotated[int, Field(ge=0, le=65_535)] = 0
    """UDP port of the peer at `address6`; 0: there is none."""
    relays: Annotated[list[_PeerBytes], Field(max_length=MOST_RELAYS)] = []
    """Ids of the relays at which the peer has a place."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        for address, port, version in ((self.address, self.port, 4), (self.address6, self.port6, 6)):
            if bool(address) != bool(port):
                raise ValueError("an address and a port belong together")
            if address and not (version_of(address) == version and may_be_dialled(address, port)):
                raise ValueError(
                    "the address is not one of a computer in the Internet, or the port a service's"
                )
        if self.peer_id in self.relays or len(set(self.relays)) < len(self.relays):
            raise ValueError("a relay is another peer, and named once")
        return self

    @property
    def places(self) -> tuple[str, ...]:
        """Networks of the addresses, each of which belongs to one line."""
        return tuple(place_of(address) for address in (self.address, self.address6) if address)

    def multiaddresses(self, *, ip6: bool) -> list[str]:
        """Return the multiaddresses at which others open the peer's router; those of IPv6 only if ``ip6`` is true."""
        four = [f"/ip4/{self.address}/udp/{self.port}/quic-v1"] if self.address else []
        six = [f"/ip6/{self.address6}/udp/{self.port6}/quic-v1"] if self.address6 and ip6 else []
        return four + six


Parsed = TypeVar("Parsed", bound=Record)


def progress_key(prefix: str) -> str:
    """Return the DHT key of progress records in the run with this ``prefix``."""
    return f"{prefix}_progress"


def commit_key(prefix: str, epoch: int) -> str:
    """Return the DHT key of the records that commit ``epoch`` in the run with this ``prefix``."""
    return f"{prefix}_commits_{epoch % COMMIT_KEYS}"


def commit_keys(prefix: str) -> tuple[str, ...]:
    """Return all DHT keys of commit records in the run with this ``prefix``."""
    return tuple(commit_key(prefix, epoch) for epoch in range(COMMIT_KEYS))


def frame_key(prefix: str) -> str:
    """Return the DHT key of frame records in the run with this ``prefix``."""
    return f"{prefix}_frames"


def contact_key(prefix: str) -> str:
    """Return the DHT key of contact records in the run with this ``prefix``."""
    return f"{prefix}_contacts"


def bounded(value: dict[str, Any]) -> dict[str, Any]:
    """Return ``value`` itself if the DHT's process survives taking it; raises SwarmError if it is too large."""
    size = len(msgpack.packb(value))
    if size > MAX_RECORD_BYTES:
        raise SwarmError(
            f"A record of {size} bytes is too large for the DHT (at most {MAX_RECORD_BYTES}).",
            "This is a fault of the program, not of the swarm; please report it.",
        )
    return value


def parse_all(schema: type[Parsed], found: object) -> dict[bytes, Parsed]:
    """Return the records in ``found``, the result of a DHT look-up, that fit ``schema``, by their owner keys.

    Others are left out: `RunRecordValidator` has refused and logged those before, wherever it is in use.
    """
    parsed: dict[bytes, Parsed] = {}
    if not isinstance(found, dict):
        return parsed
    for owner, entry in found.items():
        with suppress(ValidationError):
            parsed[owner] = schema.model_validate(getattr(entry, "value", None))
    return parsed
