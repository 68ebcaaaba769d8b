"""Rules of entry to a run: by invitation, by a list of names, or as a member of an organisation."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import CursorResult, delete, exists, select, update
from sqlalchemy.orm import Session

from coordinator.database.tables import AllowedName, Invitation, KnownPeer, User
from coordinator.errors import GateRefusal, NotAdmitted
from coordinator.gate.audit import note
from coordinator.gate.bearer import hash_of, new_secret
from coordinator.settings import Admits

MOST_USES = 100_000
MOST_DAYS = 3_650


def require_entry(
    session: Session, admits: Admits, user: User, invitation: str | None, now: datetime
) -> None:
    """Let a user in, or raise NotAdmitted; an invitation is used up only by who is new.

    That an organisation has them is asked before, outside of transactions.
    """
    match admits:
        case Admits.LIST:
            require_stay(session, admits, user)
        case Admits.INVITATION if not _joined_before(session, user):
            if invitation is None:
                raise NotAdmitted("This run is joined by invitation.", "Use the link that you were sent.")
            accept(session, invitation, now)


def require_stay(session: Session, admits: Admits, user: User) -> None:
    """Check that a member may continue; raise NotAdmitted if the list no longer has them."""
    if admits is Admits.LIST and not is_allowed(session, user.name):
        raise NotAdmitted(
            f"{user.name} is not on the list of those who may join.", "Ask the run's organiser to add you."
        )


def not_of(organisation: str, name: str) -> NotAdmitted:
    """Return the refusal of a user of that name who does not belong to the run's organisation."""
    return NotAdmitted(
        f"{name} is not a member of {organisation} on the Hub.",
        f"Ask to join {organisation}; if you are a hidden member, tell the run's organiser.",
    )


def _joined_before(session: Session, user: User) -> bool:
    return bool(
        session.scalar(
            select(exists().where(KnownPeer.user_id == user.id, KnownPeer.public_key.is_not(None)))
        )
    )


def invite(session: Session, *, uses: int, days: float, actor: str, now: datetime, reason: str = "") -> str:
    """Return a new code by which ``uses`` people may join within ``days``.

    Raises GateRefusal if either number is out of range.
    """
    if not (1 <= uses <= MOST_USES and 0 < days <= MOST_DAYS):
        raise GateRefusal(
            f"An invitation cannot be for {uses} people and {days:g} days.",
            f"Give 1 to {MOST_USES} people and up to {MOST_DAYS} days.",
            status=422,
        )
    code, expires = new_secret(), now + timedelta(days=days)
    session.add(
        Invitation(code_hash=hash_of(code), note=reason, created=now, expires=expires, uses_left=uses)
    )
    note(session, now, actor, "invited", reason, f"{uses} people until {expires:%Y-%m-%d}")
    return code


def accept(session: Session, code: str, now: datetime) -> None:
    """Use an invitation up by one; NotAdmitted if it is none, used up, or expired."""
    used = session.execute(
        update(Invitation)
        .where(Invitation.code_hash == hash_of(code), Invitation.uses_left > 0, Invitation.expires > now)
        .values(uses_left=Invitation.uses_left - 1)
    )
    assert isinstance(used, CursorResult)
    if used.rowcount != 1:
        raise NotAdmitted(
            "This invitation is used up or has expired.", "Ask the person who invited you for another one."
        )


def allow(session: Session, names: Iterable[str], actor: str, now: datetime) -> None:
    """Put names on the list."""
    for name in sorted({name.casefold() for name in names}):
        if session.get(AllowedName, name) is None:
            session.add(AllowedName(name=name))
            note(session, now, actor, "allowed", name)


def disallow(session: Session, names: Iterable[str], actor: str, now: datetime) -> None:
    """Take names off the list; their users keep access until their tokens expire."""
    for name in sorted({name.casefold() for name in names}):
        session.execute(delete(AllowedName).where(AllowedName.name == name))
        note(session, now, actor, "no longer allowed", name)


def is_allowed(session: Session, name: str) -> bool:
    return session.get(AllowedName, name.casefold()) is not None
