"""The record that summarises a whole swarm in the space of a few progress records, and the shards of those.

A peer of a large swarm reads no other peer's record: it would take 1.4 kB for each of them, again and again. The
records lie in shards, each under a key of its own. A few summarisers read them all, and sign a summary.
"""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple, Self

from pydantic import Field, model_validator

from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import MAX_EPOCH, CertifiedRecord, Digest, Finite, Record, progress_key
from core.swarm.wire.voices import VOICE

MOST_COHORTS, MOST_PLACES = 64, 6
"""Bounds of a summary, which keep it under 8 kB."""
MOST_IN_SHARD = 32
"""Records of a shard on average, at most; summarisers, and peers that check them, read one at a time."""
LARGEST_UNSHARDED = 64
"""Peers up to which all records lie under one key, and every peer reads all of them."""
HIGHEST_LEVEL = 10
"""Level of the largest swarm, of some 32,000 peers."""
SUMMARY_STORED_SECONDS = 600.0
"""Seconds for which a summary is kept, so that newcomers learn the level though no new one is made."""
_KEPT_OPEN = 0.75
"""Share of the bound of a level below which the swarm goes back to that level."""

_LEAST_IN_SHARD = 2
"""Records of a shard on average, at least: with fewer, nobody could check how many there are."""
_OLDEST_SECONDS = 600.0
"""Largest age in seconds of the records that a summary counts."""

_ROW = struct.Struct(">34sBBBBBIIIffff")
_DEVICES, _REACHES, _WAITS = tuple(DeviceClass), tuple(Reach), (None, *SwarmWait)
"""Values that a row names by their place here: new ones are added at the end of their enumerations."""
_FLAGS = ("auxiliary", "donates", "synchronised", "paused", "reducing", "gives")
_NAMES_STATE = 1 << len(_FLAGS)


class CohortKind(NamedTuple):
    """All by which a summary tells apart the peers at a place, as their records state it."""

    auxiliary: bool
    donates: bool
    synchronised: bool
    paused: bool
    reducing: bool
    gives: bool
    device: DeviceClass
    reach: Reach
    waiting: SwarmWait | None

    @property
    def role(self) -> tuple[bool, ...]:
        """The part of it that decides who votes, and who is expected in a round."""
        return self.auxiliary, self.donates, self.synchronised, self.paused


class CohortRow(NamedTuple):
    """Some peers that are alike in all that decisions need, and one of them by name."""

    peer_id: bytes
    """Id of one of the peers, drawn anew for each summary."""
    place: int
    """Index of their place."""
    kind: CohortKind
    names_state: bool
    """True if the named peer states the root of the state that the place has."""
    peers: int
    """Number of the peers."""
    voices: int
    """Number of units of their voices (`core.swarm.wire.voices.VOICE` is one): a user has one voice in all."""
    samples: int
    """Samples of them all."""
    samples_per_second: float
    """Rate of them all."""
    age: float
    """Seconds from the time of their counts, weighted by their rates, to that of the summary."""
    epoch_seconds: float
    """Upper median of the seconds since they came to their epoch, at the time of the counts."""
    looks_every: float
    """Largest number of seconds after which one of them renews its record."""

    def pack(self) -> bytes:
        """Return the row in 67 bytes, which `unpack` reverses but for the last digits of seconds and rates."""
        kind = self.kind
        flags = sum(getattr(kind, name) << bit for bit, name in enumerate(_FLAGS))
        flags |= _NAMES_STATE * self.names_state
        codes = _DEVICES.index(kind.device), _REACHES.index(kind.reach), _WAITS.index(kind.waiting)
        return _ROW.pack(self.peer_id, self.place, flags, *codes, *self[4:])

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read a row; raises ValueError if ``packed`` is none."""
        try:
            peer_id, place, flags, device, reach, waiting, *numbers = _ROW.unpack(packed)
            codes = _DEVICES[device], _REACHES[reach], _WAITS[waiting]
        except (struct.error, IndexError) as error:
            raise ValueError("it is no row of a summary") from error
        bits = {name: bool(flags >> bit & 1) for bit, name in enumerate(_FLAGS)}
        kind = CohortKind(**bits, device=codes[0], reach=codes[1], waiting=codes[2])
        return cls(peer_id, place, kind, bool(flags & _NAMES_STATE), *numbers)


class SwarmPlace(Record):
    """A place in the chain of commits at which peers of the swarm stand."""

    epoch: Annotated[int, Field(ge=0, le=MAX_EPOCH)]
    head: Digest
    parameters: Digest
    """Digest of the parameters that most peers there have."""
    sketch: Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(max_length=64)]
    """Projection of these parameters onto a few random directions, without a unit."""
    state: Digest | None = None
    """Root of the state that most peers there name."""


class SummaryRecord(CertifiedRecord):
    """The whole swarm as one summariser has read it; stored under its own key, and passed on from peer to peer."""

    peer_id: Annotated[bytes, Field(min_length=34, max_length=34)]
    """Id of the summariser."""
    time: Finite
    """DHT time in seconds at which the records had been read."""
    level: Annotated[int, Field(ge=0, le=HIGHEST_LEVEL)]
    """Level at which peers are to store their records from now on."""
    places: Annotated[list[SwarmPlace], Field(max_length=MOST_PLACES + 1)]
    rows: Annotated[bytes, Field(max_length=MOST_COHORTS * _ROW.size)]
    """The packed rows of the cohorts."""

    @model_validator(mode="after")
    def _rows_are_rows(self) -> Self:
        for row in self.cohorts():
            if not 0 <= row.place < len(self.places):
                raise ValueError("a cohort is at no place of the summary")
            numbers = row.samples_per_second, row.epoch_seconds, row.looks_every
            if row.peers < 1 or row.voices > row.peers * VOICE:
                raise ValueError("a cohort has no peers, or more voices than peers")
            if not all(0 <= number < 1e12 for number in numbers):
                raise ValueError("the numbers of a cohort make no sense")
            if not 0 <= row.age <= min(_OLDEST_SECONDS, self.time):
                raise ValueError("the records of a cohort are too old")
        if self.level and self.peers < _LEAST_IN_SHARD << self.level:
            raise ValueError("the swarm is too small for so many shards")
        return self

    def cohorts(self) -> list[CohortRow]:
        """Return the cohorts; raises ValueError if the bytes of the rows are no rows."""
        if len(self.rows) % _ROW.size:
            raise ValueError("the rows of a summary are cut off")
        pieces = (self.rows[at : at + _ROW.size] for at in range(0, len(self.rows), _ROW.size))
        return [CohortRow.unpack(piece) for piece in pieces]

    @property
    def peers(self) -> int:
        """Number of peers that the summary counts."""
        return sum(row.peers for row in self.cohorts())


def packed_rows(rows: Iterable[CohortRow]) -> bytes:
    """Return the bytes of a summary's ``rows``."""
    return b"".join(row.pack() for row in rows)


# --- shards -----------------------------------------------------------------------------------------------------


def summary_key(prefix: str) -> str:
    """Return the name under which summaries are passed on in the run with this ``prefix``."""
    return f"{prefix}_summaries"


def shard_keys(prefix: str, level: int) -> Sequence[str]:
    """Return the DHT keys of the progress records in the run with this ``prefix`` at a ``level``, 2 to its power."""
    if level == 0:
        return (progress_key(prefix),)
    return tuple(f"{progress_key(prefix)}_{level}_{shard}" for shard in range(1 << level))


def shard_of(peer_id: bytes, level: int) -> int:
    """Return the number of the shard in which the peer with the id ``peer_id`` stores its record at a ``level``.

    The id alone decides: no peer can store records in more than one shard of a level.
    """
    return int.from_bytes(hashlib.sha256(peer_id).digest()[:4], "big") >> (32 - level)


def level_for(peers: int, present: int) -> int:
    """Return the level that suits a swarm of ``peers`` at the level ``present``.

    The swarm goes back to a lower level only once it is well below its bound, so that it does not go back and forth.
    """
    wanted = _least_level(peers)
    return max(wanted, min(present, _least_level(int(peers / _KEPT_OPEN))))


def _least_level(peers: int) -> int:
    if peers <= LARGEST_UNSHARDED:
        return 0
    level = 1
    while peers > MOST_IN_SHARD << level and level < HIGHEST_LEVEL:
        level += 1
    return level
