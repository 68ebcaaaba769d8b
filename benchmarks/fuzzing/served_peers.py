"""A real averager and DHT node under mutated calls, and an honest peer that makes rounds with them in between."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from benchmarks.fuzzing.hostile_caller import HostileCaller
from benchmarks.fuzzing.served_calls import KnownToCaller, served_calls
from benchmarks.fuzzing.watched import Holdings, WatchedProcesses
from core.swarm.quorum.electorate import Electorate
from core.swarm.state.pieces import outline_of
from core.swarm.state.state import SwarmState
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import CommitRecord, commit_key, parse_all
from tests.swarms.swarm_peers import GENESIS, PREFIX, LoopbackSwarm, loopback_swarm, outcomes

PARTS = 10
"""Readings of one run."""
_CALLERS = 4
"""Hostile callers at a time, each with its own key; others take their places for each reading."""
_ROUND_SECONDS = 120.0


@dataclass(frozen=True)
class ServedReading:
    """The victim after some messages, and what came of them."""

    messages: int
    outcomes: Counter[str]
    holdings: Holdings


class ServedPeers:
    """The victim and an honest peer, who make an epoch together whenever they are asked to."""

    def __init__(self, swarm: LoopbackSwarm, folder: Path) -> None:
        """Start both in ``swarm``; keys of hostile callers are kept in ``folder``."""
        self._folder, self._epoch, self._head = folder, 0, GENESIS
        self.victim, self.honest = swarm.add(), swarm.add()
        self._state = SwarmState(
            7, GENESIS, {"weights": self.victim.inputs[0], "moments": torch.zeros(5, dtype=torch.uint8)}
        )
        self.victim.averager.serve_state(lambda: self._state)
        self.watched = WatchedProcesses(self.victim.processes())

    def make_epoch(self) -> None:
        """Let both make a round; raises whatever keeps them from it."""
        peers = (self.victim, self.honest)
        names = frozenset(peer.voice for peer in peers)
        steps = [
            peer.begin(self._epoch, self._head, expected=2, electorate=Electorate(2, names, own=peer.voice))
            for peer in peers
        ]
        first, second = outcomes(steps, seconds=_ROUND_SECONDS)
        if first.head != second.head:
            raise AssertionError("the victim and the honest peer committed different aggregates")
        self._epoch, self._head = self._epoch + 1, first.head

    def known(self, identity: PeerIdentity) -> KnownToCaller:
        """Return what a caller with that ``identity`` can find out about the victim."""
        found = self.honest.dht.get(commit_key(PREFIX, self._epoch - 1), latest=True)
        records = parse_all(CommitRecord, getattr(found, "value", None)).values()
        group = next((record.group for record in records if record.root == self._head), bytes(20))
        return KnownToCaller(identity, group, self._head, outline_of(self._state).root)

    def identities(self, part: int) -> Iterator[PeerIdentity]:
        """Yield new identities of hostile callers, for that ``part`` of the messages."""
        for number in range(_CALLERS):
            yield PeerIdentity.load_or_create(self._folder / f"hostile-{part}-{number}")


def attack_peers(folder: Path, messages: int, seed: int) -> Iterator[ServedReading]:
    """Send that many mutated requests to a peer; yield a reading after each tenth, and an honest round after it.

    Raises Replaced if a process of the peer ends, and whatever keeps it from the round.
    """
    with loopback_swarm(folder) as swarm:
        peers, counted = ServedPeers(swarm, folder), Counter[str]()
        peers.make_epoch()
        for part in range(1, PARTS + 1):
            counted += asyncio.run(_attack(peers, part, messages // PARTS, seed))
            peers.make_epoch()
            yield ServedReading(messages * part // PARTS, Counter(counted), peers.watched.holdings())


async def _attack(peers: ServedPeers, part: int, messages: int, seed: int) -> Counter[str]:
    addresses = peers.victim.dht.get_visible_maddrs()
    identities = list(peers.identities(part))
    calls = served_calls(peers.known(identities[0]))
    callers = [
        await HostileCaller.enter(addresses, identity, hash((seed, part, number)))
        for number, identity in enumerate(identities)
    ]
    try:
        found = await asyncio.gather(*(caller.send(calls, messages // _CALLERS) for caller in callers))
        return sum(found, Counter[str]())
    finally:
        for caller in callers:
            await caller.leave()
