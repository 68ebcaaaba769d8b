"""Asks one donor for the outline of its state, or for pieces of it; no more than a piece is held at a time."""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from typing import Any

from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.state.pieces import PieceBuffer, StateOutline
from core.swarm.state.state import DonorFailed
from core.swarm.state.state_donor import DonorRefusal
from core.swarm.wire.bits import pack_indices
from core.swarm.wire.frames import Pulse
from core.swarm.wire.streams import messages


class DonorBusy(Exception):
    """A donor gives to others at present."""


async def ask_outline(stub: Any, wanted: bytes, *, pieces: int, silence_seconds: float) -> StateOutline:
    """Return the outline of the state that a donor offers, which it then keeps for us for some time.

    Args:
        stub: the RPC stub of the donor.
        wanted: root of the state that is wanted; the donor offers another if it does not have that one.
        pieces: number of pieces that the run's states have.
        silence_seconds: seconds for which the donor may be silent.

    Raises:
        DonorBusy: the donor is worth asking again.
        DonorFailed: it offers nothing that could be a state of this run.
        PeerLost: it cannot be reached, or fell silent.
    """
    call = stub.rpc_describe_state(averaging_pb2.AveragingData(group_id=wanted))
    outline: StateOutline | None = None
    async for message in messages(
        call, silence_seconds=silence_seconds
    ):  # to its end, which is a message as well
        _require_given(message)
        if outline is not None:
            raise DonorFailed("A donor sent more than the list of its pieces.")
        outline = StateOutline.unpack(message.tensor_part.buffer, pieces=pieces)
    if outline is None:
        raise DonorFailed("A donor ended its answer before it began.")
    return outline


async def ask_pieces(
    stub: Any,
    indices: Sequence[int],
    buffer: PieceBuffer,
    *,
    pace: float,
    silence_seconds: float,
    piece_seconds: float,
) -> AsyncIterator[tuple[int, bytes]]:
    """Yield the pieces with these ``indices``, each with its index, as a donor gives them.

    Bytes beyond those that were asked for are not taken in. The ``buffer`` names the state and the size of a piece.

    Args:
        stub: the RPC stub of the donor.
        indices: indices of the pieces, in the order in which they are to come.
        buffer: the buffer of the state.
        pace: bytes a second at which the donor is to give; infinite for as fast as it can.
        silence_seconds: seconds for which the donor may be silent.
        piece_seconds: seconds within which each piece must come; those that it takes at that ``pace``, or for which
            our own cap held it back, are not counted.

    Raises:
        DonorBusy: the donor is worth asking again.
        DonorFailed: it does not have the state any more, sends something else, or is too slow.
        PeerLost: it cannot be reached, or fell silent.
    """
    asked = runtime_pb2.Tensor(buffer=pack_indices(indices))
    piece_seconds += buffer.size_of(0) / pace
    call = stub.rpc_fetch_pieces(
        averaging_pb2.AveragingData(
            group_id=buffer.outline.root, tensor_part=asked, weight=0.0 if math.isinf(pace) else pace
        )
    )
    due, data, pulse, clock = iter(indices), bytearray(), Pulse(), asyncio.get_running_loop().time
    index, deadline = next(due, None), clock() + piece_seconds
    async for message in messages(call, silence_seconds=silence_seconds, pulse=pulse):
        _require_given(message)
        chunk = message.tensor_part.buffer
        if index is None or not chunk or len(data) + len(chunk) > buffer.size_of(index):
            raise DonorFailed("A donor sent other bytes than it was asked for.")
        data += chunk
        if len(data) == buffer.size_of(index):
            yield index, bytes(data)
            index, data = next(due, None), bytearray()
            deadline = clock() + piece_seconds - pulse.held_seconds
        elif clock() - pulse.held_seconds > deadline:
            raise DonorFailed(f"A donor did not give a piece within {piece_seconds:.0f} s.")
    if index is not None:
        raise DonorFailed("A donor ended its answer before all pieces had come.")


def _require_given(message: averaging_pb2.DownloadData) -> None:
    """Raise DonorBusy or DonorFailed if ``message`` is a refusal."""
    if not message.metadata:
        return
    if message.metadata == DonorRefusal.BUSY.encode():
        raise DonorBusy
    raise DonorFailed("A donor does not have that state any more.")
