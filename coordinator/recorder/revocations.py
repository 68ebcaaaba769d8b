"""Tells the swarm which peers to refuse at once, though their access tokens are still valid."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import KnownPeer, User
from core.admission.access_token import CLOCK_SECONDS, UserName
from core.admission.revocations import MOST_ENTRIES, Revocations, sign
from core.admission.signed_lists import SPACE, fitting
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.records import publish_revocations

if TYPE_CHECKING:
    import hivemind

_REMINDER_SECONDS = 300.0
"""Seconds after which the list is stored again, for peers of the DHT that came since."""
_SKEW = timedelta(seconds=2 * CLOCK_SECONDS)
_NAME: TypeAdapter[str] = TypeAdapter(UserName)


class RevocationUpdates:
    """Tells the swarm of a run with a gate who is refused, as soon as the database says so."""

    def __init__(
        self, database: Database, key: SigningKey, manifest: RunManifest, dht: "hivemind.DHT"
    ) -> None:
        """Prepare the updates; ``key``, the gate's, signs the list."""
        self._database, self._key, self._dht = database, key, dht
        self._run, self._prefix = manifest.training_digest, manifest.dht_prefix
        self._published: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        self._published_at = time.monotonic()

    async def publish(self) -> None:
        """Publish the list if there is news, or it has been a while; raises DatabaseError."""
        listed = await asyncio.to_thread(self._listed)
        is_news = (listed.names, listed.peers) != self._published
        if (is_news or time.monotonic() - self._published_at > _REMINDER_SECONDS) and await self._store(
            listed
        ):
            self._published, self._published_at = (listed.names, listed.peers), time.monotonic()

    def _listed(self) -> Revocations:
        with self._database.reading() as session:
            return revoked(session, self._run, datetime.now(UTC))

    async def _store(self, listed: Revocations) -> bool:
        """Store the list in the DHT; return true if any peer took it."""
        stored: Any = publish_revocations(
            self._dht, self._prefix, sign(listed, self._key), expires=listed.expires
        )
        return bool(await stored)


def revoked(session: Session, run: str, now: datetime) -> Revocations:
    """Return users who are banned at once and their peers, as long as a token of theirs may be good.

    If there are too many, names go before peers, as each stands for all peers of a user, and the newest bans first.
    """
    found = session.execute(
        select(User.name, KnownPeer.peer_id)
        .join(KnownPeer, KnownPeer.user_id == User.id)
        .where(User.banned.is_not(None), User.ban_at_once, KnownPeer.token_until > now - _SKEW)
        .order_by(User.banned.desc(), User.id, KnownPeer.token_until.desc())
    ).all()
    names = list(dict.fromkeys(name for name, _ in found if _can_be_in_a_token(name)))
    kept_names, space = fitting(names, SPACE, MOST_ENTRIES)
    kept_peers, _ = fitting([peer for _, peer in found], space, MOST_ENTRIES)
    seconds = now.timestamp()
    return Revocations(run, int(seconds * 1000), int(seconds), tuple(kept_names), tuple(kept_peers))


def _can_be_in_a_token(name: str) -> bool:
    try:
        _NAME.validate_python(name)
    except ValidationError:
        return False
    return True
