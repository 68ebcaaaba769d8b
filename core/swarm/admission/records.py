"""The admission records of a swarm's DHT: the peers' tokens, and the gate's lists of refusals and of pardons."""

from collections.abc import Mapping
from typing import Any

import hivemind
import msgpack
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord

from core.admission import pardons
from core.admission.revocations import KNOWN_SECONDS
from core.swarm.admission.admission import Admission
from core.swarm.admission.newest_list import NewestList
from core.swarm.admission.refusal import PeerRefused
from core.swarm.evidence.records import pardons_key
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.record_rules import KeyValidator

SHOWN_SECONDS = 120.0
"""Seconds for which the swarm keeps a token that is not shown again."""
_CLOCK_SECONDS = 30.0
"""Seconds by which a record may end later: clocks differ."""


def admissions_key(prefix: str) -> str:
    """Return the DHT key of the peers' access tokens in the run with this ``prefix``."""
    return f"{prefix}_admissions"


def revocations_key(prefix: str) -> str:
    """Return the DHT key of the gate's list of revocations in the run with this ``prefix``."""
    return f"{prefix}_revocations"


class AdmissionValidator(KeyValidator):
    """Refuses admissions that are not their writer's, and lists that are not the gate's newest.

    It does not check if a token is still valid: hivemind drops all records of a key when one of them is
    refused, so a record that was accepted once must stay acceptable. A record lives no longer than the token
    in it.
    """

    def __init__(self, prefix: str, admission: Admission) -> None:
        """Check the admission records of the run whose DHT prefix is ``prefix``.

        ``admission`` is this peer's own. It verifies the gate's signatures, and knows the newest list of
        revocations that has arrived.
        """
        self._admission = admission
        keys = admissions_key(prefix), revocations_key(prefix), pardons_key(prefix)
        self._admissions, self._revocations, self._pardons = (
            DHTID.generate(source=key).to_bytes() for key in keys
        )
        self._lists: Mapping[bytes, NewestList[Any]] = {
            self._revocations: admission.revoked,
            self._pardons: admission.convicted.pardons,
        }

    def validate(self, record: DHTRecord) -> bool:
        """Return false if ``record`` lies under one of the three keys and is not acceptable under it."""
        if (lists := self._lists.get(record.key)) is not None:
            return _is_newest(record, lists)
        return record.key != self._admissions or self._is_own(record)

    @property
    def lasting(self) -> Mapping[bytes, float]:
        """Seconds after which a token's record and a list's end at the latest, by the DHT ids of their keys."""
        return {
            self._admissions: SHOWN_SECONDS + _CLOCK_SECONDS,
            self._revocations: KNOWN_SECONDS + _CLOCK_SECONDS,
            self._pardons: pardons.KNOWN_SECONDS + _CLOCK_SECONDS,
        }

    def _is_own(self, record: DHTRecord) -> bool:
        owner, text = _unpacked(record.subkey), _unpacked(record.value)
        writer = peer_id_of(owner) if isinstance(owner, bytes) else None
        if writer is None or not isinstance(text, str):
            return False
        try:
            token = self._admission.read(text, record.expiration_time)
        except PeerRefused:
            return False
        return bool(token.peer == writer.to_base58())


def _is_newest(record: DHTRecord, newest: NewestList[Any]) -> bool:
    """Return true for a record without a subkey that ends as its content says; no old list outlives a new one."""
    signed = _unpacked(record.value)
    if record.subkey != DHTProtocol.IS_REGULAR_VALUE or not isinstance(signed, bytes):
        return False
    return newest.accepts(signed, record.expiration_time)


def publish_revocations(dht: "hivemind.DHT", prefix: str, signed: bytes, *, expires: int) -> Any:
    """Store a ``signed`` list (see core.admission.revocations) through ``dht``, for all peers of the run to find.

    ``prefix`` is the run's DHT prefix. ``expires`` (Unix seconds) must be the list's own expiry, or peers
    refuse the record. Returns a future that is true if any peer stored the list.
    """
    return dht.store(
        revocations_key(prefix), value=signed, expiration_time=float(expires), return_future=True
    )


def publish_pardons(dht: "hivemind.DHT", prefix: str, signed: bytes, *, expires: int) -> Any:
    """Store a ``signed`` list (see core.admission.pardons) through ``dht``, for all peers of the run to find.

    ``prefix`` is the run's DHT prefix. ``expires`` (Unix seconds) must be the list's own expiry, or peers
    refuse the record. Returns a future that is true if any peer stored the list.
    """
    return dht.store(pardons_key(prefix), value=signed, expiration_time=float(expires), return_future=True)


def _unpacked(packed: bytes) -> object:
    try:
        return msgpack.unpackb(packed)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None
