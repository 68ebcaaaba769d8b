"""Memberships: the secret that a volunteer's client keeps after signing in, and what it may ask for with it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from coordinator.database.tables import Membership, User
from coordinator.errors import SignedOut
from coordinator.gate.accounts import require_not_banned
from coordinator.gate.bearer import hash_of, new_secret

MOST_MEMBERSHIPS = 64
"""Largest number of memberships that a user may have at once; a new one ends the oldest."""


@dataclass(frozen=True)
class Member:
    """The user whose secret a request carries."""

    user: User
    membership: Membership


def begin(session: Session, user: User, days: float, now: datetime) -> str:
    """Begin a membership of ``days`` days and return its secret.

    The user's memberships that are over are deleted, and so are the oldest ones if there would be too many.
    """
    over = or_(Membership.expires <= now, Membership.revoked.is_not(None))
    session.execute(delete(Membership).where(Membership.user_id == user.id, over))
    kept = (
        select(Membership.id)
        .where(Membership.user_id == user.id)
        .order_by(Membership.id.desc())
        .limit(MOST_MEMBERSHIPS - 1)
    )
    newest = session.scalars(kept).all()
    session.execute(delete(Membership).where(Membership.user_id == user.id, Membership.id.not_in(newest)))
    secret = new_secret()
    expires = now + timedelta(days=days)
    session.add(Membership(user_id=user.id, secret_hash=hash_of(secret), created=now, expires=expires))
    return secret


def member_by(session: Session, secret: str, now: datetime) -> Member:
    """Find the member with this secret; raises SignedOut if there is none, Banned with the reason."""
    found = session.execute(
        select(Membership, User)
        .join(User, User.id == Membership.user_id)
        .where(Membership.secret_hash == hash_of(secret))
    ).one_or_none()
    if found is None:
        raise SignedOut("This sign-in to the run is unknown or has ended.", "Sign in to the run again.")
    membership, user = found
    require_not_banned(user)
    if membership.revoked is not None or membership.expires <= now:
        raise SignedOut("This sign-in to the run is over.", "Sign in to the run again.")
    return Member(user, membership)


def end_all(session: Session, user: User, now: datetime) -> None:
    """End every membership of a user's; their rows stay, to tell the reason to who comes with them."""
    session.execute(
        update(Membership)
        .where(Membership.user_id == user.id, Membership.revoked.is_(None))
        .values(revoked=now)
    )
