"""Moderators' actions, each with an entry in the audit log: bans, evidence, false work, pictures, members."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.tables import KnownPeer, User, WorkAudit
from coordinator.errors import GateRefusal, LedgerError
from coordinator.gate.audit import note
from coordinator.gate.evidence import (
    EvidenceStanding,
    all_standing_against,
    culprit_of,
    decide,
    evidence_by,
    is_of_later,
    lift,
)
from coordinator.gate.memberships import end_all
from coordinator.ledger import work_audits
from coordinator.ledger.history import take_down
from coordinator.teams.teams import pass_on

COMMAND_LINE = "organiser"
"""The actor of what is ordered on the coordinator's own machine."""
PAGE = 200
EvidenceDecision = Literal["uphold", "lift"]
"""Decision about a piece of evidence."""


@dataclass(frozen=True)
class ListedMember:
    """A user as moderators see them."""

    name: str
    created: datetime
    hidden: bool
    moderator: bool
    banned: datetime | None
    ban_reason: str | None
    ban_at_once: bool
    peers: int
    token_until: datetime | None
    """End of the newest access token of any of the user's peers."""


def ban(session: Session, name: str, *, reason: str, at_once: bool, actor: str, now: datetime) -> None:
    """End a user's memberships and give no more tokens; ``at_once`` also revokes those that are good.

    A team that the user leads gets another leader. A user who is banned already is banned again: that is how a ban
    takes effect at once. Raises GateRefusal if no user has the name.
    """
    user = _named(session, name)
    user.banned, user.ban_reason, user.ban_at_once = now, reason, at_once
    end_all(session, user, now)
    note(session, now, actor, "banned at once" if at_once else "banned", name, reason)
    pass_on(session, user, actor=actor, now=now)


def unban(session: Session, name: str, *, actor: str, now: datetime) -> None:
    """Let a user sign in again, whatever evidence says; raise GateRefusal if no user is banned or set aside so."""
    user = _named(session, name)
    held = sorted({row.name for row in all_standing_against(session, user)})
    lifted = sum(lift(session, each, "the ban was lifted", actor=actor, now=now) for each in held)
    if user.banned is None and lifted:
        return
    if user.banned is None:
        raise GateRefusal(f"{name} is not banned.", "There is nothing to lift.", status=404)
    user.banned, user.ban_reason, user.ban_at_once = None, None, False
    note(session, now, actor, "ban lifted", name)


def uphold(session: Session, number: int, why: str, *, actor: str, now: datetime) -> str:
    """Ban the user whom the evidence of that ``number`` sets aside, at once; return the name.

    The swarm has left the user out before. The ban ends the sign-in as well, and lasts in every generation. Raises
    GateRefusal if there is no such evidence, or it was lifted.
    """
    row = evidence_by(session, number)
    if row.standing == EvidenceStanding.LIFTED.value:
        raise GateRefusal(
            f"Evidence {number} was lifted.", "Ban the user by name if there is another reason.", status=409
        )
    decide(session, row, EvidenceStanding.UPHELD, why, actor=actor, now=now)
    user = culprit_of(session, row)
    if user is not None:
        reason = why or f"a computer of {row.name} {row.words}"
        ban(session, user.name, reason=reason, at_once=True, actor=actor, now=now)
    return row.name


def grant(session: Session, number: int, why: str, *, actor: str, now: datetime) -> str:
    """Grant the appeal against the evidence of that ``number``: its user is admitted again; return the name.

    Raises GateRefusal if there is no such evidence, it is of an epoch to come, or the user is not set aside.
    """
    row = evidence_by(session, number)
    if is_of_later(session, row):
        raise GateRefusal(
            f"Evidence {number} is of epoch {row.epoch}, generation {row.generation}, which the run has not come to.",
            "No honest program signs for later epochs. If the recorder is behind, try again once it has caught up.",
            status=409,
        )
    name, user = row.name, culprit_of(session, row)
    if not lift(session, name, why, actor=actor, now=now):
        raise GateRefusal(f"No evidence sets {name} aside.", "There is nothing to lift.", status=409)
    if user is not None and user.banned is not None:
        unban(session, user.name, actor=actor, now=now)
    return name


def decide_on(
    session: Session,
    number: int,
    decision: EvidenceDecision,
    why: str,
    *,
    by: User,
    moderators: Collection[str],
    now: datetime,
) -> None:
    """Uphold the evidence of that ``number``, or lift it, as the moderator ``by`` decides.

    ``moderators`` are those of the settings. Raises GateRefusal as `uphold`, `grant` and `require_may_ban` do, and
    where the moderator would lift evidence against oneself.
    """
    row = evidence_by(session, number)
    user = culprit_of(session, row)
    if decision == "lift":
        _require_other(by, row.name, user)
        grant(session, number, why, actor=by.name, now=now)
        return
    if user is not None:
        require_may_ban(session, by, user.name, moderators)
    uphold(session, number, why, actor=by.name, now=now)


def lift_audit(session: Session, number: int, why: str, *, by: User | str, now: datetime) -> str:
    """Credit what the audit of that ``number`` withholds; return the name of its user.

    ``by`` is the moderator, or the name of another actor. Raises GateRefusal if there is no such audit that counts,
    and where moderators would lift what is against themselves.
    """
    row = session.get(WorkAudit, number)
    owner = session.get(User, row.user_id) if row is not None else None
    if owner is not None and isinstance(by, User):
        _require_other(by, owner.name, owner)
    actor = by.name if isinstance(by, User) else by
    try:
        lifted = work_audits.lift(session, number, why, actor=actor, now=now)
    except LedgerError as error:
        raise GateRefusal(error.what, error.remedy, status=404) from error
    name = owner.name if owner is not None else ""
    where = f"audit {number}, epoch {lifted.epoch}"
    note(session, now, actor, "credits given back", name, f"{where}: {why}" if why else where)
    return name


def unban_by(session: Session, name: str, *, by: User, now: datetime) -> None:
    """Let a user sign in again, as the moderator ``by`` decides; raise GateRefusal as `unban`, and for oneself."""
    _require_other(by, name)
    unban(session, name, actor=by.name, now=now)


def set_moderator(session: Session, name: str, moderator: bool, *, actor: str, now: datetime) -> None:
    """Let a user moderate, or no longer; raise GateRefusal if no user has the name."""
    _named(session, name).moderator = moderator
    note(session, now, actor, "made a moderator" if moderator else "no moderator any more", name)


def take_down_picture(session: Session, epoch: int, *, actor: str, now: datetime) -> list[str]:
    """Take the picture of an epoch off the website; its files, to be removed. GateRefusal if there is none."""
    files = take_down(session, epoch)
    if not files:
        raise GateRefusal(
            f"No picture of epoch {epoch} is shown.",
            "The gallery lists the epochs that have one.",
            status=404,
        )
    note(session, now, actor, "picture taken down", f"epoch {epoch}")
    return files


def is_moderator(user: User, moderators: Collection[str]) -> bool:
    """Return true if a user may moderate; ``moderators`` are those of the settings."""
    return user.moderator or user.name in moderators


def require_moderator(user: User, moderators: Collection[str]) -> None:
    """Raise GateRefusal unless the user may moderate."""
    if not is_moderator(user, moderators):
        raise GateRefusal(f"{user.name} is no moderator of this run.", "Ask the run's organiser.")


def require_may_ban(session: Session, actor: User, name: str, moderators: Collection[str]) -> None:
    """Raise GateRefusal where a moderator would ban another: that is the organiser's to do."""
    if name != actor.name and is_moderator(_named(session, name), moderators):
        raise GateRefusal(
            f"{name} is a moderator too.", "Only the organiser, on the command line, may ban one."
        )


def _require_other(by: User, name: str, user: User | None = None) -> None:
    """Raise GateRefusal where ``by`` would lift what is against that ``name``, or that ``user``, and is the same."""
    if by.name == name or (user is not None and user.id == by.id):
        raise GateRefusal(
            f"{by.name} may not lift what is against {by.name}.",
            "Another moderator may, or the organiser on the command line.",
        )


def members(session: Session, *, after: str = "", limit: int = PAGE) -> list[ListedMember]:
    """Return users by name, from the first after ``after``."""
    found = (
        select(User, func.count(KnownPeer.id), func.max(KnownPeer.token_until))
        .outerjoin(KnownPeer, KnownPeer.user_id == User.id)
        .where(User.name > after)
        .group_by(User.id)
        .order_by(User.name)
        .limit(limit)
    )
    return [
        ListedMember(
            name=user.name,
            created=user.created,
            hidden=user.hidden,
            moderator=user.moderator,
            banned=user.banned,
            ban_reason=user.ban_reason,
            ban_at_once=user.ban_at_once,
            peers=peers,
            token_until=until,
        )
        for user, peers, until in session.execute(found)
    ]


def _named(session: Session, name: str) -> User:
    user = session.scalar(select(User).where(User.name == name))
    if user is None:
        raise GateRefusal(
            f"No volunteer named {name} has joined this run.", "Check the spelling of the name.", status=404
        )
    return user
