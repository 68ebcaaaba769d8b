"""Counts requests to the gate across the website's processes: a client has no more with many than with one."""

import hashlib
import hmac
import time
from collections.abc import Callable

from sqlalchemy import case, delete, select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import ClientRate
from coordinator.database.upsert import insert_or_change
from core.signing import SigningKey

_SWEPT_SECONDS = 60.0


class SharedRates:
    """Token buckets in the database, each as the moment at which it is full again (GCRA; ITU-T I.371, 1996).

    A client is kept as a digest under a secret, and for as long as its bucket is not full.
    """

    def __init__(self, database: Database, key: SigningKey, clock: Callable[[], float] = time.time) -> None:
        """Prepare to count in ``database``.

        Args:
            key: the gate's, from which the secret of the digests is derived.
            clock: Unix seconds, which all of the website's processes have alike.
        """
        self._database = database
        self._secret = hashlib.sha256(bytes.fromhex(key.sign(b"idlebrush/1/rates\n"))).digest()
        self._clock = clock
        self._swept = clock()

    def wait(self, client: str, kind: str, per_second: float, burst: int) -> float:
        """Take a token: return 0 if there was one, else the seconds until there will be.

        Args:
            client: address of the client.
            kind: kind of the request; each has a bucket of its own.
            per_second: tokens that come in a second.
            burst: tokens of a full bucket.

        Raises:
            DatabaseError: the database is away.
        """
        now = self._clock()
        digest = hmac.digest(self._secret, f"{kind} {client}".encode(), "sha256").hex()
        with self._database.session() as session:
            self._sweep(session, now)
            return _take(session, digest, now, 1 / per_second, burst)

    def _sweep(self, session: Session, now: float) -> None:
        if now - self._swept > _SWEPT_SECONDS:
            self._swept = now
            session.execute(delete(ClientRate).where(ClientRate.full_at < now))


def _take(session: Session, digest: str, now: float, seconds: float, burst: int) -> float:
    """Take a token that takes ``seconds`` to come back, in one statement: so no two processes take the same one."""
    later = case((ClientRate.full_at > now, ClientRate.full_at), else_=now) + seconds
    row = {"client": digest, "full_at": now + seconds}
    if insert_or_change(session, ClientRate, row, {"full_at": later}, later <= now + burst * seconds):
        return 0.0
    full_at = session.scalars(select(ClientRate.full_at).where(ClientRate.client == digest)).one()
    return full_at + seconds - burst * seconds - now
