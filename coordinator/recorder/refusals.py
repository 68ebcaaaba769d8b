"""Tells the swarm who is refused at once, as soon as the database says so."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import hivemind

from coordinator.database.connect import Database
from coordinator.gate.revocations import revoked
from core.admission.revocations import Revocations, sign
from core.run import RunManifest
from core.signing import SigningKey
from core.swarm.admission.records import publish_revocations

_REMINDER_SECONDS = 300.0
"""After which the list is stored anew, for peers of the DHT that came since."""


class Refusals:
    """Of a run with a gate; the list is looked for once a second, and stored when it has changed."""

    def __init__(
        self,
        database: Database,
        key: SigningKey,
        manifest: RunManifest,
        dht: "hivemind.DHT",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """``key`` is the gate's."""
        self._database, self._key, self._dht, self._clock = database, key, dht, clock
        self._run, self._prefix = manifest.training_digest, manifest.dht_prefix
        self._told: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        self._told_at = time.monotonic()

    async def tell(self) -> None:
        """Store the list if there is news, or it has been a while; raises DatabaseError."""
        listed = await asyncio.to_thread(self._listed)
        is_news = (listed.names, listed.peers) != self._told
        if (is_news or time.monotonic() - self._told_at > _REMINDER_SECONDS) and await self._publish(listed):
            self._told, self._told_at = (listed.names, listed.peers), time.monotonic()

    def _listed(self) -> Revocations:
        with self._database.reading() as session:
            return revoked(session, self._run, self._clock())

    async def _publish(self, listed: Revocations) -> bool:
        """Whether any peer took it."""
        stored: Any = publish_revocations(
            self._dht, self._prefix, sign(listed, self._key), expires=listed.expires
        )
        return bool(await stored)
