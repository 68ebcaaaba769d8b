"""Hands out a volunteer's receipts, one for each day: signed anew whenever they are asked for, so none are stored."""

from sqlalchemy.orm import Session

from coordinator.database.tables import User
from coordinator.ledger.volunteer import DayTally, tallies
from core.receipts import Receipt, SignedReceipt
from core.signing import SigningKey


def receipts(session: Session, user: User, run: str, key: SigningKey) -> tuple[SignedReceipt, ...]:
    """All of a user's, for the run of that digest, in the order of days; that of today still grows."""
    return tuple(SignedReceipt.sign(_receipt(user, tally, run), key) for tally in tallies(session, user.id))


def _receipt(user: User, tally: DayTally, run: str) -> Receipt:
    return Receipt(
        run=run,
        name=user.name,
        subject=user.subject,
        hidden=user.hidden,
        day=tally.day,
        samples=tally.samples,
        compute_seconds=round(tally.compute_seconds, 3),
        epochs=tally.epochs,
    )
