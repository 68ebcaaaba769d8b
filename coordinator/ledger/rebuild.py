"""Restores the board from volunteers' receipts after the database was lost; each day of a volunteer counts once."""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from datetime import time as time_of_day
from functools import partial

from sqlalchemy import and_, delete, exists, func, select, update
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import DailyRank, Day, Membership, Total, User
from coordinator.ledger.standings import complete
from coordinator.teams.credit import recount
from core.admission.receipts import Receipt, SignedReceipt
from core.errors import ReceiptError

_SUMS = ("samples", "compute_seconds", "epochs")
_PAUSE_SECONDS = 0.02
"""Seconds between two volunteers, in which other processes can take SQLite's lock: they poll for it."""
_Key = tuple[str, date]


@dataclass(frozen=True)
class Rebuilt:
    """The result of a rebuild."""

    volunteers: int
    days: int
    """Number of days in the receipts, of all volunteers together."""
    refused: tuple[str, ...]
    """Reasons for which receipts were left out."""


def rebuild(
    database: Database, texts: Iterable[str | bytes], *, gate: str, run: str, now: datetime
) -> Rebuilt:
    """Enter receipts (JSON of `SignedReceipt`) into the ledger; doing so again, or with more of them, harms nothing.

    A day that is in the ledger keeps the larger sums, the ledger's or the receipt's. Who was hidden on any receipt is
    hidden, until the volunteer says otherwise. Each volunteer is entered in a transaction of their own: others write
    in between, and if it ends in the middle, doing so again completes it.
    """
    newest, refused = _newest(texts, gate=gate, run=run)
    volunteers = _by_volunteer(newest)
    for receipts in volunteers:
        database.retrying(partial(_enter, receipts=receipts, now=now))
        time.sleep(_PAUSE_SECONDS)
    with database.session() as session:
        session.execute(delete(DailyRank))
    complete(database, now.astimezone(UTC).date())
    return Rebuilt(len(volunteers), len(newest), tuple(refused))


def _newest(texts: Iterable[str | bytes], *, gate: str, run: str) -> tuple[dict[_Key, Receipt], list[str]]:
    """Return the receipt that says most for each volunteer and day, and the reasons why others are no use."""
    newest: dict[_Key, Receipt] = {}
    refused: list[str] = []
    for text in texts:
        try:
            receipt = SignedReceipt.parse(text).verify(gate=gate, run=run)
        except ReceiptError as error:
            refused.append(str(error))
            continue
        key = (_who(receipt), receipt.day)
        newest[key] = max(newest.get(key, receipt), receipt, key=_says)
    return newest, refused


def _who(receipt: Receipt) -> str:
    """Return a text that is the same for all receipts of one volunteer, also under names that were changed."""
    return f"name {receipt.name}" if receipt.subject is None else f"subject {receipt.subject}"


def _says(receipt: Receipt) -> tuple[int, int, bool]:
    """Return a key that orders receipts by amount; of two equal ones, the one that hides the name comes last."""
    return receipt.epochs, receipt.samples, receipt.hidden


def _by_volunteer(newest: Mapping[_Key, Receipt]) -> list[list[Receipt]]:
    """Return all receipts of each volunteer, the newest first."""
    found: defaultdict[str, list[Receipt]] = defaultdict(list)
    for (who, _), receipt in sorted(newest.items(), key=lambda item: item[0][1], reverse=True):
        found[who].append(receipt)
    return list(found.values())


def _enter(session: Session, receipts: Sequence[Receipt], now: datetime) -> None:
    """Enter a volunteer's receipts under the newest name."""
    user = _user(session, receipts[0], any(receipt.hidden for receipt in receipts), now)
    known = {tally.day: tally for tally in session.scalars(select(Day).where(Day.user_id == user))}
    for receipt in receipts:
        tally = known.get(receipt.day)
        if tally is None:
            tally = Day(user_id=user, day=receipt.day, samples=0, compute_seconds=0.0, epochs=0)
            session.add(tally)
        for column in _SUMS:
            setattr(tally, column, max(getattr(tally, column), getattr(receipt, column)))
    session.flush()
    _sum_up(session, user)


def _user(session: Session, receipt: Receipt, hidden: bool, now: datetime) -> int:
    """Find or make the user of the receipt; a name that another user has now gets a number."""
    nameless = and_(User.name == receipt.name, User.subject.is_(None))
    same = nameless if receipt.subject is None else User.subject == receipt.subject
    found = session.scalars(select(User.id).where(same)).first()
    if found is not None:
        _hide_if_absent(session, found, hidden)
        return found
    taken = session.scalars(select(User.id).where(User.name == receipt.name)).first()
    name = receipt.name if taken is None else f"{receipt.name[:100]}~{_next_number(session)}"
    user = User(name=name, subject=receipt.subject, hidden=hidden, created=now)
    session.add(user)
    session.flush()
    return user.id


def _hide_if_absent(session: Session, user: int, hidden: bool) -> None:
    """Take the receipt's choice of hiding for users that have not signed in since; others have chosen themselves."""
    member = exists().where(Membership.user_id == user)
    if hidden and not session.scalar(select(member)):
        session.execute(update(User).where(User.id == user).values(hidden=True))


def _next_number(session: Session) -> int:
    return 1 + (session.scalar(select(func.max(User.id))) or 0)


def _sum_up(session: Session, user: int) -> None:
    """Make a user's total the sum of the days again."""
    total = session.get(
        Total, user, with_for_update=True
    )  # before the days: who adds to both then adds to this sum
    sums = select(func.min(Day.day), *(func.sum(getattr(Day, column)) for column in _SUMS))
    first, *values = session.execute(sums.where(Day.user_id == user)).one()
    if total is None:
        total = Total(user_id=user)
        session.add(total)
    if total.first is None or total.first.date() > first:
        total.first = datetime.combine(first, time_of_day(), UTC)
    for column, value in zip(_SUMS, values, strict=True):
        setattr(total, column, value)
    recount(session, user)
