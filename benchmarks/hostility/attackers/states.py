"""Attackers of those who join: false states, and downloads that are never read."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgpack
import numpy as np
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again, replace
from benchmarks.hostility.attackers.record_forger import RecordForger
from benchmarks.hostility.seat import PeerSeat
from core.digest import digest, sketch
from core.swarm.averaging.averager import GradientAverager
from core.swarm.state.pieces import StateOutline
from core.swarm.state.replica import place_of
from core.swarm.state.state import PARAMETERS, SwarmState, under
from core.swarm.state.state_donor import MOST_INDICES
from core.swarm.wire.bits import pack_indices
from core.swarm.wire.records import ProgressRecord

_DRAWN = 1 << 20
"""Values for which a sketch draws its signs at a time."""
_SECONDS = 60.0


def with_sketch_of(
    wanted: Mapping[str, torch.Tensor], drawn: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return tensors near ``drawn`` whose sketch is that of ``wanted``, though they are other ones.

    Both have tensors of the same names and shapes. A sketch with a public seed is linear, and each value counts in
    one sum: the difference of two sums is spread over all values of the sum.
    """
    size = len(sketch(wanted))
    lacking = np.array(sketch(wanted)) - np.array(sketch(drawn))
    counts = np.zeros(size)
    for _, bits in _drawn_bits(drawn):
        counts += np.bincount((bits >> 1) % size, minlength=size)
    found: dict[str, list[torch.Tensor]] = {name: [] for name in drawn}
    pieces = {name: iter(torch.split(item.reshape(-1), _DRAWN)) for name, item in drawn.items()}
    for name, bits in _drawn_bits(drawn):
        signs = np.where(bits & 1, 1.0, -1.0)
        moved = signs * (lacking / np.maximum(counts, 1))[(bits >> 1) % size]
        found[name].append(next(pieces[name]) + torch.from_numpy(moved).float())
    return {name: torch.cat(items).reshape(drawn[name].shape) for name, items in found.items()}


def _drawn_bits(tensors: Mapping[str, torch.Tensor]) -> Iterator[tuple[str, Any]]:
    """Yield the bits by which `core.digest.sketch` draws sums and signs, piece by piece, with the tensors' names."""
    draws = np.random.Philox(key=0)
    for name in sorted(tensors):
        for piece in torch.split(tensors[name].reshape(-1), _DRAWN):
            values = piece.numel()
            yield name, draws.random_raw(-(-values // 4)).astype("<u8").view("<u2")[:values]


def forged_state(honest: SwarmState) -> SwarmState:
    """Return a state of random parameters, at the place of the ``honest`` one, with the sketch of its parameters."""
    draws = torch.Generator().manual_seed(0)
    parameters = under(PARAMETERS, honest.tensors)
    drawn = {
        name: item.std(correction=0) * torch.randn(item.shape, generator=draws)
        for name, item in parameters.items()
    }
    forged = with_sketch_of(parameters, drawn)
    tensors = {**honest.tensors, **{PARAMETERS + name: item for name, item in forged.items()}}
    return SwarmState(honest.epoch, honest.head, tensors)


def with_forged_moments(honest: SwarmState) -> SwarmState:
    """Return the ``honest`` state with its parameters, and the optimizer's values in another order."""
    tensors = {
        name: item if name.startswith(PARAMETERS) else item.flatten().flip(0).reshape(item.shape)
        for name, item in honest.tensors.items()
    }
    return SwarmState(honest.epoch, honest.head, tensors)


class ForgedDonor(Attacker):
    """Gives those who join a random model with the sketch of the swarm's, and names it in its records (row 9).

    With ``moments`` it gives the true parameters with a false state of the optimizer. Projections by the seed of who
    joins are those of the forged state. Several users should vouch for a state that is taken, and be asked for
    projections once it is held, of the parameters and of the optimizer's state.
    """

    def __init__(self, seat: PeerSeat, *, moments: bool = False) -> None:
        """Forge the parameters, or the optimizer's ``moments``."""
        super().__init__(seat)
        self._forge = with_forged_moments if moments else forged_state

    def meet(self, peer: Any) -> None:
        """Replace what the ``peer`` gives, and what it says that it has."""
        self._replica, self._forging = peer.replica, threading.Lock()
        self._made: SwarmState | None = None
        self._claims: tuple[SwarmState | None, dict[str, Any]] = (None, {})
        peer.averager.serve_state(self._forged)
        replace(peer.optimizer.progress, "record", self._claiming)

    def _forged(self) -> SwarmState:
        with self._forging:  # records and donations are made on threads of their own
            place = self._replica.place
            if self._made is None or (self._made.epoch, self._made.head) != (place.epoch, place.head):
                self._made = self._forge(self._replica.copied_state())
            return self._made

    def _claimed(self) -> tuple[int, dict[str, Any]]:
        """Return the epoch of the forged state, and what a record says of it; computed once an epoch."""
        forged = self._forged()
        if forged is not self._claims[0]:
            parameters = bytes.fromhex(digest(under(PARAMETERS, forged.tensors)))
            claims = {"parameters": parameters, "state": place_of(forged).state, "donates": True}
            self._claims = forged, claims
        return forged.epoch, self._claims[1]

    def _claiming(self, record: Callable[[], ProgressRecord]) -> Callable[[], ProgressRecord]:
        def claiming() -> ProgressRecord:
            epoch, claimed = self._claimed()
            own = record()
            return own.model_copy(update=claimed) if own.epoch == epoch else own

        return claiming


class UnreadDownloads(Attacker):
    """Holds downloads open at each donor, by several peers of one user, and reads nothing of them (row 10).

    All downloads of a user should take one place, and a reader that does not read be ended soon.
    """

    trains = False

    def __init__(self, seat: PeerSeat, *, readers: int) -> None:
        """Hold downloads open by that number of ``readers``."""
        super().__init__(seat)
        self._readers = readers

    def run(self) -> None:
        """Ask each donor again and again, by every reader."""
        forgers = [RecordForger(self.seat, number) for number in range(self._readers)]
        again_and_again(lambda: self._hold(forgers), 1.0)

    @staticmethod
    def _hold(forgers: Sequence[RecordForger]) -> None:
        for forger in forgers:
            donors = [record.peer_id for record in forger.progress() if record.can_be_asked]
            work = partial(_ask_without_reading, donors=donors, prefix=forger.prefix)
            forger.dht.run_coroutine(work, return_future=True).result(_SECONDS)


_held: dict[bytes, Any] = {}
"""Streams that are open, by the donors' ids: one that nobody refers to would be closed."""


async def _ask_without_reading(dht: Any, node: Any, *, donors: list[bytes], prefix: str) -> None:
    for donor in donors:
        if PeerID(donor) == node.peer_id:
            continue
        stub = GradientAverager.get_stub(node.p2p, PeerID(donor), namespace=prefix)
        try:
            async with asyncio.timeout(_SECONDS / 4):
                outline = await stub.rpc_describe_state(averaging_pb2.AveragingData())
                root = await _root_in(outline)
                asked = runtime_pb2.Tensor(buffer=pack_indices(range(MOST_INDICES)))
                question = averaging_pb2.AveragingData(group_id=root, tensor_part=asked)
                _held[donor] = await stub.rpc_fetch_pieces(question)
                await anext(_held[donor])  # the question is sent once an answer is read
        except Exception as error:  # noqa: BLE001 - the next donor is asked
            print(f"A donor gave no stream: {error!r}", flush=True)


async def _root_in(outline: Any) -> bytes:
    async for message in outline:
        found = msgpack.unpackb(message.tensor_part.buffer)
        return StateOutline(found["epoch"], found["head"], found["digests"]).root
    raise ValueError("the donor gave no outline")
