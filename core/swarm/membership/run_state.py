"""The run's state in the DHT, under a key that all generations share: peers of an old one learn of a new one."""

import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Self

import hivemind
import msgpack
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord
from hivemind.utils import get_dht_time
from pydantic import ValidationError

from core.run.fields import Rules
from core.run.manifest import RunManifest, Signature
from core.run.signed_parts import is_state_signed, set_fields
from core.run.state import RunState
from core.swarm.wire.record_rules import KeyValidator

_LOOK_SECONDS = 10.0
_PUBLISH_SECONDS = 60.0
_KNOWN_SECONDS = 3600.0
_CLOCK_SECONDS = 30.0
"""Seconds by which a state may end later: clocks differ."""
_LARGEST = 1024
"""Largest size of a record's value or subkey, in bytes."""


class SignedState(Rules):
    """The state part of a manifest with its signature, bound to the run's training part and its key.

    Any peer can pass on that the organiser rolled the run back; none can forge it.
    """

    state: RunState
    signature: Signature

    @classmethod
    def of(cls, manifest: RunManifest) -> Self:
        """Return the state of ``manifest`` with its signature."""
        return cls(state=manifest.state, signature=manifest.signatures.state)

    @classmethod
    def read(cls, found: object, manifest: RunManifest) -> Self | None:
        """Read the state in ``found``, a plain value, which may be of any generation of the run.

        Returns None if it is malformed, or if the organiser of the run in ``manifest`` did not sign it.
        """
        try:
            signed = cls.model_validate(found)
        except ValidationError:
            return None
        is_ours = is_state_signed(
            signed.state, signed.signature, key=manifest.key, training_digest=manifest.training_digest
        )
        return signed if is_ours else None

    def pack(self) -> dict[str, Any]:
        """Pack into a plain value, which ``read`` reverses."""
        return {"state": set_fields(self.state), "signature": self.signature}


class RunStateValidator(KeyValidator):
    """Refuses, at every peer that stores them, states that the run's organiser did not sign.

    A state lies under the subkey of its serial. There are therefore never more of them than the organiser
    made, and an old one that is stored again hides no newer one.
    """

    def __init__(self, manifest: RunManifest) -> None:
        """Check the states of the run of ``manifest``, whichever generation they and it belong to."""
        self._manifest = manifest
        self._key = DHTID.generate(source=manifest.state_key).to_bytes()

    def validate(self, record: DHTRecord) -> bool:
        """Return false if ``record`` lies under the run's state key and is not a signed state at its serial."""
        return record.key != self._key or self._fits(record)

    @property
    def lasting(self) -> Mapping[bytes, float]:
        """Seconds after which a state ends at the latest, by the DHT id of its key."""
        return {self._key: _KNOWN_SECONDS + _CLOCK_SECONDS}

    def _fits(self, record: DHTRecord) -> bool:
        if len(record.value) > _LARGEST or len(record.subkey) > _LARGEST:
            return False
        try:
            serial, found = msgpack.unpackb(record.subkey), msgpack.unpackb(record.value)
        except (ValueError, TypeError, msgpack.UnpackException):
            return False
        signed = SignedState.read(found, self._manifest)
        return signed is not None and type(serial) is int and serial == signed.state.serial


class StateWatch:
    """Watches the swarm for a newer state of one peer's run; its methods never wait."""

    def __init__(self, dht: "hivemind.DHT", manifest: RunManifest) -> None:
        """Watch through ``dht`` for a later state than that in ``manifest``, this peer's own.

        A look and a publication are due at once.
        """
        self._dht, self._manifest = dht, manifest
        self._looking: Future[Any] | None = None
        self._look_at = self._publish_at = time.monotonic()
        self._published = manifest.state.serial

    def newer(self) -> RunState | None:
        """Return the newest state of a later generation that the swarm knows of, or None; looks every few seconds."""
        if self._looking is None:
            if time.monotonic() >= self._look_at:
                self._looking = self._dht.get(self._manifest.state_key, latest=True, return_future=True)
            return None
        if not self._looking.done():
            return None
        looked, self._looking = self._looking, None
        self._look_at = time.monotonic() + _LOOK_SECONDS
        return newest(looked.result() if looked.exception() is None else None, self._manifest)

    def publish(self, successor: RunManifest | None = None) -> None:
        """Publish the state of the manifest, or of its ``successor``: at once, and then every minute."""
        manifest = successor or self._manifest
        if time.monotonic() >= self._publish_at or self._published != manifest.state.serial:
            self._published, self._publish_at = manifest.state.serial, time.monotonic() + _PUBLISH_SECONDS
            publish_state(self._dht, manifest)


def publish_state(dht: "hivemind.DHT", manifest: RunManifest) -> "Future[Any]":
    """Store the state of ``manifest``, which may be of a later generation than the peer's own, through ``dht``.

    Returns a future that is true if any peer stored it.
    """
    stored: Future[Any] = dht.store(
        manifest.state_key,
        subkey=manifest.state.serial,
        value=SignedState.of(manifest).pack(),
        expiration_time=get_dht_time() + _KNOWN_SECONDS,
        return_future=True,
    )
    return stored


def newest(found: Any, manifest: RunManifest) -> RunState | None:
    """Return the newest state in ``found``, the result of a DHT look-up, that is later than the manifest's.

    Only states signed for the run of ``manifest`` and of a later generation count; None if there is none.
    """
    entries = found.value if found is not None and isinstance(found.value, dict) else {}
    signed = (SignedState.read(getattr(entry, "value", None), manifest) for entry in entries.values())
    own = manifest.state
    later = [
        item.state
        for item in signed
        if item is not None and item.state.serial > own.serial and item.state.generation > own.generation
    ]
    return max(later, key=lambda state: state.serial, default=None)
