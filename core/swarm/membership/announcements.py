"""Announces the time-lapse frames that this peer has drawn, and reads the others' announcements; it never waits."""

from concurrent.futures import Future
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import FRAME_SECONDS, FrameRecord, bounded, frame_key, parse_all


class FrameAnnouncements:
    """The announcements of frames in one run's swarm."""

    def __init__(self, dht: "hivemind.DHT", prefix: str, identity: PeerIdentity) -> None:
        """Announce through ``dht`` in the run whose DHT prefix is ``prefix``.

        This peer's record carries the peer id of ``identity``, and is stored under its owner key.
        """
        self._dht, self._key, self._identity = dht, frame_key(prefix), identity
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
        self._dht.store(
            self._key,
            subkey=self._identity.owner,
            value=bounded(record.pack()),
            expiration_time=get_dht_time() + FRAME_SECONDS,
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
