"""Real averagers with real DHT nodes on loopback, ready to be killed in the middle of things."""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hivemind
import psutil
import torch
from hivemind.utils import get_dht_time

from core.run.encodings import Encoding, WireFormat
from core.run.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.aggregation.rule import AggregationRule
from core.swarm.auditing.draw import USUAL_AUDITS, AuditRules
from core.swarm.averaging.averager import GradientAverager
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.bandwidth import Line
from core.swarm.dht import Network, start_dht
from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.quorum.votes import voice_of
from core.swarm.rounds.events import Observer, RoundEvent, unobserved
from core.swarm.rounds.partition import Part, cut
from core.swarm.rounds.round import RoundOutcome, RoundRequest
from core.swarm.state.state import StateSchema, schema_of
from core.swarm.state.state_donor import StateDonor
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.streams import PeerLost
from tests.swarms.hivemind_locks import locks_held

# A forked peer would collect garbage of this process, futures of other averagers among it, whose shared memory counts
# no holder for the copy: it would be removed while they use it, and torch ends whoever misses it.
os.register_at_fork(before=gc.freeze, after_in_parent=gc.unfreeze)

PREFIX = "test"
SIZES = (60_000, 1_000, 20_000, 7)
RULES = SwarmRules(
    target_batch_size=64, matchmaking_seconds=3.0, allreduce_seconds=12.0, averaging_seconds=30.0
)
LIMITS = TimeLimits(
    matchmaking_seconds=6.0,
    sender_seconds=8.0,
    reducer_seconds=16.0,
    allreduce_seconds=24.0,
    settle_seconds=0.2,
)
"""A group that is complete waits for none of them: they are long enough for peers beside which much else runs."""
GROUP_SECONDS = 15.0
GENESIS = b"\0" * 32


def parts(
    *, part_bytes: int = 8_192, sizes: Sequence[int] = SIZES, encodings: Sequence[WireFormat] = ()
) -> tuple[Part, ...]:
    """Many small parts, so that there is a middle to be killed in; the last one counts the samples.

    Without ``encodings``, one for each tensor, large tensors travel in 8 bits and small ones in 16.
    """
    chosen: Sequence[WireFormat] = encodings or [
        Encoding.UNIFORM8 if size >= 10_000 else Encoding.FLOAT16 for size in sizes
    ]
    tensors = cut(list(zip(sizes, chosen, strict=True)), part_bytes=part_bytes)
    return (*tensors, *cut([(1, Encoding.FLOAT32)], first_tensor=len(sizes)))


def some_gradients(seed: int, sizes: Sequence[int] = SIZES) -> list[torch.Tensor]:
    draws = torch.Generator().manual_seed(seed)
    return [*(torch.randn(size, generator=draws) for size in sizes), torch.tensor([float(seed)])]


@cache
def _key(number: int) -> bytes:
    """Return the content of a peer's file of its identity; making it takes a tenth of a second."""
    with TemporaryDirectory() as folder:
        return PeerIdentity.load_or_create(Path(folder, "identity")).path.read_bytes()


def known_identity(file: Path, number: int) -> Path:
    """Give a peer the identity that the peer of that number has in each swarm of the tests; return its ``file``."""
    if not file.exists():
        file.write_bytes(_key(number))
        file.chmod(0o400)
    return file


@dataclass
class LoopbackPeer:
    """An averager, its DHT node, and what it averages."""

    dht: "hivemind.DHT"
    averager: GradientAverager
    inputs: list[torch.Tensor]
    weight: float
    admission: Admission | None = None

    def begin(
        self,
        epoch: int = 0,
        head: bytes = GENESIS,
        *,
        expected: int,
        limits: TimeLimits = LIMITS,
        group_seconds: float = GROUP_SECONDS,
        state: bytes | None = None,
        clients: int = 0,
        electorate: Electorate = UNKNOWN,
        is_held: bool = False,
    ) -> Any:
        """Look for a group and exchange as soon as there is one; returns a future of a RoundOutcome.

        One that ``is_held`` waits for its ``allow_allreduce`` before it exchanges.
        """
        started_at = get_dht_time() + 1.0
        request = RoundRequest(
            epoch,
            head,
            expected,
            limits,
            group_seconds,
            started_at,
            state,
            expected_clients=clients,
            electorate=electorate,
        )
        step = self.averager.begin(request, weight=self.weight)
        if not is_held:
            step.allow_allreduce()
        return step

    @property
    def voice(self) -> str:
        """Name under which the peer's vote counts in a run without users."""
        return voice_of("", self.averager.peer_id.to_bytes())

    @property
    def outputs(self) -> list[torch.Tensor]:
        return [item.clone() for item in self.averager.outputs]

    def processes(self) -> list[psutil.Process]:
        """The averager, the DHT node and its libp2p daemon."""
        node = psutil.Process(self.dht.pid)
        return [psutil.Process(self.averager.pid), *node.children(recursive=True), node]


def die_at(event: RoundEvent, count: int) -> Callable[[Sequence[int]], Observer]:
    """An observer that kills the peer, all of its processes, when an event happens for the count-th time."""

    def make(others: Sequence[int]) -> Observer:
        def observe(seen: RoundEvent, number: int) -> None:
            if (seen, number) == (event, count):
                with locks_held():  # which the survivors share
                    for pid in others:
                        os.kill(pid, signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)

        return observe

    return make


def lose_at(event: RoundEvent, count: int) -> Callable[[Sequence[int]], Observer]:
    """An observer that breaks the connection when an event happens for the count-th time."""

    def make(others: Sequence[int]) -> Observer:
        def observe(seen: RoundEvent, number: int) -> None:
            if (seen, number) == (event, count):
                raise PeerLost("the test broke the line")

        return observe

    return make


def collect_garbage(others: Sequence[int]) -> Observer:
    """An observer that has the averager's process collect garbage often once it looks for a group."""
    begun: list[threading.Thread] = []

    def go_on() -> None:
        while True:
            gc.collect()
            time.sleep(0.005)

    def observe(seen: RoundEvent, number: int) -> None:
        if seen is RoundEvent.LOOKING and not begun:
            begun.append(threading.Thread(target=go_on, daemon=True))
            begun[0].start()

    return observe


class LoopbackSwarm:
    """Peers that are started one by one and all ended together."""

    def __init__(self, folder: Path, sizes: Sequence[int] = SIZES, rules: SwarmRules = RULES) -> None:
        self._folder, self._sizes, self._rules = folder, sizes, rules
        self.peers: list[LoopbackPeer] = []
        self.entrance: tuple[str, ...] | None = None
        """Addresses through which new peers enter, if not the first peer's own."""

    def add(
        self,
        *,
        encodings: Sequence[WireFormat] = (),
        observe: Callable[[Sequence[int]], Observer] | None = None,
        client_mode: bool = False,
        auxiliary: bool = False,
        bandwidth: float | None = None,
        line: Line | None = None,
        admit: Callable[[PeerIdentity], Admission] | None = None,
        donor: StateDonor | None = None,
        rule: AggregationRule | None = None,
        audits: AuditRules = USUAL_AUDITS,
        averager_class: type[GradientAverager] = GradientAverager,
        state_schema: StateSchema = (),
    ) -> LoopbackPeer:
        number = len(self.peers)
        identity = PeerIdentity.load_or_create(known_identity(self.identity_file(number), number))
        network = Network(initial_peers=self._addresses(), client_mode=client_mode, check_identity=False)
        admission = admit(identity) if admit else None
        dht = start_dht(network, identity, prefix=PREFIX, total_epochs=100, admission=admission)
        inputs = some_gradients(number, self._sizes)
        node = psutil.Process(dht.pid)
        pids = [*(child.pid for child in node.children(recursive=True)), dht.pid]
        averager = averager_class(
            inputs,
            RoundParticipant(
                parts(sizes=self._sizes, encodings=encodings),
                dht,
                identity,
                PREFIX,
                self._rules,
                client_mode=client_mode,
                auxiliary=auxiliary,
                bandwidth=bandwidth,
                admission=admission,
                observe=observe(pids) if observe else unobserved,
                donor=donor,
                rule=rule,
                audits=audits,
            ),
            state_schema=state_schema
            or schema_of({"weights": inputs[0], "moments": torch.zeros(5, dtype=torch.uint8)}),
            line=line,
        )
        self.peers.append(LoopbackPeer(dht, averager, inputs, 10.0 + 3 * number, admission))
        return self.peers[-1]

    def identity_file(self, number: int) -> Path:
        """Return the file of the identity of the peer that was added at that place."""
        return self._folder / f"identity-{number}"

    def _addresses(self) -> tuple[str, ...]:
        if self.entrance is not None:
            return self.entrance
        alive = [peer for peer in self.peers if peer.dht.is_alive()]
        return tuple(map(str, alive[0].dht.get_visible_maddrs())) if alive else ()

    def close(self) -> None:
        for peer in reversed(self.peers):
            for process in (peer.averager, peer.dht):
                if process.is_alive():
                    process.shutdown()
                process.join(5)
                if process.is_alive():
                    with locks_held():
                        process.kill()
                    process.join()


@contextmanager
def loopback_swarm(
    folder: Path, sizes: Sequence[int] = SIZES, rules: SwarmRules = RULES
) -> Iterator[LoopbackSwarm]:
    swarm = LoopbackSwarm(folder, sizes, rules)
    try:
        yield swarm
    finally:
        swarm.close()


def outcomes(steps: Sequence[Any], *, seconds: float = 90.0) -> list[RoundOutcome]:
    """Return how rounds ended; by `LIMITS`, one that loses a reducer and votes again may take a minute."""
    return [step.result(timeout=seconds) for step in steps]


def exact_mean(peers: Sequence[LoopbackPeer]) -> list[torch.Tensor]:
    """The weighted mean in float64."""
    total = sum(peer.weight for peer in peers)
    return [
        sum((peer.inputs[index].double() * (peer.weight / total) for peer in peers), torch.zeros(()).double())
        for index in range(len(peers[0].inputs))
    ]
