"""Remembers what was good once, for as long as it could be tried again."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from coordinator.database.tables import SpentProof
from coordinator.errors import ProofRefused


def spend(session: Session, digest: str, expires: datetime, now: datetime) -> None:
    """Take note that it was used; ProofRefused if it was before, in this moment by another thread included."""
    session.execute(delete(SpentProof).where(SpentProof.expires < now))
    try:
        with session.begin_nested():
            session.add(SpentProof(digest=digest, expires=expires))
    except IntegrityError as error:
        raise ProofRefused("This proof was used before.", "Ask anew.") from error
