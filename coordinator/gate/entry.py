"""Who of those that proved who they are may join: the rules that an organiser chooses from."""

from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Peer, User
from coordinator.errors import NotAdmitted
from coordinator.gate.invitations import accept, is_allowed
from coordinator.settings import Admits


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
    """Let a member go on, or raise NotAdmitted: the list may have changed since."""
    if admits is Admits.LIST and not is_allowed(session, user.name):
        raise NotAdmitted(
            f"{user.name} is not on the list of those who may join.", "Ask the run's organiser to add you."
        )


def not_of(organisation: str, name: str) -> NotAdmitted:
    """The refusal of who does not belong to the run's organisation."""
    return NotAdmitted(
        f"{name} is not a member of {organisation} on the Hub.",
        f"Ask to join {organisation}; if you are a hidden member, tell the run's organiser.",
    )


def _joined_before(session: Session, user: User) -> bool:
    return bool(session.scalar(select(exists().where(Peer.user_id == user.id, Peer.public_key.is_not(None)))))
