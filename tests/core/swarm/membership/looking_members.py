"""Real nodes on loopback whose records lie in two shards, and summaries of them that they pass on."""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.run.look_schedule import SHARD_RENEWAL_SECONDS
from core.swarm.dht import Network, start_dht
from core.swarm.lookup import gossip
from core.swarm.membership.deputies import DEPUTY_RULES, DeputyRules
from core.swarm.membership.looks import SwarmLook, SwarmLooks
from core.swarm.membership.observing import AuditRate, ObservedSwarm, SwarmObserver
from core.swarm.membership.summariser import DeputyTerm, Summariser
from core.swarm.membership.swarm_view import peers_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_of
from tests.core.swarm.builders import HandClock, progress
from tests.waiting import DEADLINE, wait_until

PREFIX = "tiny-0123456789abcdef-0"
LEVEL = 1
ANSWER_SECONDS = 20.0
ONE_SHARD = AuditRate(shards=1, seconds=30.0)


def identity_in_shard(shard: int, file: Path) -> PeerIdentity:
    """Return a new identity whose record lies in that shard: members share them out evenly."""
    while shard_of((made := PeerIdentity.load_or_create(file)).peer_id.to_bytes(), LEVEL) != shard:
        file.unlink()
    return made


class LookingMember:
    """A peer of which there are a node, its record and its looks."""

    def __init__(
        self,
        folder: Path,
        number: int,
        entrance: "LookingMember | None",
        *,
        client_mode: bool = False,
        prefix: str = PREFIX,
        rules: DeputyRules = DEPUTY_RULES,
        looks_every: float = SHARD_RENEWAL_SECONDS,
    ) -> None:
        """Start the node of a peer.

        Args:
            folder: where its identity lies.
            number: tells it from the others; even ones and odd ones have a shard each.
            entrance: the peer by which it enters the swarm; None for the entrance.
            client_mode: true if others cannot connect to it.
            prefix: the run's DHT prefix.
            rules: the rules by which deputies are drawn and believed.
            looks_every: seconds in which its record says that it will be renewed: it counts as there for four times
                as long.
        """
        known = tuple(map(str, entrance.dht.get_visible_maddrs())) if entrance else ()
        network = Network(initial_peers=known, client_mode=client_mode, check_identity=False)
        self.identity = identity_in_shard(number % (1 << LEVEL), folder / f"identity-{number}")
        self.dht: hivemind.DHT = start_dht(network, self.identity, prefix=prefix, total_epochs=200)
        self.clock, self._prefix = HandClock(), prefix
        self._is_called, self._looks_every = not client_mode, looks_every
        self.looks = SwarmLooks(
            self.dht,
            prefix,
            self.identity.owner,
            answer_seconds=ANSWER_SECONDS,
            clock=self.clock,
            can_deputise=entrance is not None and not client_mode,
            rules=rules,
        )

    @property
    def peer_id(self) -> bytes:
        return bytes(self.identity.peer_id.to_bytes())

    def record(self, **changed: object) -> ProgressRecord:
        fields = {
            "time": get_dht_time(),
            "samples": 10,
            "samples_per_second": 0.0,
            "looks_every": self._looks_every,
            "reducing": self._is_called,
        }
        return progress(peer_id=self.peer_id, **{**fields, **changed})

    def look(self, *, publishes: bool = True, **changed: object) -> SwarmLook:
        self.clock.now += 130.0 if publishes else 1.0
        return self.looks.look(self.record(**changed), publishes=publishes)

    def as_deputy(self, seconds: float) -> Summariser:
        """Return the thread that summarises while it is this member's turn, once in so many seconds."""
        term = DeputyTerm(lambda: self.looks.is_deputy, lambda: self.looks.level)
        return Summariser(
            self.dht, self._prefix, self.identity, seconds=seconds, level_of=always(LEVEL), term=term
        )


class LookingObserver:
    """An observer at a node that nobody can connect to, whose clock a test sets."""

    def __init__(self, folder: Path, entrance: LookingMember, *, rules: DeputyRules = DEPUTY_RULES) -> None:
        known = tuple(map(str, entrance.dht.get_visible_maddrs()))
        identity = PeerIdentity.load_or_create(folder / "observer")
        network = Network(initial_peers=known, client_mode=True, check_identity=False)
        self.dht: hivemind.DHT = start_dht(network, identity, prefix=PREFIX, total_epochs=200)
        self.clock = HandClock()
        self.observer = SwarmObserver(
            self.dht, PREFIX, rate=ONE_SHARD, rules=rules, clock=self.clock, chance=random.Random(5)
        )

    def look(self, later: float = 0.0) -> ObservedSwarm:
        self.clock.now += later
        found: ObservedSwarm = within(self.observer.look())
        return found

    def knows(self, writers: set[bytes], peers: int) -> bool:
        """Return true if a look finds so many peers, by a summary of one of the ``writers``."""
        found, by = self.look(later=130.0), self.observer._summaries.fresh
        return by is not None and by.peer_id in writers and peers_of(found.peers) == peers

    def find_the_level(self) -> None:
        """Look until the level is known, each time with a call for summaries."""

        async def find() -> None:
            async with asyncio.timeout(DEADLINE):
                while not self.observer.level:
                    await self.observer.look()
                    self.clock.now += 61.0

        within(find())


def within(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, DEADLINE))


@contextmanager
def looking_members(folder: Path, prefix: str = PREFIX) -> Iterator[list[LookingMember]]:
    """Return an entrance, two peers that others can connect to, and one in a home."""
    made = list[LookingMember]()
    try:
        for number in range(4):
            entrance = made[0] if made else None
            made.append(LookingMember(folder, number, entrance, client_mode=number == 3, prefix=prefix))
        yield made
    finally:
        for member in made:
            member.dht.shutdown()


def always(level: int) -> Callable[[int, int], int]:
    return lambda peers, present: level


def summariser_of(members: Sequence[LookingMember], prefix: str = PREFIX) -> Summariser:
    """The summariser of the entrance, by which records lie in two shards."""
    return Summariser(members[0].dht, prefix, members[0].identity, level_of=always(LEVEL))


def learn(members: list[LookingMember], summariser: Summariser) -> list[SwarmLook]:
    """Have all publish, a summary made, and all look until they know one that is no older."""
    for member in members:
        member.look()
    made_at = get_dht_time()
    summariser.turn()
    found = list[SwarmLook]()
    for member in members:
        wait_until(partial(_knows_newer, member, made_at), "a summary is not passed on")
        found.append(member.look(publishes=False))
    return found


def _knows_newer(member: LookingMember, time: float) -> bool:
    values, _ = gossip.pull(member.dht).result(timeout=ANSWER_SECONDS)
    return any(value["time"] >= time for value in values)
