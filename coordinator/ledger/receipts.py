"""Signs a volunteer's daily receipts and certificate whenever they are asked for, so none are stored."""

from sqlalchemy.orm import Session

from coordinator.database.tables import User
from coordinator.ledger.volunteer import DayTally, Volunteer, tallies
from core.admission.receipts import Certificate, Receipt, SignedCertificate, SignedReceipt
from core.signing import SigningKey


def receipts(session: Session, user: User, run: str, key: SigningKey) -> tuple[SignedReceipt, ...]:
    """Return a user's receipts for the run of that digest, by day; today's still grows."""
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


def certify(volunteer: Volunteer, title: str, run: str, key: SigningKey) -> SignedCertificate:
    """Certify the contribution of a volunteer to the run of that title and digest."""
    certificate = Certificate(
        run=run,
        title=title,
        name=volunteer.name,
        samples=volunteer.samples,
        compute_seconds=float(round(volunteer.compute_seconds)),  # on paper too it is exact
        epochs=volunteer.epochs,
        first=volunteer.days[0].day,
        last=volunteer.days[-1].day,
    )
    return SignedCertificate.sign(certificate, key)
