"""Sums up the audits of a user's work for people: how much was checked, what is withheld and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.tables import User, Withheld, WorkAudit
from coordinator.ledger.withholding import EnteredVerdict
from coordinator.ledger.work_audits import LIFTED, standing
from core.swarm.auditing.trust import FALSE_WORK

PAGE = 200


@dataclass(frozen=True)
class CheckedWork:
    """The audits of one user's work, and what follows for its credits."""

    checked_samples: int
    """Samples that the coordinator computed again and found sound: all others are credited without a check."""
    withheld_samples: int
    """Samples that were committed and are not credited."""
    withheld_epochs: int
    reason: str | None
    """Reason why the user's work is not credited now, in sentences; None if it is."""


@dataclass(frozen=True)
class FalseWork:
    """An audit that found a user's work false, as moderators see it."""

    number: int
    name: str
    user: int
    peer_id: str
    generation: int
    epoch: int
    samples: int
    rows: int
    finding: str
    """Finding of the audit, in words after "this computer"."""
    withheld_samples: int
    row: WorkAudit
    """The audit itself, with its time and what was decided about it."""

    @property
    def difference(self) -> float | None:
        """Distance from the recomputed gradients, as a share of their length; None for other work, or no number."""
        found = self.row.difference
        return found if found is not None and isfinite(found) else None


def checked_work(session: Session, user: int) -> CheckedWork:
    """Return what audits say of the work of a user (its number)."""
    is_sound = WorkAudit.verdict == EnteredVerdict.SOUND.value
    checked = session.scalar(select(func.sum(WorkAudit.samples)).where(WorkAudit.user_id == user, is_sound))
    sums = (
        select(func.sum(Withheld.samples), func.sum(Withheld.epochs))
        .join(WorkAudit, Withheld.audit_id == WorkAudit.id)
        .where(WorkAudit.user_id == user)
    )
    samples, epochs = session.execute(sums).one()
    now = standing(session, user)
    reason = None
    if now.withheld_by is not None:
        found = session.get_one(WorkAudit, now.withheld_by)
        since = f"since epoch {now.last_sound[1]:,}" if now.last_sound is not None else "so far"
        reason = (
            f"A computer {finding(found)}, as the coordinator found by computing it again. Nothing that was "
            f"committed {since} is credited, nor what comes, until its work is found sound again."
        )
    return CheckedWork(int(checked or 0), int(samples or 0), int(epochs or 0), reason)


def finding(row: WorkAudit) -> str:
    """Return what an audit found false, in words after "this computer"."""
    if row.difference is not None and isfinite(row.difference):
        return (
            f"sent other values for epoch {row.epoch:,} than its {row.rows:,} rows give: they differ by "
            f"{row.difference:.0%} of their length, and from {FALSE_WORK:.0%} on they are false"
        )
    if row.difference is not None:
        return f"sent values for epoch {row.epoch:,} that its {row.rows:,} rows cannot give"
    if row.gain is not None:
        return (
            f"sent a drift for epoch {row.epoch:,} that does not lower the loss on the rows that it named, as most "
            f"of its last ones did not (by {row.gain:.2g}; on other rows by {row.gain_of_others or 0.0:.2g})"
        )
    return f"sent work for epoch {row.epoch:,} that contradicts itself: {row.words}"


def false_work(session: Session, limit: int | None = PAGE) -> Sequence[FalseWork]:
    """Return at most ``limit`` audits that found false work, or all of them: those that count, then the newest."""
    held = (
        select(Withheld.audit_id, func.sum(Withheld.samples).label("samples"))
        .group_by(Withheld.audit_id)
        .subquery()
    )
    found = (
        select(WorkAudit, User.name, held.c.samples)
        .join(User, WorkAudit.user_id == User.id)
        .outerjoin(held, held.c.audit_id == WorkAudit.id)
        .where(WorkAudit.verdict == EnteredVerdict.FALSE.value)
        .order_by(WorkAudit.standing == LIFTED, WorkAudit.id.desc())
        .limit(limit)
    )
    return [
        FalseWork(
            number=row.id,
            name=name,
            user=row.user_id,
            peer_id=row.peer_id,
            generation=row.generation,
            epoch=row.epoch,
            samples=row.samples,
            rows=row.rows,
            finding=finding(row),
            withheld_samples=int(samples or 0),
            row=row,
        )
        for row, name, samples in session.execute(found)
    ]
