"""Real nodes on loopback whose records lie in two shards, and a summary of them that they pass on."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.dht import Network, start_dht
from core.swarm.lookup import gossip
from core.swarm.membership.looks import SwarmLook, SwarmLooks
from core.swarm.membership.summariser import Summariser
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_of
from tests.core.swarm.builders import HandClock, progress
from tests.waiting import wait_until

PREFIX = "tiny-0123456789abcdef-0"
LEVEL = 1
ANSWER_SECONDS = 20.0


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
    ) -> None:
        known = tuple(map(str, entrance.dht.get_visible_maddrs())) if entrance else ()
        network = Network(initial_peers=known, client_mode=client_mode, check_identity=False)
        self.identity = identity_in_shard(number % (1 << LEVEL), folder / f"identity-{number}")
        self.dht: hivemind.DHT = start_dht(network, self.identity, prefix=prefix, total_epochs=200)
        self.clock = HandClock()
        self.looks = SwarmLooks(
            self.dht, prefix, self.identity.owner, answer_seconds=ANSWER_SECONDS, clock=self.clock
        )

    def record(self, **changed: object) -> ProgressRecord:
        return progress(
            peer_id=self.identity.peer_id.to_bytes(),
            **{"time": get_dht_time(), "samples": 10, "samples_per_second": 0.0, **changed},
        )

    def look(self, *, publishes: bool = True, **changed: object) -> SwarmLook:
        self.clock.now += 130.0 if publishes else 1.0
        return self.looks.look(self.record(**changed), publishes=publishes)


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
