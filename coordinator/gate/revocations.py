"""The list of those whom the swarm refuses at once, though their access tokens are still good."""

from datetime import datetime, timedelta

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Peer, User
from core.admission.access_token import CLOCK_SECONDS, UserName
from core.admission.revocations import MAX_BYTES, Revocations, sign
from core.signing import SigningKey

_FRAME = 600
"""Bytes of the list without its entries, and more."""
_PUNCTUATION = 3
_SKEW = timedelta(seconds=2 * CLOCK_SECONDS)
_NAME: TypeAdapter[str] = TypeAdapter(UserName)


def revocations(database: Database, key: SigningKey, run: str, now: datetime) -> bytes:
    """The list as of now, signed with the gate's key; each has a higher serial than those before.

    Args:
        run: training digest of the run's manifest.
    """
    with database.reading() as session:
        return sign(revoked(session, run, now), key)


def revoked(session: Session, run: str, now: datetime) -> Revocations:
    """Users who are banned at once and their peers, as long as a token of theirs may be good.

    If there are too many, names go before peers, as each stands for all peers of a user, and the newest bans first.
    """
    found = session.execute(
        select(User.name, Peer.peer_id)
        .join(Peer, Peer.user_id == User.id)
        .where(User.banned.is_not(None), User.ban_at_once, Peer.token_until > now - _SKEW)
        .order_by(User.banned.desc(), User.id, Peer.token_until.desc())
    ).all()
    names = list(dict.fromkeys(name for name, _ in found if _can_be_in_a_token(name)))
    space = MAX_BYTES - _FRAME
    kept_names, space = _fitting(names, space)
    kept_peers, _ = _fitting([peer for _, peer in found], space)
    seconds = now.timestamp()
    return Revocations(run, int(seconds * 1000), int(seconds), tuple(kept_names), tuple(kept_peers))


def _fitting(entries: list[str], space: int) -> tuple[list[str], int]:
    """Those of the first entries that so many bytes hold, and the bytes that are left."""
    kept: list[str] = []
    for entry in entries:
        if len(entry) + _PUNCTUATION > space or len(kept) == 1000:
            break
        space -= len(entry) + _PUNCTUATION
        kept.append(entry)
    return kept, space


def _can_be_in_a_token(name: str) -> bool:
    try:
        _NAME.validate_python(name)
    except ValidationError:
        return False
    return True
