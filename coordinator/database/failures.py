"""Translates a database's failures for people, and tells lasting ones from those that pass."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from coordinator.errors import ConflictError, DatabaseError

_SQLITE = {
    5: ("it stayed locked by another process for too long", "Try again; end what else uses the file."),
    6: ("it stayed locked by another process for too long", "Try again; end what else uses the file."),
    8: ("it may not be written", "Give this user the right to write the file and its folder."),
    10: (
        "the disk failed, or is full",
        "Make space; if there is some, look at the system's log for a fault.",
    ),
    11: (
        "its contents are damaged",
        "Restore a backup, or begin a new database and rebuild it from receipts.",
    ),
    13: ("the disk is full", "Make space; nothing that was written before is lost."),
    14: ("the file cannot be opened", "Create its folder, and give this user the right to write there."),
    26: ("it is not a SQLite database", "Give another file, or move this one away."),
}
"""Messages by primary result codes (sqlite.org/rescode.html)."""
_POSTGRES = {
    "08": ("the connection was lost", "Check that the server is running. The connection is retried."),
    "28": ("the server refuses the user or the password", "Correct DATABASE_URL."),
    "3D": ("the server has no database of that name", "Create it with createdb, or correct DATABASE_URL."),
    "40": ("another transaction changed the same rows", "Try again."),
    "42": (
        "its tables are not as they must be, or the user lacks rights",
        "Make the user the tables' owner.",
    ),
    "53": ("the server has run out of something", "Make space on its disk, or allow more connections."),
    "55": ("it stayed locked by others for too long", "Try again."),
    "57": ("the server ended the connection", "Check that the server is running. The connection is retried."),
}
"""Messages by classes of SQLSTATE (PostgreSQL's manual, appendix A)."""


@contextmanager
def in_words() -> Iterator[None]:
    """Raise SQLAlchemy's errors as ConflictError for a constraint, and as DatabaseError for all else."""
    try:
        yield
    except IntegrityError as error:
        raise ConflictError(
            "The entry already exists in the database, or refers to an entry that does not exist.",
            "Look again, then try again.",
        ) from error
    except SQLAlchemyError as error:
        happened, remedy = _words(error)
        raise DatabaseError(f"The database cannot be used: {happened}.", remedy) from error


def may_pass(error: DatabaseError) -> bool:
    """Return true if a retry may succeed at once: there was a conflict, or a connection was lost."""
    cause = error.__cause__
    if isinstance(cause, IntegrityError) or (isinstance(cause, DBAPIError) and cause.connection_invalidated):
        return True
    original = cause.orig if isinstance(cause, DBAPIError) else None
    if code := getattr(original, "sqlite_errorcode", 0):
        return code & 0xFF in (5, 6)
    return str(getattr(original, "sqlstate", None))[:2] in ("08", "40", "55", "57")


def _words(error: SQLAlchemyError) -> tuple[str, str]:
    if isinstance(error, PoolTimeout):
        return "too many ask at once", "Try again in a moment."
    original = getattr(error, "orig", None)
    message = " ".join(str(original or error).split())[:300]
    if code := getattr(original, "sqlite_errorcode", 0):
        return _SQLITE.get(code & 0xFF, (message, "Please report this."))
    if state := getattr(original, "sqlstate", None):
        happened, remedy = _POSTGRES.get(state[:2], ("it refused what was asked", "Please report this."))
        return f"{happened} ({message})", remedy
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return _POSTGRES["08"]
    if isinstance(error, OperationalError):  # psycopg gives no code for what happens before it is connected
        return (
            f"the server cannot be reached ({message})",
            "Check that it is running, and correct DATABASE_URL.",
        )
    return message, "Please report this."
