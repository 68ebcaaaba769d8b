"""The validator of evidence in a swarm's DHT: what does not hold is neither stored nor read."""

from collections.abc import Mapping
from typing import Any

import msgpack
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord
from pydantic import ValidationError

from core.swarm.admission.admission import Admission
from core.swarm.evidence.evidence import Evidence
from core.swarm.evidence.records import EVIDENCE_SECONDS, EvidenceRecord, evidence_key
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.record_rules import KeyValidator

_CLOCK_SECONDS = 30.0
"""Seconds by which a record may end later: clocks differ."""


class EvidenceValidator(KeyValidator):
    """Refuses records of evidence whose writer is not admitted until they end, or whose evidence does not hold.

    A record is the same for all time but for its end, so what was accepted stays acceptable.
    """

    def __init__(self, prefix: str, admission: Admission) -> None:
        """Check the evidence of the run whose DHT prefix is ``prefix``; ``admission`` verifies signatures."""
        self._admission = admission
        self._key = DHTID.generate(source=evidence_key(prefix)).to_bytes()

    def validate(self, record: DHTRecord) -> bool:
        """Return false if ``record`` lies under the key of evidence and is not acceptable under it."""
        return record.key != self._key or self._is_good(record)

    @property
    def lasting(self) -> Mapping[bytes, float]:
        """Seconds after which a record of evidence ends at the latest, by the DHT id of the key."""
        return {self._key: EVIDENCE_SECONDS + _CLOCK_SECONDS}

    def _is_good(self, record: DHTRecord) -> bool:
        try:
            owner = msgpack.unpackb(record.subkey)
            parsed = EvidenceRecord.model_validate(msgpack.unpackb(record.value))
        except (ValueError, TypeError, ValidationError, msgpack.UnpackException):
            return False
        writer = peer_id_of(owner) if isinstance(owner, bytes) else None
        if writer is None or writer.to_bytes() != parsed.peer_id:
            return False
        if not self._admission.certifies(parsed.certificate, writer, record.expiration_time):
            return False
        found = [self._admission.convicted.verified(packed) for packed in parsed.evidence]
        users = {item.user for item in found if item is not None}
        return len(users) == len(found)  # each holds, and is against another user


def evidence_in(value: Any) -> list[tuple[str, Evidence]]:
    """Return the evidence in the ``value`` of a look-up at the key, with the user of each record's writer."""
    found: list[tuple[str, Evidence]] = []
    for entry in value.values() if isinstance(value, dict) else ():
        try:
            record = EvidenceRecord.model_validate(getattr(entry, "value", None))
            found += [(record.user, Evidence.unpack(packed)) for packed in record.evidence]
        except ValueError:  # it ended between two looks, or came from a node of another version
            continue
    return found
