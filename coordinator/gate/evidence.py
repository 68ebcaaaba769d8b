"""Evidence against users, which the recorder finds in the swarm, and the organiser's decisions about it.

The swarm sets a user aside without this. Here the organiser sees why, and may lift it by a pardon that peers honour.
"""

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import exists, func, or_, select, tuple_
from sqlalchemy.orm import Session

from coordinator.database.bulk import insert_those_new
from coordinator.database.tables import Epoch, EvidenceFound, KnownPeer, Pardoned, User
from coordinator.errors import GateRefusal, SetAside
from coordinator.gate.audit import note
from core.admission.pardons import MOST_PARDONS, Pardon, Pardons
from core.admission.signed_lists import SPACE, fitting

SWARM = "swarm"
"""Actor in the audit log of what peers decide by evidence."""
MOST_OF_USER = 32
"""Pieces of evidence that are kept of one user, and as many that a pardon covers: more show nothing more."""
PAGE = 200
_LAG = 10
"""Epochs by which the swarm may be ahead of the recorder: no honest program has signed for later ones."""


class EvidenceStanding(StrEnum):
    """The organiser's decision about a piece of evidence."""

    OPEN = "open"
    UPHELD = "upheld"
    LIFTED = "lifted"


@dataclass(frozen=True)
class FoundEvidence:
    """Evidence that holds, as the recorder has verified it."""

    number: str
    name: str
    peer_id: str
    misdeed: str
    generation: int
    epoch: int
    words: str
    packed: bytes


def enter(session: Session, found: Sequence[FoundEvidence], now: datetime) -> int:
    """Keep what is new, `MOST_OF_USER` pieces of a user that count and as many that do not; return how many are."""
    entered = 0
    for item in found:
        last = session.get(Pardoned, item.name)
        is_pardoned = last is not None and (item.generation, item.epoch) <= (last.generation, last.epoch)
        is_lifted = EvidenceFound.standing == EvidenceStanding.LIFTED.value
        alike = select(func.count()).where(
            EvidenceFound.name == item.name, is_lifted if is_pardoned else ~is_lifted
        )
        if session.scalars(alike).one() >= MOST_OF_USER:
            continue
        standing = EvidenceStanding.LIFTED if is_pardoned else EvidenceStanding.OPEN
        row = {**vars(item), "seen": now, "standing": standing.value, "why": ""}
        if insert_those_new(session, EvidenceFound, [row], (EvidenceFound.id,)):
            entered += 1
            where = f"epoch {item.epoch}, generation {item.generation}"
            note(session, now, SWARM, "set aside by evidence", item.name, f"{item.words} ({where})")
    return entered


def listed(session: Session, *, limit: int = PAGE) -> list[EvidenceFound]:
    """Return at most ``limit`` pieces of evidence: those that wait for a decision, then the others, newest first."""
    is_decided = EvidenceFound.standing != EvidenceStanding.OPEN.value
    found = select(EvidenceFound).order_by(is_decided, EvidenceFound.id.desc()).limit(limit)
    return list(session.scalars(found))


def evidence_by(session: Session, number: int) -> EvidenceFound:
    """Return the evidence of that ``number`` in the list; raise GateRefusal if there is none."""
    found = session.get(EvidenceFound, number)
    if found is None:
        raise GateRefusal(f"There is no evidence {number}.", "The list has the numbers.", status=404)
    return found


def standing_against(session: Session, user: User) -> EvidenceFound | None:
    """Return the last piece of evidence that sets ``user`` aside; None for one who is not."""
    return next(iter(all_standing_against(session, user)), None)


def all_standing_against(session: Session, user: User) -> Sequence[EvidenceFound]:
    """Return the evidence that sets ``user`` aside, the last first.

    It is of one of the user's computers, or names the user and is of a computer that the gate does not know. So it
    follows an account that changes its name, and not a name that changes hands.
    """
    own = select(KnownPeer.peer_id).where(KnownPeer.user_id == user.id)
    is_known = exists().where(KnownPeer.peer_id == EvidenceFound.peer_id)
    is_named = (EvidenceFound.name == user.name) & ~is_known
    is_against = or_(EvidenceFound.peer_id.in_(own), is_named)
    found = (
        select(EvidenceFound)
        .where(is_against, EvidenceFound.standing != EvidenceStanding.LIFTED.value)
        .order_by(EvidenceFound.generation.desc(), EvidenceFound.epoch.desc(), EvidenceFound.id.desc())
    )
    return session.scalars(found).all()


def require_not_set_aside(session: Session, user: User, appeals: str | None) -> None:
    """Raise SetAside, with what the evidence says and where to appeal, if evidence sets ``user`` aside.

    A token would be of no use: all peers have the evidence, and refuse it.
    """
    found = standing_against(session, user)
    if found is not None:
        raise SetAside(
            f"The computers of this run have set {user.name} aside. Computer …{found.peer_id[-6:]} {found.words}, "
            "which they can prove.",
            how_to_appeal(appeals),
        )


def how_to_appeal(appeals: str | None) -> str:
    """Return a sentence for a volunteer; ``appeals`` are the settings' words on where to."""
    where = f"at {appeals}" if appeals else "to the run's organiser"
    return f"If that is a mistake, appeal {where}: once it is lifted, training continues by itself."


def culprit_of(session: Session, row: EvidenceFound) -> User | None:
    """Return the user whom the evidence in ``row`` is against, by computer or else by name; None if unknown."""
    by_peer = (
        select(User).join(KnownPeer, KnownPeer.user_id == User.id).where(KnownPeer.peer_id == row.peer_id)
    )
    return session.scalar(by_peer) or session.scalar(select(User).where(User.name == row.name))


def decide(
    session: Session, row: EvidenceFound, standing: EvidenceStanding, why: str, *, actor: str, now: datetime
) -> None:
    """Write a decision about a piece of evidence down."""
    row.standing, row.decided, row.decided_by, row.why = standing.value, now, actor, why
    where = f"evidence {row.id}, epoch {row.epoch}"
    note(session, now, actor, f"evidence {standing.value}", row.name, f"{where}: {why}" if why else where)


def lift(session: Session, name: str, why: str, *, actor: str, now: datetime) -> int:
    """Grant the appeal of the user of that ``name``: no evidence of what was done up to now counts any more.

    Evidence of epochs that the run has not come to stands: a user who signs for them would buy a pardon up to there.
    Returns the number of pieces of evidence that are lifted; 0 if there are none.
    """
    generation, epoch = _latest_pardonable(session)
    rows = session.scalars(
        select(EvidenceFound).where(
            EvidenceFound.name == name,
            EvidenceFound.standing != EvidenceStanding.LIFTED.value,
            tuple_(EvidenceFound.generation, EvidenceFound.epoch) <= tuple_(generation, epoch),
        )
    ).all()
    for row in rows:
        decide(session, row, EvidenceStanding.LIFTED, why, actor=actor, now=now)
    if rows:
        session.merge(Pardoned(name=name, generation=generation, epoch=epoch, time=now))
    return len(rows)


def is_of_later(session: Session, row: EvidenceFound) -> bool:
    """Return true if the evidence in ``row`` is of an epoch that the run has not come to: no appeal lifts it yet."""
    return (row.generation, row.epoch) > _latest_pardonable(session)


def _latest_pardonable(session: Session) -> tuple[int, int]:
    """Return generation and epoch of the last place for which an honest program may have signed by now."""
    newest = session.execute(
        select(Epoch.generation, Epoch.epoch).order_by(Epoch.generation.desc(), Epoch.epoch.desc()).limit(1)
    ).one_or_none()
    generation, epoch = newest or (0, 0)
    return generation, epoch + _LAG


def pardons(session: Session, run: str, now: datetime) -> Pardons:
    """Return the list of pardons of a ``run`` (its training digest) to be signed ``now``: the newest that fit it."""
    found = session.scalars(
        select(Pardoned).order_by(Pardoned.time.desc(), Pardoned.name).limit(MOST_PARDONS)
    )
    each = (asdict(Pardon(row.name, row.generation, row.epoch)) for row in found)
    kept, _ = fitting(each, SPACE, MOST_PARDONS)
    seconds = now.timestamp()
    return Pardons(run, int(seconds * 1000), int(seconds), tuple(Pardon(**entry) for entry in kept))


def document(row: EvidenceFound, run: str) -> dict[str, Any]:
    """Return the evidence in ``row`` of a ``run`` (its training digest) as its file has it, for anyone to verify."""
    return {
        "run": run,
        "user": row.name,
        "peer": row.peer_id,
        "misdeed": row.misdeed,
        "words": row.words,
        "generation": row.generation,
        "epoch": row.epoch,
        "evidence": base64.b64encode(row.packed).decode(),
    }
