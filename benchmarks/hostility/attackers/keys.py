"""Attackers of the DHT's storage: values where none belongs."""

import asyncio
import hashlib
import os
from functools import partial
from typing import Any

from hivemind.dht import DHTID
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again
from benchmarks.hostility.attackers.record_forger import RecordForger, plain_value
from benchmarks.hostility.seat import PeerSeat
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.skeletons import shapes_alone
from core.swarm.averaging.matchmaking import _ANY_GROUP_KEY_CHARACTERS
from core.swarm.rounds.partition import round_parts

_TEN_YEARS = 10 * 365 * 86_400.0
_PAUSE_SECONDS = 0.2
_VALUE_BYTES, _VALUES_AT_ONCE = 11_500, 16


def round_schema(manifest: RunManifest) -> bytes:
    """Return the digest of the parts of a round in the run of ``manifest``, as its averagers compute it."""
    training = manifest.training
    with shapes_alone():
        model = Transformer(picture_rules(training).model)
    parts = round_parts([item.shape for _, item in model.named_parameters()], training.swarm)
    return hashlib.sha256(repr(tuple(parts)).encode()).digest()


def matchmaking_key(prefix: str, schema: bytes, epoch: int, head: bytes) -> str:
    """Return the DHT key at which the trainers of a small swarm look for a group.

    Args:
        prefix: the run's DHT prefix.
        schema: the digest of the parts of its rounds.
        epoch: the epoch of the place.
        head: the head of the chain there.
    """
    here = hashlib.sha256(repr((schema, epoch, head)).encode()).hexdigest()
    return f"{prefix}_{here[:_ANY_GROUP_KEY_CHARACTERS]}.0b"


class MatchmakingBlocker(Attacker):
    """Stores one unsigned value, good for ten years, under the key at which the next group forms (row 8).

    Only the run's keys in their own form should be stored, under signed subkeys of their writers and for as long as
    their kind lasts. A peer that went on alone should come back to the others.
    """

    trains = False

    def run(self) -> None:
        """Block the key of each place to which the swarm comes."""
        self._forger = RecordForger(self.seat)
        self._schema = round_schema(self._forger.manifest)
        again_and_again(self._block, _PAUSE_SECONDS)

    def _block(self) -> None:
        for place in {(item.epoch, item.head) for item in self._forger.progress() if item.synchronised}:
            key = matchmaking_key(self._forger.prefix, self._schema, *place)
            self._forger.send([plain_value(key, "blocked", _TEN_YEARS)])


class StorageFiller(Attacker):
    """Stores values of 11.5 kB, good for ten years, under keys that belong to nothing, at the entrance (row 11).

    Only the run's keys should be stored, and the bytes that one user takes there be bounded.
    """

    trains = False

    def __init__(self, seat: PeerSeat, *, megabytes: int = 250) -> None:
        """Store ``megabytes`` MB in all, which the machine of the benchmark has."""
        super().__init__(seat)
        self._left = megabytes * 1_000_000

    def run(self) -> None:
        """Fill the storage until the megabytes are stored, then wait to be ended."""
        forger = RecordForger(self.seat)
        entrance = self.seat.initial_peers[0].rpartition("/")[2]
        while self._left > 0:
            work = partial(_fill, entrance=entrance)
            self._left -= forger.dht.run_coroutine(work, return_future=True).result(60.0)
        again_and_again(lambda: None, 60.0)


async def _fill(dht: Any, node: Any, *, entrance: str) -> int:
    """Send some values to the ``entrance`` (its id) to store; return the bytes that were sent."""
    keys = [DHTID.generate() for _ in range(_VALUES_AT_ONCE)]
    values = [os.urandom(_VALUE_BYTES) for _ in keys]
    await node.protocol.call_store(PeerID.from_base58(entrance), keys, values, get_dht_time() + _TEN_YEARS)
    await asyncio.sleep(0)
    return _VALUES_AT_ONCE * _VALUE_BYTES
