"""Invitations: codes that let a number of people join before a day, and the list of those who may join anyway."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import CursorResult, delete, update
from sqlalchemy.orm import Session

from coordinator.database.tables import Allowed, Invitation
from coordinator.errors import GateError, NotAdmitted
from coordinator.gate.audit import note
from coordinator.gate.bearer import hash_of, new_secret

MOST_USES = 100_000
MOST_DAYS = 3_650


def invite(session: Session, *, uses: int, days: float, actor: str, now: datetime, reason: str = "") -> str:
    """A new code; whoever has it may join, so many people until then. GateError where that makes no sense."""
    if not (1 <= uses <= MOST_USES and 0 < days <= MOST_DAYS):
        raise GateError(
            f"An invitation for {uses} people and {days:g} days cannot be.",
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
    """Use an invitation up by one; NotAdmitted if it is none, or used up, or over."""
    used = session.execute(
        update(Invitation)
        .where(Invitation.code_hash == hash_of(code), Invitation.uses_left > 0, Invitation.expires > now)
        .values(uses_left=Invitation.uses_left - 1)
    )
    assert isinstance(used, CursorResult)
    if used.rowcount != 1:
        raise NotAdmitted("This invitation is used up, or over.", "Ask whoever invited you for another one.")


def allow(session: Session, names: Iterable[str], actor: str, now: datetime) -> None:
    """Put names on the list."""
    for name in sorted({name.casefold() for name in names}):
        if session.get(Allowed, name) is None:
            session.add(Allowed(name=name))
            note(session, now, actor, "allowed", name)


def disallow(session: Session, names: Iterable[str], actor: str, now: datetime) -> None:
    """Take names off the list; they are out when their tokens end."""
    for name in sorted({name.casefold() for name in names}):
        session.execute(delete(Allowed).where(Allowed.name == name))
        note(session, now, actor, "no longer allowed", name)


def is_allowed(session: Session, name: str) -> bool:
    return session.get(Allowed, name.casefold()) is not None
