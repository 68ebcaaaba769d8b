"""The validator that refuses all records but a run's own, at every peer that stores or reads them."""

import logging
import math
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgpack
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord, RecordValidatorBase
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time
from pydantic import ValidationError

from core.run.look_schedule import STORED_SECONDS
from core.swarm.wire.group_records import (
    GROUP_SECONDS,
    MATCHMAKING_SECONDS,
    GroupRecord,
    MatchmakingRecord,
    group_key,
    matchmaking_key,
)
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.records import (
    COMMIT_SECONDS,
    CONTACT_SECONDS,
    FRAME_SECONDS,
    MAX_RECORD_BYTES,
    CertifiedRecord,
    CommitRecord,
    ContactRecord,
    FrameRecord,
    ProgressRecord,
    commit_key,
    commit_keys,
    contact_key,
    frame_key,
    progress_key,
)
from core.swarm.wire.summaries import (
    HIGHEST_LEVEL,
    SUMMARY_STORED_SECONDS,
    SummaryRecord,
    shard_keys,
    shard_of,
    summary_key,
)

_log = logging.getLogger(__name__)

_LOG_SECONDS = 600.0
"""Seconds between two lines of the log about refused records: a hostile peer can send any number of them."""
_PAST_SCHEDULE = "its epoch is past the run's schedule"
_CLOCK_SECONDS = 30.0
"""Seconds by which a record may end later than its kind: clocks differ, and a record may wait until it is sent."""
_OfItsWriter = ProgressRecord | FrameRecord | ContactRecord | SummaryRecord | GroupRecord | MatchmakingRecord
"""Records that name the peer that writes them."""
_LARGEST: dict[type[CertifiedRecord] | None, int] = dict.fromkeys(
    (ProgressRecord, FrameRecord, ContactRecord, MatchmakingRecord), 4096
)
"""Bytes of the largest record of the kinds that have fewer than all others may have."""


def longest_seconds(prefix: str) -> dict[str, float]:
    """Return the seconds after which a record of the run with this ``prefix`` ends at the latest, by the DHT keys."""
    kinds = {
        progress_key(prefix): STORED_SECONDS,
        **dict.fromkeys(commit_keys(prefix), COMMIT_SECONDS),
        frame_key(prefix): FRAME_SECONDS,
        contact_key(prefix): CONTACT_SECONDS,
        summary_key(prefix): SUMMARY_STORED_SECONDS,
        group_key(prefix): GROUP_SECONDS,
        **dict.fromkeys(_all_shards(prefix), STORED_SECONDS),
    }
    return {key: seconds + _CLOCK_SECONDS for key, seconds in kinds.items()}


def _all_shards(prefix: str) -> dict[str, tuple[int, int]]:
    """Return the level and number of each shard of each level above 0 in the run with this ``prefix``, by its key."""
    levels = range(1, HIGHEST_LEVEL + 1)
    return {key: (level, shard) for level in levels for shard, key in enumerate(shard_keys(prefix, level))}


class RefusedRecords:
    """Counts the records that a node refuses, and logs the first of them at once, and the sums now and then.

    A refusal leaves no other trace: a peer whose records the others refuse is not seen in the swarm at all.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin without a refusal; ``clock`` gives monotonic seconds."""
        self._clock, self._logged, self._waiting = clock, -math.inf, Counter[tuple[str, str]]()

    def note(self, kind: str, reason: str) -> None:
        """Count one refusal.

        Args:
            kind: what the record is or claims to be, one of a few names.
            reason: phrase of our own that says what is wrong, one of a few.
        """
        self._waiting[kind, reason] += 1
        if self._clock() - self._logged < _LOG_SECONDS:
            return
        found = ", ".join(f"{count} of {kind} ({why})" for (kind, why), count in self._waiting.items())
        _log.warning("Records in the swarm's DHT are refused and ignored: %s.", found)
        self._logged, self._waiting = self._clock(), Counter()


class KeyValidator(RecordValidatorBase):
    """Checks the records under some keys of a run that are of no `CertifiedRecord`'s kind, and no others."""

    @property
    @abstractmethod
    def lasting(self) -> Mapping[bytes, float]:
        """Seconds after which a record ends at the latest, by the DHT ids of the keys."""

    def merge_with(self, other: RecordValidatorBase) -> bool:
        """Return false: this validator is never merged with an ``other`` one."""
        return False


class RunRecordValidator(RecordValidatorBase):
    """Refuses records that are oversized, or that claim to be records of a run and are not.

    A record of a run must sit under its writer's own key (the signature validator has checked that the writer holds
    it), match the schema, lie within the run's schedule, and end when its kind does: one for years could not be told
    from one of a peer that is there. A record of progress, of a frame, of contact or of a group must
    name the very peer whose key signed it.
    """

    def __init__(
        self,
        prefix: str,
        *,
        total_epochs: int,
        is_certified: Callable[[bytes, PeerID, float], bool] | None = None,
        beside: Sequence[KeyValidator] = (),
        dht_clock: Callable[[], float] = get_dht_time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Check the records of the run whose DHT prefix is ``prefix`` and whose schedule has ``total_epochs``.

        Args:
            prefix: the run's DHT prefix.
            total_epochs: number of epochs in the run's schedule.
            is_certified: returns true if a packed certificate is the gate's for that peer and this run, and good at
                that Unix time in seconds; it must answer alike until then. None in an open run: records need none.
            beside: the validators that check the records under the run's further keys.
            dht_clock: gives the DHT time in seconds.
            clock: gives monotonic seconds.
        """
        self._prefix, self._is_certified = prefix, is_certified
        self._beside = {key: seconds for item in beside for key, seconds in item.lasting.items()}
        schemas: dict[str, type[CertifiedRecord]] = {
            progress_key(prefix): ProgressRecord,
            **dict.fromkeys(commit_keys(prefix), CommitRecord),
            frame_key(prefix): FrameRecord,
            contact_key(prefix): ContactRecord,
            summary_key(prefix): SummaryRecord,
            group_key(prefix): GroupRecord,
            **dict.fromkeys(_all_shards(prefix), ProgressRecord),
        }
        self._shards = {
            DHTID.generate(source=key).to_bytes(): shard for key, shard in _all_shards(prefix).items()
        }
        self._kinds: dict[bytes, tuple[type[CertifiedRecord], float]] = {
            DHTID.generate(source=key).to_bytes(): (schemas[key], seconds)
            for key, seconds in longest_seconds(prefix).items()
        }
        self._prefix, self._total_epochs, self._dht_clock = prefix, total_epochs, dht_clock
        self._refused = RefusedRecords(clock)

    def validate(self, record: DHTRecord) -> bool:
        """Return false if ``record`` is oversized, lies under no key of the run, or does not fit under its own.

        What was accepted stays acceptable until it ends: hivemind refuses all records of a key because of one.
        """
        schema, seconds = self._kind_of(record.key)
        reason = self._refusal(schema, seconds, record)
        if reason is not None:
            self._refused.note(schema.__name__ if schema else "another key", reason)
        return reason is None

    def _kind_of(self, key: bytes) -> tuple[type[CertifiedRecord] | None, float]:
        """Return what lies under a key and for how many seconds; None where another validator knows what does.

        Nobody can list the keys of matchmaking: where no other kind belongs, a record has to show that it is of that.
        """
        if key in self._beside:
            return None, self._beside[key]
        return self._kinds.get(key, (MatchmakingRecord, MATCHMAKING_SECONDS + _CLOCK_SECONDS))

    def _refusal(self, schema: type[CertifiedRecord] | None, seconds: float, record: DHTRecord) -> str | None:
        """Return what is wrong with ``record``, in words of ours alone; None if nothing is."""
        largest = _LARGEST.get(schema, MAX_RECORD_BYTES)
        if len(record.value) > largest or len(record.subkey) > MAX_RECORD_BYTES:
            return "too large"
        if not record.expiration_time <= self._dht_clock() + seconds:
            return "it would be kept for too long"
        if schema is None:
            return None
        try:
            owner = msgpack.unpackb(record.subkey)
            parsed = schema.model_validate(msgpack.unpackb(record.value))
        except (ValueError, TypeError, ValidationError, msgpack.UnpackException):
            return "it has not the fields of its kind"
        writer = peer_id_of(owner) if isinstance(owner, bytes) else None
        if writer is None:
            return "its place names no peer"
        return self._misplacement(record.key, writer, parsed) or self._lack(writer, parsed, record)

    def _lack(self, writer: PeerID, parsed: CertifiedRecord, record: DHTRecord) -> str | None:
        """Return the phrase for a record whose certificate does not admit its writer until it ends, else None.

        In an open run nobody vouches for a certificate: whoever wrote one could name another peer as its user.
        """
        if self._is_certified is None:
            return "no gate has given it a certificate" if parsed.certificate else None
        is_good = self._is_certified(parsed.certificate, writer, record.expiration_time)
        return None if is_good else "it has no certificate of the gate that is good until it ends"

    def _misplacement(self, key: bytes, writer: PeerID, parsed: CertifiedRecord) -> str | None:
        """Return why a well-formed record of ``writer`` may not lie under that key; None if it may."""
        if isinstance(parsed, MatchmakingRecord) and self._place_of(parsed) != key:
            return "it lies under no key of the run"
        if isinstance(parsed, CommitRecord):
            if DHTID.generate(source=commit_key(self._prefix, parsed.epoch)).to_bytes() != key:
                return "it belongs under the key of another epoch"
            return None if parsed.epoch < self._total_epochs else _PAST_SCHEDULE
        assert isinstance(parsed, _OfItsWriter)
        if parsed.peer_id != writer.to_bytes():
            return "it names another peer than its writer"
        level, shard = self._shards.get(key, (0, 0))
        if shard_of(parsed.peer_id, level) != shard:
            return "it belongs to another shard"
        if max(_epochs_of(parsed), default=0) > self._total_epochs:
            return _PAST_SCHEDULE
        return None

    def _place_of(self, record: MatchmakingRecord) -> bytes:
        return bytes(DHTID.generate(source=matchmaking_key(self._prefix, record.place)).to_bytes())

    def merge_with(self, other: RecordValidatorBase) -> bool:
        """Return false: this validator is never merged with an ``other`` one."""
        return False


def _epochs_of(record: _OfItsWriter) -> list[int]:
    """Return the epochs that a record names."""
    if isinstance(record, SummaryRecord):
        return [place.epoch for place in record.places]
    return [] if isinstance(record, ContactRecord | MatchmakingRecord) else [record.epoch]
