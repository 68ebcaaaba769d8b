"""Makes a volunteer's certificate out of what is in the books."""

from coordinator.ledger.volunteer import Volunteer
from core.receipts import Certificate, SignedCertificate
from core.signing import SigningKey


def certify(volunteer: Volunteer, title: str, run: str, key: SigningKey) -> SignedCertificate:
    """For a volunteer with days in the books, and the run of that title and digest."""
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
