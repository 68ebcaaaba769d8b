"""Announces the time-lapse frames that this peer has drawn, and reads the others' announcements; it never waits."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import FRAME_SECONDS, FrameRecord, bounded, frame_key, parse_all


class FrameAnnouncements:
    """The announcements of frames in one run's swarm."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        identity: PeerIdentity,
        certificate: OwnCertificate = OPEN_RUN,
        dht_clock: Callable[[], float] = get_dht_time,
    ) -> None:
        """Announce through ``dht`` in the run whose DHT prefix is ``prefix``.

        This peer's record carries the peer id of ``identity`` and its ``certificate``, and is stored under its owner
        key. ``dht_clock`` gives the DHT time in seconds.
        """
        self._dht, self._key, self._identity = dht, frame_key(prefix), identity
        self._certificate, self._dht_clock = certificate, dht_clock
        self._last: tuple[FrameRecord, float] | None = None
        """The last announcement as it was stored, and the DHT time until which it is to be known."""
        self._looking: Future[Any] | None = None

    def announce(self, epoch: int, parameters: str, frame: str, size: int) -> None:
        """Announce that this peer has the frame of an epoch.

        Args:
            epoch: number of the epoch.
            parameters: digest (hex) of the parameters that drew.
            frame: SHA-256 (hex) of the picture's file.
            size: size of the file in bytes.
        """
        record = FrameRecord(
            peer_id=self._identity.peer_id.to_bytes(),
            epoch=epoch,
            parameters=bytes.fromhex(parameters),
            frame=bytes.fromhex(frame),
            size=size,
        )
        self._store(record, self._dht_clock() + FRAME_SECONDS)

    def renew(self) -> None:
        """Store the last announcement again once this peer has a new certificate: the record ended with the old one.

        It costs nothing between two certificates, and may be called often.
        """
        if self._last is None:
            return
        stored, until = self._last
        certified, _ = self._certificate.on(stored, now=self._dht_clock(), until=until)
        if certified != stored and self._dht_clock() < until:
            self._store(certified, until)

    def _store(self, record: FrameRecord, until: float) -> None:
        """Store ``record`` until the DHT time ``until``, or for as long as the certificate allows."""
        certified, expires = self._certificate.on(record, now=self._dht_clock(), until=until)
        self._last = certified, until
        self._dht.store(
            self._key,
            subkey=self._identity.owner,
            value=bounded(certified.pack()),
            expiration_time=expires,
            return_future=True,
        )

    def newest_epoch(self, own: int) -> int | None:
        """Return the newest epoch up to ``own`` of which a peer has a frame.

        The result is 0 if there is none, and None until the swarm answers.
        """
        if self._looking is None:
            self._looking = self._dht.get(self._key, latest=True, return_future=True)
        if not self._looking.done():
            return None
        looked, self._looking = self._looking, None
        found = looked.result() if looked.exception() is None else None
        records = parse_all(FrameRecord, found.value if found else None).values()
        return max((record.epoch for record in records if record.epoch <= own), default=0)
