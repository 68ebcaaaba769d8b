"""Attackers that ask for much: calls without any pause to what peers serve."""

import asyncio
import os
from functools import partial
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again
from benchmarks.hostility.attackers.record_forger import RecordForger
from benchmarks.hostility.seat import PeerSeat
from core.swarm.averaging.averager import GradientAverager
from core.swarm.wire.records import CommitRecord, commit_keys, parse_all

_TURN_SECONDS = 10.0
_FETCHES = "rpc_fetch_committed", "rpc_fetch_summary"


class FetchFlood(Attacker):
    """Asks all peers for committed rounds and summaries, many times at once and without a pause (row 13).

    The rate and the number of calls at a time should be bounded by peer, and a caller beyond them be refused.
    """

    trains = False

    def __init__(self, seat: PeerSeat, *, at_once: int = 32) -> None:
        """Make ``at_once`` calls of each kind at a time to each peer."""
        super().__init__(seat)
        self._at_once = at_once

    def run(self) -> None:
        """Call for turn after turn, each by the swarm's present records."""
        self._forger = RecordForger(self.seat)
        again_and_again(self._turn, 0.1)

    def _turn(self) -> None:
        found = [
            self._forger.dht.get(key, latest=True, return_future=True)
            for key in commit_keys(self._forger.prefix)
        ]
        commits = [item for one in found for item in _commits_in(one.result())]
        newest = max(commits, key=lambda item: item.epoch, default=None)
        work = partial(
            _flood,
            peers=[item.peer_id for item in self._forger.progress() if item.can_be_asked],
            prefix=self._forger.prefix,
            groups=(newest.group, newest.root) if newest else (os.urandom(20), os.urandom(32)),
            at_once=self._at_once,
        )
        self._forger.dht.run_coroutine(work, return_future=True).result(4 * _TURN_SECONDS)


def _commits_in(found: Any) -> list[CommitRecord]:
    return list(parse_all(CommitRecord, found.value if found else None).values())


async def _flood(
    dht: Any, node: Any, *, peers: list[bytes], prefix: str, groups: tuple[bytes, bytes], at_once: int
) -> None:
    until = asyncio.get_running_loop().time() + _TURN_SECONDS

    async def ask(peer: bytes, method: str, asked: bytes) -> None:
        stub = GradientAverager.get_stub(node.p2p, PeerID(peer), namespace=prefix)
        while asyncio.get_running_loop().time() < until:
            try:
                async with asyncio.timeout(_TURN_SECONDS):
                    async for _ in await getattr(stub, method)(averaging_pb2.AveragingData(group_id=asked)):
                        pass
            except Exception:  # noqa: BLE001 - it asks again, whatever it is answered
                await asyncio.sleep(0.01)

    await asyncio.gather(
        *(
            ask(peer, method, asked)
            for peer in peers
            for method, asked in zip(_FETCHES, groups, strict=True)
            for _ in range(at_once)
        )
    )
