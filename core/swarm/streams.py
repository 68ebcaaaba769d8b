"""Reading another peer's messages, with one error for all the ways in which that ends badly."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from hivemind.p2p import P2PDaemonError, P2PHandlerError
from hivemind.utils.asyncio import aiter_with_timeout

from core.swarm.frames import OversizedFrame

Message = TypeVar("Message")

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
    """A peer cannot be reached, fell silent, broke off, or sent what is no message."""


async def messages(
    call: Awaitable[AsyncIterator[Message]], *, silence_seconds: float
) -> AsyncIterator[Message]:
    """The messages that a call answers; raises PeerLost where they end badly or none comes for so long."""
    try:
        stream = await asyncio.wait_for(call, silence_seconds)
        async for message in aiter_with_timeout(stream, silence_seconds):
            yield message
    except _ENDINGS as error:
        raise PeerLost(f"{error or type(error).__name__}") from error
