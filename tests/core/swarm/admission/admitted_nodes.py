"""Real DHT nodes of a run with a gate, each of an admitted peer that keeps a place in the swarm."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hivemind.utils import get_dht_time

from core.swarm.dht import Network, start_dht
from core.swarm.membership.looks import SwarmLooks
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import progress
from tests.gate.run_gate import RunGate


class AdmittedNode:
    """A node of an admitted peer."""

    def __init__(
        self, gate: RunGate, prefix: str, folder: Path, number: int, user: str, known: tuple[str, ...]
    ) -> None:
        self.prefix = prefix
        self.identity = PeerIdentity.load_or_create(folder / f"identity-{number}")
        self.admission = gate.admit(self.identity, user)
        self.dht = start_dht(
            Network(initial_peers=known, check_identity=False),
            self.identity,
            prefix=prefix,
            total_epochs=200,
            admission=self.admission,
        )
        self.looks = SwarmLooks(
            self.dht,
            prefix,
            self.identity.owner,
            answer_seconds=20.0,
            certificate=OwnCertificate(self.admission),
        )

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(map(str, self.dht.get_visible_maddrs()))

    def record(self) -> ProgressRecord:
        return progress(peer_id=self.identity.peer_id.to_bytes(), time=get_dht_time())

    def sees(self) -> dict[bytes, str]:
        """The users of the other peers by their ids, after a look at the swarm."""
        return {item.peer_id: item.user for item in self.looks.look(self.record(), publishes=True).others}


@contextmanager
def admitted_nodes(gate: RunGate, prefix: str, folder: Path) -> Iterator[Callable[[str], AdmittedNode]]:
    """Yield what adds a node of a user to the swarm; all of them end with the block."""
    made: list[AdmittedNode] = []

    def add(user: str) -> AdmittedNode:
        known = made[0].addresses if made else ()
        made.append(AdmittedNode(gate, prefix, folder, len(made), user, known))
        return made[-1]

    try:
        yield add
    finally:
        for node in reversed(made):
            node.dht.shutdown()
