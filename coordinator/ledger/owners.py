"""Finds the owner of a peer: the user that it joined for, or in an open run a user made for it alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from coordinator.database.bulk import insert_all, insert_those_new, one_of
from coordinator.database.tables import KnownPeer, User
from core.swarm.wire.device_class import DeviceClass

_SHOWN = 6
"""Letters of a peer id in the name of a user made for it; more where another user has that name already."""
_PLAIN = {"hidden": False, "moderator": False, "ban_at_once": False}
"""Columns of a user whom nobody has said anything about."""


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
        users = _nameless(session, unknown, now)
        peers = [{"peer_id": peer_id, "user_id": users[peer_id], "created": now} for peer_id in unknown]
        insert_all(session, KnownPeer, peers)
        found |= _known(session, unknown)
    return found


def users_of(session: Session, peer_ids: Iterable[str]) -> dict[str, int]:
    """Return the users of these peers (base58); peers without a user are left out."""
    return {peer: owner.user for peer, owner in _known(session, sorted(set(peer_ids))).items()}


def made_up_user_of(session: Session, peer_id: str) -> int | None:
    """Return the user that was made for this peer (base58) alone; None for a peer of a named volunteer."""
    return session.scalar(
        select(KnownPeer.user_id).where(KnownPeer.peer_id == peer_id, KnownPeer.public_key.is_(None))
    )


def devices_of(session: Session, peer_ids: Iterable[str]) -> dict[str, DeviceClass]:
    """Return the classes of machines of these peers (base58), as they said last; those without one are left out."""
    classes = {device.value: device for device in DeviceClass if device is not DeviceClass.UNKNOWN}
    known = _known(session, sorted(set(peer_ids)))
    return {peer: classes[owner.device] for peer, owner in known.items() if owner.device in classes}


def remember_devices(
    session: Session, known: Mapping[str, Owner], devices: Mapping[str, DeviceClass]
) -> None:
    """Write down what kinds of machines the peers are, as they said last."""
    news: defaultdict[DeviceClass, list[int]] = defaultdict(list)
    for peer_id, owner in known.items():
        claimed = devices.get(peer_id, DeviceClass.UNKNOWN)
        if claimed not in (DeviceClass.UNKNOWN, owner.device):
            news[claimed].append(owner.peer)
    for device, peers in sorted(news.items()):
        of_device = one_of(session, KnownPeer.id, peers)
        session.execute(
            update(KnownPeer).where(of_device).values(device=device.value),
            execution_options={"synchronize_session": False},
        )


def _known(session: Session, peer_ids: list[str]) -> dict[str, Owner]:
    columns = select(KnownPeer.peer_id, KnownPeer.id, KnownPeer.user_id, KnownPeer.device).where(
        one_of(session, KnownPeer.peer_id, peer_ids)
    )
    return {peer: Owner(row, user, device) for peer, row, user, device in session.execute(columns)}


def _nameless(session: Session, peer_ids: Iterable[str], now: datetime) -> dict[str, int]:
    """Make a user for each of these peers, which have no named volunteer; return the users' ids by peer.

    All peers are named at once. Those whose names are taken, by another user or by one of them, are named again
    with another letter; one whose whole id is taken belongs to the user of that name.
    """
    users: dict[str, int] = {}
    left = sorted(peer_ids)
    for shown in range(_SHOWN, max(map(len, left)) + 1):
        names = {_name(peer_id, shown): peer_id for peer_id in reversed(left)}
        rows = [{"name": name, "created": now, **_PLAIN} for name in sorted(names)]
        made = insert_those_new(session, User, rows, (User.id, User.name))
        users |= {names[name]: user for user, name in made}
        left = [peer_id for peer_id in left if peer_id not in users]
    whole = {_name(peer_id, len(peer_id)): peer_id for peer_id in left}
    found = session.execute(select(User.id, User.name).where(one_of(session, User.name, list(whole))))
    return users | {whole[name]: user for user, name in found}


def _name(peer_id: str, shown: int) -> str:
    return f"peer-{peer_id[-shown:]}"
