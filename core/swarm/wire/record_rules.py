"""The validator that refuses all records but a run's own, at every peer that stores or reads them."""

from collections.abc import Callable

import msgpack
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord, RecordValidatorBase
from hivemind.utils import get_dht_time
from pydantic import ValidationError

from core.run.look_schedule import STORED_SECONDS
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.records import (
    COMMIT_SECONDS,
    CONTACT_SECONDS,
    FRAME_SECONDS,
    MAX_RECORD_BYTES,
    CommitRecord,
    ContactRecord,
    FrameRecord,
    ProgressRecord,
    Record,
    commit_key,
    contact_key,
    frame_key,
    progress_key,
)

_CLOCK_SECONDS = 30.0
"""Seconds by which a record may end later than its kind: clocks differ, and a record may wait until it is sent."""


def longest_seconds(prefix: str) -> dict[str, float]:
    """Return the seconds after which a record of the run with this ``prefix`` ends at the latest, by the DHT keys."""
    kinds = {
        progress_key(prefix): STORED_SECONDS,
        commit_key(prefix): COMMIT_SECONDS,
        frame_key(prefix): FRAME_SECONDS,
        contact_key(prefix): CONTACT_SECONDS,
    }
    return {key: seconds + _CLOCK_SECONDS for key, seconds in kinds.items()}


class RunRecordValidator(RecordValidatorBase):
    """Refuses records that are oversized, or that claim to be records of a run and are not.

    A record of a run must sit under its writer's own key (the signature validator has checked that the writer holds
    it), match the schema, lie within the run's schedule, and end when its kind does: one for years could not be told
    from one of a peer that is there. A record of progress, of a frame or of contact must name the very peer whose key
    signed it.
    """

    def __init__(
        self, prefix: str, *, total_epochs: int, dht_clock: Callable[[], float] = get_dht_time
    ) -> None:
        """Check the records of the run whose DHT prefix is ``prefix`` and whose schedule has ``total_epochs``.

        ``dht_clock`` gives the DHT time in seconds.
        """
        schemas: dict[str, type[Record]] = {
            progress_key(prefix): ProgressRecord,
            commit_key(prefix): CommitRecord,
            frame_key(prefix): FrameRecord,
            contact_key(prefix): ContactRecord,
        }
        self._kinds: dict[bytes, tuple[type[Record], float]] = {
            DHTID.generate(source=key).to_bytes(): (schemas[key], seconds)
            for key, seconds in longest_seconds(prefix).items()
        }
        self._total_epochs, self._dht_clock = total_epochs, dht_clock

    def validate(self, record: DHTRecord) -> bool:
        """Return false if ``record`` is oversized, or lies under a key of the run without fitting there.

        What was accepted stays acceptable until it ends: hivemind refuses all records of a key because of one.
        """
        if len(record.value) > MAX_RECORD_BYTES or len(record.subkey) > MAX_RECORD_BYTES:
            return False
        if (kind := self._kinds.get(record.key)) is None:
            return True
        schema, seconds = kind
        is_in_time = record.expiration_time <= self._dht_clock() + seconds
        return is_in_time and self._fits(schema, record)

    def _fits(self, schema: type[Record], record: DHTRecord) -> bool:
        try:
            owner = msgpack.unpackb(record.subkey)
            parsed = schema.model_validate(msgpack.unpackb(record.value))
        except (ValueError, TypeError, ValidationError, msgpack.UnpackException):
            return False
        writer = peer_id_of(owner) if isinstance(owner, bytes) else None
        if writer is None:
            return False
        if isinstance(parsed, ProgressRecord | FrameRecord):
            return parsed.peer_id == writer.to_bytes() and parsed.epoch <= self._total_epochs
        if isinstance(parsed, ContactRecord):
            return bool(parsed.peer_id == writer.to_bytes())
        return isinstance(parsed, CommitRecord) and parsed.epoch < self._total_epochs

    def merge_with(self, other: RecordValidatorBase) -> bool:
        """Return false: this validator is never merged with an ``other`` one."""
        return False
