"""Finds the account of a proven identity by its subject: a name that changes hands takes no credit along."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.orm import Session

from coordinator.database.tables import AuditEntry, KnownPeer, Membership, User
from coordinator.errors import Banned, NotAdmitted, ProofRefused, SignedOut
from coordinator.gate.audit import GATE, note
from coordinator.gate.possession import Holder
from coordinator.gate.proof import Identity
from coordinator.settings import OWN_NAME

MOST_PEERS = 32
"""Largest number of peers that a user may have at once."""
_IDLE = timedelta(days=30)
"""Time after which a peer that asked for no token counts no more."""
RENAMED = "renamed"
_NAME_KEPT = 80
"""Characters of a name that its former holder keeps."""


def account_of(session: Session, identity: Identity, now: datetime, reserved: Collection[str] = ()) -> User:
    """Return the user that ``identity`` proves; make or rename the user where that is due.

    Args:
        reserved: names that stand for trust in a person, and so do not pass to the next holder of the name.

    Raises:
        NotAdmitted: the name is the coordinator's own, or is reserved for its earlier holder.
    """
    if identity.name == OWN_NAME:
        raise NotAdmitted("This name is reserved for the coordinator.", "Join with another account.")
    user = session.scalar(select(User).where(User.subject == identity.subject))
    holder = session.scalar(select(User).where(User.name == identity.name))
    if holder is not None and holder is not user:
        if user is None and _waits_for_its_person(session, holder):
            holder.subject = identity.subject
            return holder
        _pass_on(session, holder, now, reserved)
    if (user is None or user.name != identity.name) and identity.name in reserved:
        _require_never_held(session, identity.name, user)
    if user is None:
        user = User(name=identity.name, subject=identity.subject, created=now)
        session.add(user)
    elif user.name != identity.name:
        note(session, now, GATE, RENAMED, identity.name, _held(user.name, user))
        user.name = identity.name
    session.flush()
    return user


def require_not_banned(user: User) -> None:
    """Raise Banned, with the reason that was given."""
    if user.banned is not None:
        reason = f": {user.ban_reason.rstrip('.')}" if user.ban_reason else ""
        raise Banned(f"{user.name} is banned from this run{reason}.", "Write to the run's organiser.")


def claim_peer(session: Session, holder: Holder, user: User, now: datetime, until: datetime) -> KnownPeer:
    """Make the key's peer that user's, which is given a token until then; ProofRefused if it is another member's."""
    peer = session.scalar(select(KnownPeer).where(KnownPeer.peer_id == holder.peer_id))
    if peer is None:
        _require_room(session, user, now)
        peer = KnownPeer(peer_id=holder.peer_id, user_id=user.id, created=now)
        session.add(peer)
    elif peer.user_id != user.id:
        _require_given_up(session, peer, now)
        peer.user_id = user.id
    peer.public_key, peer.token_until = holder.public_key, until
    return peer


def own_peer(session: Session, holder: Holder, user: User, until: datetime) -> KnownPeer:
    """Return the user's peer that renews its token, and set the end of that token to ``until``.

    Raise SignedOut if the holder's peer never joined as this user's: then only a new sign-in helps.
    """
    peer = session.scalar(select(KnownPeer).where(KnownPeer.peer_id == holder.peer_id))
    if peer is None or peer.user_id != user.id:
        raise SignedOut(
            f"The key of this computer is not registered for {user.name}.", "Sign in to the run again."
        )
    peer.token_until = until
    return peer


def _waits_for_its_person(session: Session, user: User) -> bool:
    """Return true if the user was entered by name, as from receipts, and not made up for a nameless peer."""
    nameless = exists().where(KnownPeer.user_id == user.id, KnownPeer.public_key.is_(None))
    return user.subject is None and not session.scalar(select(nameless))


def _pass_on(session: Session, holder: User, now: datetime, reserved: Collection[str]) -> None:
    """Free the name of an account that the provider knows by another one now, or not at all."""
    if holder.moderator or holder.name in reserved:
        raise _trusted_before(holder.name)
    former = f"{holder.name[:_NAME_KEPT]}~{holder.id}"
    note(session, now, GATE, "name changed hands", holder.name, f"its former holder is {former}")
    session.execute(delete(Membership).where(Membership.user_id == holder.id))
    session.execute(update(User).where(User.id == holder.id).values(name=former))


def _require_never_held(session: Session, name: str, user: User | None) -> None:
    """Raise NotAdmitted if another account had the name before it was renamed: that one's person was trusted."""
    held = select(AuditEntry.detail).where(
        AuditEntry.action == RENAMED, AuditEntry.detail.startswith(_held(name), autoescape=True)
    )
    if set(session.scalars(held)) - {_held(name, user)}:
        raise _trusted_before(name)


def _held(name: str, user: User | None = None) -> str:
    return f"was {name}, account {user.id if user else ''}"


def _trusted_before(name: str) -> NotAdmitted:
    return NotAdmitted(
        f"The name {name} belonged to another account, which this run trusts.",
        "Ask the run's organiser to trust yours.",
    )


def _require_room(session: Session, user: User, now: datetime) -> None:
    active = select(func.count()).where(KnownPeer.user_id == user.id, KnownPeer.token_until > now - _IDLE)
    if session.scalars(active).one() >= MOST_PEERS:
        raise NotAdmitted(
            f"{user.name} has {MOST_PEERS} peers already.",
            "Leave the run on a computer that you use no more.",
        )


def _require_given_up(session: Session, peer: KnownPeer, now: datetime) -> None:
    owner = session.get_one(User, peer.user_id)
    live = exists().where(
        Membership.user_id == owner.id, Membership.expires > now, Membership.revoked.is_(None)
    )
    if owner.banned is not None or session.scalar(select(live)):
        raise ProofRefused(
            "The key of this computer belongs to another member.",
            "Leave the run with the other account first, or delete the run's peer identity.",
        )
