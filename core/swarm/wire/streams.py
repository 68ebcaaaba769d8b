"""Reads another peer's messages, with one error for all the ways in which that ends badly."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from hivemind.p2p import P2PDaemonError, P2PHandlerError
from hivemind.proto import averaging_pb2

from core.excerpt import excerpt
from core.swarm.wire.frames import PULSE, OversizedFrame, Pulse
from core.tasks import end_tasks, within

M = TypeVar("M")

_ENDINGS = (
    TimeoutError,
    ConnectionError,
    asyncio.IncompleteReadError,
    P2PDaemonError,
    P2PHandlerError,
    OversizedFrame,
    DecodeError,
    TypeError,  # hivemind's, for a message of a kind that it does not know
)


class PeerLost(Exception):
    """A peer cannot be reached, fell silent, broke off, or sent data that is no message."""


_BEATS_IN_SILENCE = 4
"""Signs of life within the silence after which the other side counts as lost."""
_LONGEST_PAUSE = 0.5
"""Most seconds between two signs of life: the other side's limit may be much shorter than this peer's own."""
_LONGEST_REASON = 200
"""Characters of the reason that is reported of a call that ended badly."""
_PATIENCE = 10
"""Multiple of the silence limit that one message may take in all, so that a trickle of bytes holds no reader."""


async def messages(
    call: Awaitable[AsyncIterator[M]], *, silence_seconds: float, pulse: Pulse | None = None
) -> AsyncIterator[M]:
    """Yield the messages that ``call`` answers; a ``pulse`` tells the caller how long our own cap held them back.

    Raises PeerLost if the call ends badly, or if nothing arrives for ``silence_seconds``.
    """
    try:
        stream, pulse = aiter(await within(silence_seconds, call)), pulse or Pulse()
        while True:
            try:
                message = await _heard(stream, silence_seconds, pulse)
            except StopAsyncIteration:
                return
            yield message
    except _ENDINGS as error:
        # The text may be the other peer's: it is cut, and cannot begin a line of its own in a log.
        raise PeerLost(excerpt(str(error), _LONGEST_REASON) or type(error).__name__) from error


async def _heard(stream: AsyncIterator[M], silence_seconds: float, pulse: Pulse) -> M:
    """Return the next message; raises TimeoutError after a silence, not while it is still arriving."""
    pulse.beat()  # the silence begins when the message is waited for

    async def arrive() -> M:
        PULSE.set(pulse)  # in this task's own context, where the frame is read
        return await anext(stream)

    loop = asyncio.get_running_loop()
    deadline, arriving = loop.time() + _PATIENCE * silence_seconds, asyncio.create_task(arrive())
    try:
        while not arriving.done():
            left = silence_seconds - pulse.silent_seconds
            if left <= 0 or loop.time() >= deadline:
                raise TimeoutError
            await asyncio.wait({arriving}, timeout=left)
        return arriving.result()
    finally:
        await end_tasks([arriving])  # closes what it was reading


def seconds_between_beats(silence_seconds: float) -> float:
    """Return the seconds between two signs of life of a peer that would count as lost after ``silence_seconds``."""
    return min(silence_seconds / _BEATS_IN_SILENCE, _LONGEST_PAUSE)


async def beats_until(
    awaited: Awaitable[object], silence_seconds: float
) -> AsyncIterator[averaging_pb2.AveragingData]:
    """Yield signs of life until ``awaited`` is done: a peer that waits for others is not one that is gone.

    Its outcome is left in it, an exception as well. The other side counts this one as lost after ``silence_seconds``.
    """
    future, pause = asyncio.ensure_future(awaited), seconds_between_beats(silence_seconds)
    while not future.done():
        await asyncio.wait({future}, timeout=pause)
        if not future.done():
            # an empty message has no bytes, which is no message for libp2p
            yield averaging_pb2.AveragingData(code=averaging_pb2.NO_CODE, weight=1.0)


def is_beat(message: averaging_pb2.AveragingData) -> bool:
    """Return true if ``message`` is but a sign of life."""
    return bool(message.code == averaging_pb2.NO_CODE and not message.peer_id)
