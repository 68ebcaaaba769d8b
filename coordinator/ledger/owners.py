"""Finds the owner of a peer: the user that it joined for, or in an open run a user made for it alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from coordinator.database.tables import KnownPeer, User
from coordinator.database.upsert import insert_if_new
from core.swarm.wire.device_class import DeviceClass

_SHOWN = 6
"""Letters of a peer id in the name of a user made for it; more where another user has that name already."""


@dataclass(frozen=True)
class Owner:
    """A peer's row and its user's."""

    peer: int
    user: int
    device: str


def owners(session: Session, peer_ids: Iterable[str], now: datetime) -> dict[str, Owner]:
    """Return the rows of all these peers (base58); a peer that is not known yet gets one."""
    wanted = sorted(set(peer_ids))
    found = _known(session, wanted)
    if unknown := [peer_id for peer_id in wanted if peer_id not in found]:
        for peer_id in unknown:
            user = _nameless(session, peer_id, now)
            session.add(KnownPeer(peer_id=peer_id, user_id=user, created=now))
        session.flush()
        found |= _known(session, unknown)
    return found


def users_of(session: Session, peer_ids: Iterable[str]) -> dict[str, int]:
    """Return the users of these peers (base58); peers without a user are left out."""
    return {peer: owner.user for peer, owner in _known(session, sorted(set(peer_ids))).items()}


def remember_devices(
    session: Session, known: Mapping[str, Owner], devices: Mapping[str, DeviceClass]
) -> None:
    """Write down what kinds of machines the peers are, as they said last."""
    claimed = {peer_id: devices.get(peer_id, DeviceClass.UNKNOWN) for peer_id in known}
    news = [
        {"id": owner.peer, "device": claimed[peer_id].value}
        for peer_id, owner in known.items()
        if claimed[peer_id] not in (DeviceClass.UNKNOWN, owner.device)
    ]
    if news:
        session.execute(update(KnownPeer), news)


def _known(session: Session, peer_ids: list[str]) -> dict[str, Owner]:
    columns = select(KnownPeer.peer_id, KnownPeer.id, KnownPeer.user_id, KnownPeer.device).where(
        KnownPeer.peer_id.in_(peer_ids)
    )
    return {peer: Owner(row, user, device) for peer, row, user, device in session.execute(columns)}


def _nameless(session: Session, peer_id: str, now: datetime) -> int:
    """Make a user for a peer without a named volunteer, and return its id."""
    for shown in range(_SHOWN, len(peer_id) + 1):
        name = f"peer-{peer_id[-shown:]}"
        row = {"name": name, "created": now, "hidden": False, "moderator": False, "ban_at_once": False}
        if insert_if_new(session, User, row):
            break
    return session.scalars(select(User.id).where(User.name == name)).one()
