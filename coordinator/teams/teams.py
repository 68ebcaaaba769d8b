"""Teams of a run, as its members found, join, leave, rename, hand over and close them."""

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.tables import AuditEntry, User
from coordinator.database.team_tables import Team, TeamMembership
from coordinator.database.upsert import insert_if_new
from coordinator.errors import GateRefusal
from coordinator.gate.audit import note
from coordinator.teams import credit
from coordinator.teams.names import key_of, normalised

_DAY = timedelta(days=1)
FOUNDED_A_WEEK = 2
"""Most teams that a user founds in a week."""
JOINED_A_DAY = 5
"""Most memberships that a user begins in a day."""
_HANDED_OVER = "team handed over"
"""Action in the audit log."""


def team_of(session: Session, user: int) -> Team | None:
    """Return the team that the user's samples count for now; None if there is none."""
    member = TeamMembership.user_id == user, TeamMembership.ended.is_(None)
    return session.scalar(select(Team).join(TeamMembership, TeamMembership.team_id == Team.id).where(*member))


def open_team(session: Session, name: str) -> Team:
    """Return the team of that name, in any case; raise GateRefusal if there is none, or it was closed."""
    team = session.scalar(select(Team).where(Team.name_key == key_of(name), Team.closed.is_(None)))
    if team is None:
        raise GateRefusal(
            f"There is no team named {name}.", "Check its spelling on the leaderboard of teams.", status=404
        )
    return team


def found(session: Session, user: User, name: str, now: datetime) -> Team:
    """Found a team whose first member is the user; the user's earlier membership ends.

    Raises:
        GateRefusal: the name is not allowed or taken, or the user founds teams too often or leads another one.
    """
    name = normalised(name)
    _lock(session, user)
    _require_rest(session, user, now)
    lately = select(func.count()).where(Team.founded_by == user.id, Team.created > now - 7 * _DAY)
    if session.scalars(lately).one() >= FOUNDED_A_WEEK:
        raise _too_often(f"{FOUNDED_A_WEEK} teams can be founded in a week.")
    _leave_other(session, user, now)
    row = {
        "name": name,
        "name_key": key_of(name),
        "founder_id": user.id,
        "founded_by": user.id,
        "created": now,
    }
    if not insert_if_new(session, Team, row):
        raise _taken(name)
    team = session.scalars(select(Team).where(Team.name_key == row["name_key"])).one()
    credit.begin(session, team.id, user.id, now)
    note(session, now, user.name, "team founded", name)
    return team


def join(session: Session, user: User, name: str, now: datetime) -> Team:
    """Count the user's samples for the team of that name from now on; the earlier membership ends.

    Raises:
        GateRefusal: there is no such team, the user is in it, leads another one, or joins too often.
    """
    _lock(session, user)
    team, own = open_team(session, name), team_of(session, user.id)
    # In one order, so that two who change places do not wait for each other.
    for each in sorted({team, own or team}, key=lambda one: one.id):
        session.refresh(each, with_for_update=True)
    _require_open(team)
    if own is not None and own.id == team.id:
        raise GateRefusal(f"You are in {team.name} already.", "There is nothing to do.", status=409)
    _require_rest(session, user, now)
    _leave_other(session, user, now)
    credit.begin(session, team.id, user.id, now)
    return team


def leave(session: Session, user: User, now: datetime) -> Team:
    """End the user's membership, and return its team; what was credited stays with the team.

    Raises:
        GateRefusal: the user is in no team, or leads one that has other members.
    """
    _lock(session, user)
    team = own_team(session, user)
    _leave_other(session, user, now)
    return team


def rename(session: Session, user: User, name: str, now: datetime) -> Team:
    """Give the team that the user leads another name, at most once a day.

    Raises:
        GateRefusal: the name is not allowed or taken, or the user leads no team.
    """
    name = normalised(name)
    team = led_by(session, user)
    if team.renamed is not None and team.renamed > now - _DAY:
        raise _too_often("A team can be renamed once a day.")
    holder = session.scalar(select(Team.id).where(Team.name_key == key_of(name)))
    if holder not in (None, team.id):
        raise _taken(name)
    note(session, now, user.name, "team renamed", team.name, f"now {name}")
    team.name, team.name_key, team.renamed = name, key_of(name), now
    return team


def hand_over(session: Session, user: User, to: str, now: datetime) -> Team:
    """Hand the team that the user leads over to another member, at most once a day.

    Raises:
        GateRefusal: no other member has that name, or the user leads no team.
    """
    team = led_by(session, user)
    lately = AuditEntry.time > now - _DAY, AuditEntry.action == _HANDED_OVER, AuditEntry.actor == user.name
    if session.scalars(select(func.count()).where(*lately)).one():
        raise _too_often("A member can hand a team over once a day.")
    heir = session.scalar(select(User).where(User.name == to, User.banned.is_(None), User.id != user.id))
    own = None if heir is None else team_of(session, heir.id)
    if heir is None or own is None or own.id != team.id:
        raise GateRefusal(
            f"{team.name} has no other member named {to}.", "Choose another member.", status=404
        )
    note(session, now, user.name, _HANDED_OVER, team.name, f"to {heir.name}")
    team.founder_id = heir.id
    return team


def close(session: Session, user: User, now: datetime) -> Team:
    """Close the team that the user leads, for all of its members; raise GateRefusal if the user leads none."""
    team = led_by(session, user)
    _close(session, team, now)
    note(session, now, user.name, "team closed", team.name)
    return team


def remove(session: Session, number: int, *, actor: str, now: datetime, why: str = "") -> str:
    """Close the team of that ``number`` as a moderator, and return its name; raise GateRefusal if there is none."""
    team = session.get(Team, number, with_for_update=True)
    if team is None or team.closed is not None:
        raise GateRefusal(
            f"There is no team {number}, or it was closed.", "The list of teams has the numbers.", status=404
        )
    _close(session, team, now)
    note(session, now, actor, "team removed", team.name, why)
    return team.name


def pass_on(session: Session, user: User, *, actor: str, now: datetime) -> None:
    """Hand the team of a user who is banned over to another member; the team is closed if all others are banned too.

    Args:
        session: a transaction that writes.
        user: who is banned, and stays in the team.
        actor: who has banned the user, for the audit log.
        now: present time.
    """
    team = team_of(session, user.id)
    if team is None:
        return
    session.refresh(team, with_for_update=True)
    if team.founder_id != user.id or team.closed is not None:
        return
    heir = _heir(session, team)
    if heir is None:
        _close(session, team, now)
        note(session, now, actor, "team closed", team.name, "its leader was banned")
    else:
        team.founder_id = heir.id
        note(session, now, actor, "team passed on", team.name, f"to {heir.name}")


def own_team(session: Session, user: User) -> Team:
    """Return the user's team; raise GateRefusal if there is none."""
    team = team_of(session, user.id)
    if team is None:
        raise GateRefusal("You are in no team.", "Join one, or found one.", status=404)
    return team


def closed_without(session: Session, user: User) -> Team | None:
    """Return the team that is closed if the user leaves it, as it has no other member; None if there is none."""
    team = team_of(session, user.id)
    is_alone = team is not None and team.founder_id == user.id and _heir(session, team) is None
    return team if is_alone else None


def led_by(session: Session, user: User) -> Team:
    """Return the team that the user leads, which no other request changes meanwhile; raise GateRefusal if none."""
    _lock(session, user)
    team = _locked(session, own_team(session, user))
    if team.founder_id != user.id:
        raise GateRefusal(
            f"You do not lead {team.name}.", "Only the member who leads a team may do this.", status=403
        )
    return team


def _lock(session: Session, user: User) -> None:
    """Keep other requests of the same user waiting until the transaction ends."""
    session.get(User, user.id, with_for_update=True)


def _locked(session: Session, team: Team) -> Team:
    """Return the team, which no other request changes until the transaction ends; raise GateRefusal if closed."""
    session.refresh(team, with_for_update=True)
    _require_open(team)
    return team


def _require_open(team: Team) -> None:
    if team.closed is not None:
        raise GateRefusal(f"{team.name} was closed.", "Join another team.", status=404)


def _close(session: Session, team: Team, now: datetime) -> None:
    team.closed = now
    credit.end(session, TeamMembership.team_id == team.id, now)


def _leave_other(session: Session, user: User, now: datetime) -> None:
    """End the user's membership, if there is one; raise GateRefusal where its team would have no leader.

    The team of a leader without other members, but for banned ones, is closed.
    """
    team = team_of(session, user.id)
    if team is None:
        return
    session.refresh(team, with_for_update=True)  # before it is read who leads it, and who is in it
    if team.closed is not None:
        return
    if team.founder_id != user.id:
        credit.end(session, TeamMembership.user_id == user.id, now)
        return
    if _heir(session, team) is not None:
        raise GateRefusal(
            f"You lead {team.name}.",
            "Hand it over to another member, or close it, before you leave.",
            status=409,
        )
    _close(session, team, now)
    note(session, now, user.name, "team closed", team.name, "its last member left")


def _heir(session: Session, team: Team) -> User | None:
    """Return who has been in the team longest, but for its leader and who is banned; None if there is nobody."""
    members = (
        select(User)
        .join(TeamMembership, TeamMembership.user_id == User.id)
        .where(TeamMembership.team_id == team.id, TeamMembership.ended.is_(None))
        .where(User.banned.is_(None), User.id != team.founder_id)
        .order_by(TeamMembership.id)
    )
    return session.scalars(members.limit(1)).first()


def _require_rest(session: Session, user: User, now: datetime) -> None:
    lately = select(func.count()).where(TeamMembership.user_id == user.id, TeamMembership.begun > now - _DAY)
    if session.scalars(lately).one() >= JOINED_A_DAY:
        raise _too_often(f"A team can be joined {JOINED_A_DAY} times a day.")


def _too_often(what: str) -> GateRefusal:
    return GateRefusal(what, "Try again later.", status=409)


def _taken(name: str) -> GateRefusal:
    return GateRefusal(
        f"A team has the name {name}, or one that looks like it.", "Choose another name.", status=409
    )
