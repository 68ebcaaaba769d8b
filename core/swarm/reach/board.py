"""Runs a peer's `Meeting` in the process of its DHT node, with the contacts of the swarm kept in the DHT."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import hivemind
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.swarm.neighbours import entrances
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.meeting import Meeting, MeetingState
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import CONTACT_SECONDS, ContactRecord, bounded, contact_key, parse_all

_tasks: set[asyncio.Task[None]] = set()


class DHTBoard:
    """The contacts of one run's swarm, in its DHT."""

    def __init__(self, node: Any, prefix: str, owner: bytes) -> None:
        """Use the DHT ``node`` for the run whose DHT prefix is ``prefix``; ``owner`` is this peer's owner key."""
        self._node, self._key, self._owner = node, contact_key(prefix), owner

    async def publish(self, record: ContactRecord) -> None:
        """Keep the ``record`` of this peer for some minutes."""
        own, now = OwnCertificate(self._node.protocol.authorizer), get_dht_time()
        certified, until = own.on(record, now=now, until=now + CONTACT_SECONDS)
        await self._node.store(self._key, bounded(certified.pack()), until, subkey=self._owner)

    async def read(self) -> list[ContactRecord]:
        """Return the records of all peers."""
        found = await self._node.get(self._key, latest=True)
        return list(parse_all(ContactRecord, found.value if found else None).values())


def keep_meeting(
    dht: "hivemind.DHT", prefix: str, owner: bytes, own: OwnContact, *, relaying: bool = False
) -> None:
    """Run a `Meeting` beside ``dht``, in its process, until its node ends; returns once it has begun.

    Args:
        dht: the DHT of the peer.
        prefix: the run's DHT prefix.
        owner: this peer's owner key, under which its contact is stored.
        own: contact of this peer, as it is published to others.
        relaying: true if this peer relays for others.
    """
    work = partial(_begin, prefix=prefix, owner=owner, own=own, entrances=entrances(dht), relaying=relaying)
    dht.run_coroutine(work)


async def _begin(
    _: "hivemind.DHT",
    node: Any,
    *,
    prefix: str,
    owner: bytes,
    own: OwnContact,
    entrances: Sequence[PeerID],
    relaying: bool,
) -> None:
    node.meeting = Meeting(node.p2p, DHTBoard(node, prefix, owner), own, entrances, relaying=relaying)
    task = asyncio.create_task(node.meeting.run(lambda: bool(node.is_alive)))
    node.meeting_task = task
    _tasks.add(task)  # a task without a reference may be collected
    task.add_done_callback(_tasks.discard)


def state_no_relaying(dht: "hivemind.DHT") -> None:
    """Make the contact of the peer of ``dht`` state, from its meeting's next turn on, that it relays for nobody."""
    dht.run_coroutine(_end_relaying)


async def _end_relaying(_: "hivemind.DHT", node: Any) -> None:
    meeting: Meeting | None = getattr(node, "meeting", None)
    if meeting is not None:
        meeting.end_relaying()


def look_at_meeting(dht: "hivemind.DHT") -> "Future[MeetingState]":
    """Begin to ask the process of ``dht``, in which `keep_meeting` has begun a meeting, for its state."""
    looking: Future[MeetingState] = dht.run_coroutine(_state, return_future=True)
    return looking


async def _state(_: "hivemind.DHT", node: Any) -> MeetingState:
    meeting: Meeting = node.meeting
    return MeetingState() if node.meeting_task.done() else meeting.state
