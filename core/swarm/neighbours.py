"""Keeps a DHT node in touch with the swarm: a node that lost its neighbours, or moved, looks for them again.

hivemind's node drops each neighbour that does not answer a call in time, and never asks its initial peers again.
After a sleep of the computer or some seconds without a network it would be alone for ever, and its peer would not
see how the others go on. It also bans those who did not answer, for twice as long each time. libp2p keeps the dead
connections of a network that the computer has left for up to a minute, and opens no others meanwhile.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import hivemind
from hivemind.dht.protocol import ValidationError
from hivemind.p2p import P2PDaemonError, PeerID
from hivemind.utils.multiaddr import Multiaddr

from core.failure_series import FailureSeries
from core.swarm.p2pd import close_connections

FAULTS = (P2PDaemonError, ConnectionError, TimeoutError, ValueError, RuntimeError, AssertionError)
"""Errors that hivemind raises when peers come and go; the next turn tries again."""
_TURN_SECONDS = 1.0
_ISOLATED_SECONDS = 3.0
"""Seconds between attempts to find the swarm again while no neighbour is known."""
_VISIT_SECONDS = 60.0
"""Seconds between visits to entrances that are no neighbours, by which a part that was cut off meets the rest."""
_MOST_ACQUAINTANCES = 16
_MEETING_SECONDS = 10.0
"""Seconds from a call of an entrance to another one that does not answer to the next; longest time of a call."""
_log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def keep_neighbours(dht: "hivemind.DHT", has_left: Callable[[], bool]) -> None:
    """Run NeighbourKeeper beside ``dht``, in its process, until its node ends. Returns once it has begun.

    ``has_left`` returns true once after this computer has left a network for another; it is sent to that process.
    """
    dht.run_coroutine(partial(_begin, entrances=entrances(dht), has_left=has_left))


def entrances(dht: "hivemind.DHT") -> tuple[PeerID, ...]:
    """Return the ids of the peers by which ``dht`` entered the swarm."""
    return tuple(PeerID.from_base58(Multiaddr(str(item))["p2p"]) for item in dht.initial_peers or ())


def knows_others(node: Any) -> bool:
    """Return true if the DHT ``node`` has a neighbour in its routing table."""
    return bool(node.protocol.routing_table.uid_to_peer_id)


def ask_in_reach(dht: "hivemind.DHT") -> "Future[bool]":
    """Begin to ask the process of ``dht``, whose neighbours are kept, if any peer of its swarm is known."""
    asking: Future[bool] = dht.run_coroutine(_in_reach, return_future=True)
    return asking


async def _in_reach(_: "hivemind.DHT", node: Any) -> bool:
    keeper: NeighbourKeeper = node.neighbour_keeper
    return not keeper.is_isolated


async def _begin(
    dht: "hivemind.DHT", node: Any, *, entrances: Sequence[PeerID], has_left: Callable[[], bool]
) -> None:
    node.neighbour_keeper = NeighbourKeeper(node, entrances, has_left=has_left)
    task = asyncio.create_task(node.neighbour_keeper.run())
    _tasks.add(task)  # a task without a reference may be collected
    task.add_done_callback(_tasks.discard)


class NeighbourKeeper:
    """Keeps the neighbours of one DHT node; ``entrances`` are the peers by which the node entered the swarm."""

    def __init__(
        self,
        node: Any,
        entrances: Sequence[PeerID],
        clock: Callable[[], float] = time.monotonic,
        has_left: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare to keep the neighbours of ``node``.

        Args:
            node: the DHT node.
            entrances: the peers by which it entered the swarm.
            clock: gives seconds that only rise.
            has_left: returns true once after this computer has left a network for another.
        """
        self._node, self._clock, self._has_left = node, clock, has_left
        self._entrances, self._acquaintances = tuple(entrances), tuple(entrances)
        self._next_visit, self._isolated_since = clock() + _VISIT_SECONDS, float("inf")
        self._visits = FailureSeries(_log, "Looking for peers of the swarm", clock)
        self._has_dead_connections = False

    @property
    def is_isolated(self) -> bool:
        """True if no peer of the swarm is known any more; false for the first peer of a swarm, which is one alone."""
        return bool(self._entrances) and not knows_others(self._node)

    async def run(self) -> None:
        """Take a turn every second until the node ends."""
        while self._node.is_alive:
            await asyncio.sleep(_TURN_SECONDS)
            try:
                await self.turn()
            except FAULTS as error:
                self._visits.failed(error)

    async def turn(self) -> None:
        """Remember the neighbours there are, or look for the swarm again if there are none."""
        moved = self._has_dead_connections = self._has_dead_connections or self._has_left()
        if moved:
            _log.warning("This computer has left its network: its connections end.")
            await close_connections(self._node.p2p)
            self._has_dead_connections = False
        known = tuple(self._node.protocol.routing_table.uid_to_peer_id.values())
        if known:
            self._acquaintances = (*self._entrances, *known[:_MOST_ACQUAINTANCES])
            self._end_isolation(len(known))
        elif self._acquaintances:  # else it is the first peer of a swarm, and no other has come yet
            self._begin_isolation()
        if self._clock() < self._next_visit and not moved:
            return
        self._next_visit = self._clock() + (_VISIT_SECONDS if known else _ISOLATED_SECONDS)
        missing = set(self._entrances if known else self._acquaintances).difference(() if moved else known)
        if missing and await self._visit(missing) and not known:
            await self._node.find_nearest_nodes([self._node.node_id])
        self._visits.succeeded()

    async def _visit(self, peers: set[PeerID]) -> bool:
        """Call ``peers``; those that answer are neighbours again. Return true if any did."""
        answers = await asyncio.gather(*(self._node.protocol.call_ping(peer) for peer in peers))
        for peer, answer in zip(peers, answers, strict=True):
            if answer is not None:
                self._node.blacklist.register_success(peer)  # else it is asked nothing until its ban is over
        return any(answer is not None for answer in answers)

    def _begin_isolation(self) -> None:
        if self._isolated_since == float("inf"):
            self._isolated_since = self._next_visit = self._clock()
            _log.warning(
                "No peer of the swarm answers. Those that were known are called again until one does."
            )

    def _end_isolation(self, neighbours: int) -> None:
        if self._isolated_since < float("inf"):
            seconds, self._isolated_since = self._clock() - self._isolated_since, float("inf")
            _log.info("The swarm is in reach again after %.0f s, with %d neighbours.", seconds, neighbours)


def meet_entrances(dht: "hivemind.DHT", addresses: Sequence[str]) -> None:
    """Make an entrance call the other entrances of its swarm, in the background, whenever they are no neighbours.

    An entrance starts also where no other answers, since newcomers would find none otherwise. So it is the first peer
    of a swarm at first, and becomes one of theirs as soon as one of them answers.

    Args:
        dht: the node of the entrance.
        addresses: multiaddresses of the others, with their peer ids.
    """
    others: dict[str, list[str]] = {}
    for address in addresses:
        others.setdefault(Multiaddr(address)["p2p"], []).append(address.rpartition("/p2p/")[0])
    if others:
        dht.run_coroutine(partial(_begin_meeting, others=others))


async def _begin_meeting(_: "hivemind.DHT", node: Any, *, others: Mapping[str, Sequence[str]]) -> None:
    for peer, addresses in others.items():
        task = asyncio.create_task(_meet(node, PeerID.from_base58(peer), tuple(map(Multiaddr, addresses))))
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)


async def _meet(node: Any, peer: PeerID, addresses: Sequence[Multiaddr]) -> None:
    """Call one other entrance whenever it is no neighbour, until the node ends."""
    calls = FailureSeries(_log, f"Calling the entrance {peer.to_base58()}")
    while node.is_alive:
        seconds = _VISIT_SECONDS
        try:
            if node.protocol.routing_table.get(peer_id=peer) is None:
                await _call(node, peer, addresses)
            calls.succeeded()
        except (*FAULTS, OSError, ValidationError) as error:
            calls.failed(error)
            seconds = _MEETING_SECONDS
        await asyncio.sleep(seconds)


async def _call(node: Any, peer: PeerID, addresses: Sequence[Multiaddr]) -> None:
    """Make another entrance a neighbour, and those that it knows; raises an error if it does not answer."""
    async with asyncio.timeout(_MEETING_SECONDS):
        await node.p2p._client.connect(peer, addresses)
        if await node.protocol.call_ping(peer, validate=True) is None:
            raise ConnectionError("It does not answer.")
        node.blacklist.register_success(peer)
    await node.find_nearest_nodes([node.node_id])
    _log.info("The entrance %s, and those that it knows, are neighbours now.", peer.to_base58())
