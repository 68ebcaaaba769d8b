"""Asks several peers for projections of the states that they hold at a place, all at once and within a time limit."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any

import msgpack
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.projections.sums import BUSY, StateSums, SumsQuestion
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.streams import PeerLost, messages
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

SUMS_SECONDS = 12.0
"""Seconds for which projections are waited for: that of the paper's model takes a second, with a rest after it."""
_MORE_SECONDS = 2.0
"""Seconds for which the others are waited for once half have answered: a single silent one would cost all of them."""
_AGAIN_SECONDS = 0.5
"""Seconds until a busy peer is asked again."""
CHUNK_BYTES = 1 << 16
_MOST_BYTES = 4 << 20
"""Largest answer that is read: sums of 65,000 tensors."""


async def ask_sums(
    stub_of: Callable[[PeerID], Any],
    peers: Iterable[PeerID],
    question: SumsQuestion,
    *,
    seconds: float,
    more_seconds: float = _MORE_SECONDS,
) -> dict[PeerID, StateSums]:
    """Return the answers of those of ``peers`` that gave one in time; a busy peer is asked again.

    Args:
        stub_of: gives the RPC stub of a peer.
        peers: peers to ask.
        question: names the place and the seed.
        seconds: seconds after which no answer is waited for.
        more_seconds: seconds after which none is waited for once half of the peers have answered.
    """
    tasks = {peer: asyncio.create_task(_answer(stub_of(peer), peer, question, seconds)) for peer in peers}
    await _most_of(tasks.values(), seconds, more_seconds)
    late = {peer: task for peer, task in tasks.items() if not task.done()}
    for peer in late:
        _log.info("%s gave no projection of its state: it is too slow.", peer)
    await end_tasks(late.values())
    found = {peer: task.result() for peer, task in tasks.items() if peer not in late}
    return {peer: answer for peer, answer in found.items() if answer is not None}


async def _most_of(
    tasks: Collection[asyncio.Task[StateSums | None]], seconds: float, more_seconds: float
) -> None:
    """Wait for ``tasks``: for ``seconds`` at most, and for ``more_seconds`` once half have answered."""
    now, answered = asyncio.get_running_loop().time, 0
    with suppress(TimeoutError):
        async with asyncio.timeout_at(now() + seconds) as limit:
            for task in asyncio.as_completed(tasks):
                answered += await task is not None
                if 2 * answered >= len(tasks):
                    limit.reschedule(min(limit.when() or 0.0, now() + more_seconds))


async def _answer(stub: Any, peer: PeerID, question: SumsQuestion, seconds: float) -> StateSums | None:
    """Return the answer of ``peer``, which is asked again while it is busy; None if it gives none."""
    try:
        while (answer := await _once(stub, question, seconds)) is None:
            await asyncio.sleep(_AGAIN_SECONDS)
        return answer
    except (PeerLost, MalformedPart) as error:
        _log.info("%s gave no projection of its state: %s", peer, error)
        return None


async def _once(stub: Any, question: SumsQuestion, seconds: float) -> StateSums | None:
    """Return the answer; None if the peer is busy. Raises PeerLost or MalformedPart."""
    packed = bytearray()
    call = stub.rpc_project_state(averaging_pb2.AveragingData(group_id=question.pack()))
    async for message in messages(call, silence_seconds=seconds):
        if message.metadata == BUSY:
            return None
        packed += message.tensor_part.buffer
        if len(packed) > _MOST_BYTES:
            raise MalformedPart("A projection of a state is too large.")
    if not packed:
        raise PeerLost("it has no state")
    return unpacked(bytes(packed))


def packed_in_messages(answer: StateSums) -> list[averaging_pb2.DownloadData]:
    """Return the messages that carry ``answer``."""
    packed = msgpack.packb(answer.fields())
    return [
        averaging_pb2.DownloadData(tensor_part=runtime_pb2.Tensor(buffer=packed[start : start + CHUNK_BYTES]))
        for start in range(0, len(packed), CHUNK_BYTES)
    ]


def unpacked(packed: bytes) -> StateSums:
    """Return the answer in the bytes of its messages; raises MalformedPart if there is none in ``packed``."""
    try:
        found = msgpack.unpackb(packed)
    except (ValueError, msgpack.UnpackException) as error:
        raise MalformedPart("An answer is no projection of a state.") from error
    return StateSums.of_fields(found)
