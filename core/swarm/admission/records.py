"""What a swarm's DHT knows of admission: the peers' tokens, and the gate's list of those who are refused at once."""

from typing import Any

import hivemind
import msgpack
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord, RecordValidatorBase

from core.swarm.admission.admission import Admission
from core.swarm.admission.refusal import Refused
from core.swarm.identity import peer_id_of


def admissions_key(prefix: str) -> str:
    return f"{prefix}_admissions"


def revocations_key(prefix: str) -> str:
    return f"{prefix}_revocations"


class AdmissionValidator(RecordValidatorBase):
    """Refuses admissions that are not their writer's, and lists of revocations that are not the gate's newest.

    Whether a token is good by now is not its matter: hivemind drops all records of a key for one that is refused, so
    what was once taken must be taken for ever. A record lives no longer than the token in it.
    """

    def __init__(self, prefix: str, admission: Admission) -> None:
        self._admission = admission
        self._admissions, self._revocations = (
            DHTID.generate(source=key).to_bytes() for key in (admissions_key(prefix), revocations_key(prefix))
        )

    def validate(self, record: DHTRecord) -> bool:
        if record.key == self._revocations:
            return self._is_newest(record)
        return record.key != self._admissions or self._is_own(record)

    def merge_with(self, other: RecordValidatorBase) -> bool:
        return False

    def _is_newest(self, record: DHTRecord) -> bool:
        """Without a subkey, and gone when its content says so: else an old list could outlive a new one."""
        signed = _unpacked(record.value)
        if record.subkey != DHTProtocol.IS_REGULAR_VALUE or not isinstance(signed, bytes):
            return False
        listed = self._admission.read_revocations(signed)
        return (
            listed is not None
            and listed.expires == record.expiration_time
            and not self._admission.is_outdated(listed)
        )

    def _is_own(self, record: DHTRecord) -> bool:
        owner, text = _unpacked(record.subkey), _unpacked(record.value)
        writer = peer_id_of(owner) if isinstance(owner, bytes) else None
        if writer is None or not isinstance(text, str):
            return False
        try:
            token = self._admission.read(text, record.expiration_time)
        except Refused:
            return False
        return bool(token.peer == writer.to_base58())


def publish_revocations(dht: "hivemind.DHT", prefix: str, signed: bytes, *, expires: int) -> Any:
    """Store a signed list (see core.admission.revocations) for all to find; a future of whether any peer took it.

    ``expires`` is the list's own: with another one it is refused.
    """
    return dht.store(
        revocations_key(prefix), value=signed, expiration_time=float(expires), return_future=True
    )


def _unpacked(packed: bytes) -> object:
    try:
        return msgpack.unpackb(packed)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None
