"""A real averager and DHT node under mutated calls, and an honest peer that makes rounds with them in between.

In an open run anyone may call. In a gated one each hostile caller is a member: the gate gave it an access token, the
swarm knows that token, and so its calls reach the handlers behind the check.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from hivemind.utils import get_dht_time

from benchmarks.fuzzing.hostile_caller import HostileCaller
from benchmarks.fuzzing.served_calls import KnownToCaller, served_calls
from benchmarks.fuzzing.watched import Holdings, WatchedProcesses
from core.swarm.admission.records import SHOWN_SECONDS, admissions_key
from core.swarm.quorum.electorate import Electorate
from core.swarm.state.pieces import outline_of
from core.swarm.state.state import SwarmState
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import CommitRecord, commit_key, parse_all
from tests.gate.run_gate import RunGate
from tests.swarms.hostile_storing import push
from tests.swarms.swarm_peers import GENESIS, PREFIX, LoopbackPeer, LoopbackSwarm, loopback_swarm, outcomes

PARTS = 10
"""Readings of one run, unless it is to have fewer."""
_CALLERS = 4
"""Hostile callers at a time, each with its own key; others take their places for each reading."""
_ROUND_SECONDS = 120.0
_TOKEN_SECONDS = 86_000.0
"""Seconds for which tokens are good: longer than a million messages take."""


@dataclass(frozen=True)
class ServedReading:
    """The victim after some messages, and what came of them."""

    messages: int
    outcomes: Counter[str]
    holdings: Holdings


class ServedPeers:
    """The victim and an honest peer, who make an epoch together whenever they are asked to."""

    def __init__(self, swarm: LoopbackSwarm, folder: Path, gate: RunGate | None = None) -> None:
        """Start both in ``swarm``, admitted by ``gate`` if there is one; hostile keys are kept in ``folder``."""
        self._folder, self._gate, self._epoch, self._head = folder, gate, 0, GENESIS
        self.victim, self.honest = self._enter(swarm, "victim"), self._enter(swarm, "honest")
        self._state = SwarmState(
            7, GENESIS, {"weights": self.victim.inputs[0], "moments": torch.zeros(5, dtype=torch.uint8)}
        )
        self.victim.averager.serve_state(lambda: self._state)
        self.watched = WatchedProcesses(self.victim.processes())

    def _enter(self, swarm: LoopbackSwarm, name: str) -> LoopbackPeer:
        gate = self._gate
        return swarm.add(admit=partial(gate.admit, name=name, seconds=_TOKEN_SECONDS) if gate else None)

    def make_epoch(self) -> None:
        """Let both make a round; raises whatever keeps them from it."""
        voices = {self._voice(peer, name): peer for name, peer in self._named}
        steps = [
            peer.begin(
                self._epoch, self._head, expected=2, electorate=Electorate(2, frozenset(voices), own=voice)
            )
            for voice, peer in voices.items()
        ]
        first, second = outcomes(steps, seconds=_ROUND_SECONDS)
        if first.head != second.head:
            raise AssertionError("the victim and the honest peer committed different aggregates")
        self._epoch, self._head = self._epoch + 1, first.head

    @property
    def _named(self) -> Sequence[tuple[str, LoopbackPeer]]:
        return ("victim", self.victim), ("honest", self.honest)

    def _voice(self, peer: LoopbackPeer, name: str) -> str:
        return name if self._gate is not None else peer.voice

    def known(self, identity: PeerIdentity) -> KnownToCaller:
        """Return what a caller with that ``identity`` can find out about the victim, with its own token."""
        found = self.honest.dht.get(commit_key(PREFIX, self._epoch - 1), latest=True)
        records = parse_all(CommitRecord, getattr(found, "value", None)).values()
        group = next((record.group for record in records if record.root == self._head), bytes(20))
        return KnownToCaller(
            identity, group, self._head, outline_of(self._state).root, self._token_of(identity)
        )

    def identities(self, part: int) -> Iterator[PeerIdentity]:
        """Yield new identities of hostile callers, for that ``part`` of the messages."""
        for number in range(_CALLERS):
            yield PeerIdentity.load_or_create(self._folder / f"hostile-{part}-{number}")

    def _token_of(self, identity: PeerIdentity) -> str:
        """Return a token for a hostile member, which the victim's node then knows; empty in an open run."""
        if self._gate is None:
            return ""
        token = self._gate.token(identity, identity.path.name, seconds=_TOKEN_SECONDS)
        is_shown = push(
            self.honest.dht,
            self.victim.dht.peer_id,
            admissions_key(PREFIX),
            token,
            expiration=get_dht_time() + SHOWN_SECONDS,
            writer=identity,
        )
        if not is_shown:
            raise AssertionError("the victim's node does not keep the token of a member")
        return token


def attack_peers(folder: Path, messages: int, seed: int, parts: int = PARTS) -> Iterator[ServedReading]:
    """Send that many mutated requests to a peer; yield a reading after each part, and an honest round after it.

    Raises Replaced if a process of the peer ends, and whatever keeps it from the round.
    """
    yield from _attack_all(folder, messages, seed, parts, None)


def attack_as_members(folder: Path, messages: int, seed: int, parts: int = PARTS) -> Iterator[ServedReading]:
    """Do as `attack_peers` does in a gated run, by callers whom its gate has admitted."""
    yield from _attack_all(folder, messages, seed, parts, RunGate())


def _attack_all(
    folder: Path, messages: int, seed: int, parts: int, gate: RunGate | None
) -> Iterator[ServedReading]:
    with loopback_swarm(folder) as swarm:
        peers, counted = ServedPeers(swarm, folder, gate), Counter[str]()
        peers.make_epoch()
        for part in range(1, parts + 1):
            counted += asyncio.run(_attack(peers, part, messages // parts, seed))
            peers.make_epoch()
            yield ServedReading(messages * part // parts, Counter(counted), peers.watched.holdings())


async def _attack(peers: ServedPeers, part: int, messages: int, seed: int) -> Counter[str]:
    addresses = peers.victim.dht.get_visible_maddrs()
    known = [peers.known(identity) for identity in peers.identities(part)]
    callers = [
        await HostileCaller.enter(addresses, each.identity, hash((seed, part, number)))
        for number, each in enumerate(known)
    ]
    try:
        found = await asyncio.gather(
            *(
                caller.send(served_calls(each), messages // _CALLERS)
                for caller, each in zip(callers, known, strict=True)
            )
        )
        return sum(found, Counter[str]())
    finally:
        for caller in callers:
            await caller.leave()
