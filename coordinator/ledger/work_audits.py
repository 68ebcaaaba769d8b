"""Enters audits of work, and moves what they withhold out of the sums of the ledger, and back.

Days and totals are what the leaderboard, volunteers' pages and receipts are made of: what is not credited is not in
them. It is kept beside them by days, under the audit that withholds it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import delete, func, select, tuple_, update
from sqlalchemy.orm import Session

from coordinator.database.bulk import add_to
from coordinator.database.tables import Credit, Day, Epoch, Run, Total, Withheld, WorkAudit
from coordinator.errors import LedgerError
from coordinator.ledger.owners import owners
from coordinator.ledger.withholding import (
    CommitPlace,
    EnteredAudit,
    EnteredVerdict,
    WorkStanding,
    heir_of,
    standing_of,
)
from coordinator.teams.credit import recount

SUMS = ("samples", "compute_seconds", "epochs")
LIFTED = "lifted"
_OPEN = "open"


@dataclass(frozen=True)
class JudgedWork:
    """The outcome of an audit of what a peer sent."""

    peer_id: str
    """Id in base58."""
    generation: int
    epoch: int
    """Number of the epoch that the work was for, as the ledger counts."""
    samples: int
    rows: int
    verdict: EnteredVerdict
    difference: float | None = None
    gain: float | None = None
    gain_of_others: float | None = None
    words: str = ""


@dataclass
class _DaySums:
    samples: int = 0
    compute_seconds: float = 0.0
    epochs: int = 0


def lock(session: Session) -> None:
    """Keep other writers of credits and audits waiting until the transaction ends: each must see the other's work."""
    session.get(Run, 1, with_for_update=True)


def enter(session: Session, judged: JudgedWork, now: datetime) -> WorkAudit:
    """Enter an audit, withhold what it shows to be false or credit what it shows to be sound, and return its row.

    An audit that was entered before stays as it is: a coordinator may lose the answer of its database, and try again.
    """
    lock(session)
    if (known := _entered(session, judged)) is not None:
        return known
    user = _worker(session, judged, now)
    before = standing(session, user)
    row = WorkAudit(**{**vars(judged), "verdict": judged.verdict.value}, user_id=user, time=now)
    session.add(row)
    session.flush()
    after = standing(session, user)
    if after.withheld_by == row.id:
        _withhold(session, row, after.last_sound)
    elif before.withheld_by is not None and after.withheld_by is None:
        since = _credited_by_day(session, user, from_place=(row.generation, row.epoch))
        _give_back(session, before.withheld_by, user, since)
    return row


def _entered(session: Session, judged: JudgedWork) -> WorkAudit | None:
    place = {name: getattr(judged, name) for name in ("generation", "epoch", "peer_id")}
    return session.scalar(select(WorkAudit).filter_by(**place))


def _worker(session: Session, judged: JudgedWork, now: datetime) -> int:
    """Return the user who did the work: a key may have been handed to another one since."""
    peer = owners(session, [judged.peer_id], now)[judged.peer_id]
    credit = session.get(Credit, (judged.generation, judged.epoch, peer.peer))
    return credit.user_id if credit is not None else peer.user


def standing(session: Session, user: int) -> WorkStanding:
    """Return the standing of a user (its number) by the audits of its work."""
    return standing_of(_audits(session, user))


def withholdings(session: Session) -> dict[int, WorkStanding]:
    """Return the standings of those users of whom something is withheld now."""
    is_false = WorkAudit.verdict == EnteredVerdict.FALSE.value
    suspects = session.scalars(
        select(WorkAudit.user_id).where(is_false, WorkAudit.standing != LIFTED).distinct()
    ).all()
    found = {user: standing(session, user) for user in suspects}
    return {user: one for user, one in found.items() if one.withheld_by is not None}


def withhold_new(session: Session, audit: int, day: date, amounts: Mapping[str, Any]) -> None:
    """Add the ``amounts`` of one epoch of a ``day`` to what the ``audit`` of that number withholds."""
    add_to(session, Withheld, [{"audit_id": audit, "day": day, **amounts, "epochs": 1}], SUMS)


def lift(session: Session, number: int, why: str, *, actor: str, now: datetime) -> WorkAudit:
    """Take back the verdict of the audit of that ``number``, and credit what it alone withholds; return its row.

    Raises LedgerError if there is no such audit, it found nothing false, or it was lifted.
    """
    lock(session)
    row = session.get(WorkAudit, number)
    if row is None or row.verdict != EnteredVerdict.FALSE.value or row.standing == LIFTED:
        raise LedgerError(
            f"There is no verdict {number} that work is false, or it was lifted.",
            "The list on the moderation page has the numbers.",
        )
    heir = heir_of(_audits(session, row.user_id), number)
    row.standing, row.decided, row.decided_by, row.why = LIFTED, now, actor, why
    if heir is not None:
        session.execute(update(Withheld).where(Withheld.audit_id == number).values(audit_id=heir))
    else:
        _give_back(session, number, row.user_id, _withheld_by_day(session, number))
    session.flush()
    return row


def _audits(session: Session, user: int) -> list[EnteredAudit]:
    columns = select(
        WorkAudit.id,
        WorkAudit.generation,
        WorkAudit.epoch,
        WorkAudit.verdict,
        WorkAudit.peer_id,
        WorkAudit.standing,
    )
    rows = session.execute(columns.where(WorkAudit.user_id == user).order_by(WorkAudit.id))
    return [
        EnteredAudit(number, (generation, epoch), EnteredVerdict(verdict), peer, decision == LIFTED)
        for number, generation, epoch, verdict, peer, decision in rows
    ]


# --- sums ---------------------------------------------------------------------------------------------------------


def _withhold(session: Session, row: WorkAudit, last_sound: CommitPlace | None) -> None:
    """Move what was committed after ``last_sound`` out of the days and the total of the user of ``row``.

    Credits of past days may be in files by now: whole days are moved, but for that of the sound work.
    """
    days = select(Day).where(Day.user_id == row.user_id)
    if last_sound is None:
        moved = {
            item.day: _DaySums(item.samples, item.compute_seconds, item.epochs)
            for item in session.scalars(days)
        }
    else:
        edge = _day_of(session, last_sound) or date.min
        later = session.scalars(days.where(Day.day > edge))
        moved = {item.day: _DaySums(item.samples, item.compute_seconds, item.epochs) for item in later}
        at_edge = _credited_by_day(session, row.user_id, after_place=last_sound).get(edge)
        if at_edge is not None:
            moved[edge] = at_edge
    _move(session, row.id, row.user_id, moved, sign=-1)


def _give_back(session: Session, audit: int, user: int, wanted: Mapping[date, _DaySums]) -> None:
    """Move what is ``wanted`` of what an audit withholds back to the days and the total of its user."""
    held = _withheld_by_day(session, audit)
    moved = {
        day: _DaySums(
            min(sums.samples, held[day].samples),
            min(sums.compute_seconds, held[day].compute_seconds),
            min(sums.epochs, held[day].epochs),
        )
        for day, sums in wanted.items()
        if day in held
    }
    _move(session, audit, user, moved, sign=1)


def _move(session: Session, audit: int, user: int, moved: Mapping[date, _DaySums], *, sign: int) -> None:
    """Move sums by days from an audit's to a user's (``sign`` 1), or from the user's to the audit's (-1)."""
    if not moved:
        return
    given = [{"day": day, **_times(sums, sign)} for day, sums in sorted(moved.items())]
    taken = [{"day": day, **_times(sums, -sign)} for day, sums in sorted(moved.items())]
    add_to(session, Day, [{"user_id": user, **row} for row in given], SUMS)
    add_to(session, Withheld, [{"audit_id": audit, **row} for row in taken], SUMS)
    session.execute(delete(Day).where(Day.user_id == user, Day.epochs <= 0))
    session.execute(delete(Withheld).where(Withheld.audit_id == audit, Withheld.epochs <= 0))
    total = {name: sum(row[name] for row in given) for name in SUMS}
    session.execute(
        update(Total)
        .where(Total.user_id == user)
        .values({name: Total.__table__.columns[name] + total[name] for name in SUMS})
    )
    recount(session, user)


def _times(sums: _DaySums, sign: int) -> dict[str, Any]:
    return {name: sign * value for name, value in vars(sums).items()}


def _withheld_by_day(session: Session, audit: int) -> dict[date, _DaySums]:
    rows = session.scalars(select(Withheld).where(Withheld.audit_id == audit))
    return {row.day: _DaySums(row.samples, row.compute_seconds, row.epochs) for row in rows}


def _credited_by_day(
    session: Session,
    user: int,
    *,
    after_place: CommitPlace | None = None,
    from_place: CommitPlace | None = None,
) -> dict[date, _DaySums]:
    """Return a user's sums by days of epochs after one place, or from another one on, as the credits have them."""
    place = tuple_(Credit.generation, Credit.epoch)
    is_wanted = (
        place > tuple_(*after_place) if after_place is not None else place >= tuple_(*(from_place or (0, 0)))
    )
    sums = func.sum(Credit.samples), func.sum(Credit.compute_seconds)
    epochs = (
        select(Credit.time, *sums)
        .where(Credit.user_id == user, is_wanted)
        .group_by(Credit.generation, Credit.epoch, Credit.time)
    )
    found: dict[date, _DaySums] = {}
    for time, samples, seconds in session.execute(epochs):
        day = found.setdefault(time.astimezone(UTC).date(), _DaySums())
        day.samples += int(samples)
        day.compute_seconds += float(seconds)
        day.epochs += 1
    return found


def _day_of(session: Session, place: CommitPlace) -> date | None:
    """Return the day in UTC of the last epoch up to that ``place`` that is recorded; None if there is none."""
    number = tuple_(Epoch.generation, Epoch.epoch)
    before = select(Epoch.time).where(number <= tuple_(*place))
    time = session.scalar(before.order_by(Epoch.generation.desc(), Epoch.epoch.desc()).limit(1))
    return time.astimezone(UTC).date() if time is not None else None
