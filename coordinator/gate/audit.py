"""The audit log: who did what and when; what strangers cause is summed, so that they cannot fill the disk."""

import logging
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import event, select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import AuditEntry
from coordinator.errors import DatabaseError
from core.excerpt import excerpt

_log = logging.getLogger(__name__)

GATE = "gate"
"""The actor of actions that no person ordered."""
REFUSED = "sign-in refused"
_SUMMED = timedelta(hours=1)
_WRITTEN = timedelta(seconds=5)
"""Time between two writes of refusals."""
PAGE = 200


@dataclass(frozen=True)
class Entry:
    id: int
    time: datetime
    actor: str
    action: str
    subject: str
    detail: str
    count: int
    """Number of events within the hour after `time`."""


def note(
    session: Session, now: datetime, actor: str, action: str, subject: str = "", detail: str = ""
) -> None:
    """Add an entry, which is logged as well once it is committed."""
    words = " ".join(filter(None, (action, subject, detail)))

    def log(committed: Session) -> None:
        if not committed.in_nested_transaction():  # whose commit the whole transaction may still undo
            _log.info("%s: %s", actor, excerpt(words))

    event.listen(session, "after_commit", log)
    session.add(AuditEntry(time=now, actor=actor, action=action, subject=subject, detail=detail, count=1))


class Refusals:
    """Counts sign-ins that were refused.

    Many refusals make neither many entries, nor many transactions, nor many lines of the log.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counting = threading.Lock()
        self._written: datetime | None = None
        self._waiting: Counter[str] = Counter()
        self._subjects: dict[str, str] = {}

    def note(self, now: datetime, code: str, subject: str = "") -> None:
        """Count a refused sign-in.

        Args:
            code: of the GateError, one of a few.
            subject: whose name is proven, if it is; the last one is told.
        """
        with self._counting:
            self._waiting[code] += 1
            self._subjects[code] = subject or self._subjects.get(code, "")
            if self._written is not None and now - self._written < _WRITTEN:
                return
            self._written, waiting, subjects = now, self._waiting, self._subjects
            self._waiting, self._subjects = Counter(), {}
        for each, count in waiting.items():
            words = " ".join(filter(None, (REFUSED, excerpt(subjects[each]), each)))
            _log.info("%s: %s (%d since the last such line)", GATE, words, count)
        with suppress(DatabaseError), self._database.session() as session:
            for each, count in waiting.items():
                _add_refusals(session, now, each, subjects[each], count)


def _add_refusals(session: Session, now: datetime, code: str, subject: str, count: int) -> None:
    """Add to this hour's entry for that reason."""
    open_entry = session.scalar(
        select(AuditEntry)
        .where(AuditEntry.time > now - _SUMMED, AuditEntry.action == REFUSED, AuditEntry.detail == code)
        .order_by(AuditEntry.id.desc())
        .limit(1)
    )
    if open_entry is None:
        entry = AuditEntry(time=now, actor=GATE, action=REFUSED, subject=subject, detail=code, count=count)
        session.add(entry)
    else:
        open_entry.count = AuditEntry.count + count  # in the database: other processes add to it, too
        open_entry.subject = subject or open_entry.subject


def entries(session: Session, *, before: int | None = None, limit: int = PAGE) -> list[Entry]:
    """Return at most ``limit`` entries, newest first; ``before`` selects those older than the entry of that id."""
    found = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    if before is not None:
        found = found.where(AuditEntry.id < before)
    return [
        Entry(row.id, row.time, row.actor, row.action, row.subject, row.detail, row.count)
        for row in session.scalars(found)
    ]
