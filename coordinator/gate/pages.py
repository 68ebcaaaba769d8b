"""Signs a volunteer's browser in to their own page: by a link that works once, then by a cookie's secret."""

from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.orm import Session

from coordinator.database.tables import PageCode, PageSession, User
from coordinator.errors import SignedOut
from coordinator.gate.bearer import hash_of, new_secret

CODE_LIFETIME = timedelta(minutes=5)
SESSION_LIFETIME = timedelta(days=7)


def give_code(session: Session, user: User, now: datetime) -> str:
    """Return a new code for the user's link; it replaces a code that was not used."""
    session.execute(delete(PageCode).where((PageCode.user_id == user.id) | (PageCode.expires <= now)))
    code = new_secret()
    session.add(PageCode(code_hash=hash_of(code), user_id=user.id, expires=now + CODE_LIFETIME))
    return code


def open_session(session: Session, code: str, now: datetime) -> str:
    """Use the code up, for the secret of a session that lasts `SESSION_LIFETIME`; SignedOut if it is no good."""
    row = session.get(PageCode, hash_of(code), with_for_update=True)
    if row is None or row.expires <= now:
        raise SignedOut("This link was used, or is too old.", "Open your page from Idlebrush again.")
    session.delete(row)
    session.execute(delete(PageSession).where(PageSession.expires <= now))
    secret = new_secret()
    session.add(PageSession(secret_hash=hash_of(secret), user_id=row.user_id, expires=now + SESSION_LIFETIME))
    return secret


def visitor(session: Session, secret: str, now: datetime) -> User | None:
    """Find the user of a browser; None if it is not signed in."""
    row = session.get(PageSession, hash_of(secret))
    return session.get(User, row.user_id) if row and row.expires > now else None


def close_session(session: Session, secret: str) -> None:
    """Sign a browser out."""
    session.execute(delete(PageSession).where(PageSession.secret_hash == hash_of(secret)))
