"""Ends each stream of hivemind's calls by a message of its own, so that no answer is lost when it is closed.

hivemind's answering side ends a stream by closing it, and p2pd then resets it as soon as it can. TCP delivers what
was sent before; QUIC drops what has not arrived, and the caller takes the rest for the whole answer.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from hivemind.p2p import P2P
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto.p2pd_pb2 import RPCError

_log = logging.getLogger(__name__)

_OPEN_SECONDS = 60.0
"""Seconds for which an answered stream stays open for a caller that does not close it."""
_Handler = Callable[..., AsyncIterator[Any]]


def _ended(handler: _Handler) -> _Handler:
    """Return a handler that tells its end, or its failure, and waits until the caller has closed the stream."""

    async def answer(requests: Any, context: Any) -> AsyncIterator[Any]:
        end = P2P.END_OF_STREAM
        try:
            async for message in handler(requests, context):
                yield message
        except Exception as error:  # noqa: BLE001 - the caller is told of it, as by hivemind
            _log.warning("A call of %s failed.", context.handle_name, exc_info=True)
            end = RPCError(message=str(error) or type(error).__name__)  # without a text it would be the end
        yield end
        await asyncio.sleep(_OPEN_SECONDS)  # hivemind cancels this once the stream is closed

    return answer


async def _until_end(messages: Any, end: str) -> AsyncIterator[Any]:
    """Yield ``messages`` up to that which ends them, of which hivemind makes an error with the text ``end``."""
    async with aclosing(messages):
        try:
            async for message in messages:
                yield message
        except P2PHandlerError as error:
            if str(error) != end:
                raise


_add_handler, _iterate = P2P._add_protobuf_stream_handler, P2P._iterate_protobuf_stream_handler


async def _add_ended(self: P2P, name: str, handler: _Handler, *given: Any, **options: Any) -> None:
    await _add_handler(self, name, _ended(handler), *given, **options)


async def _iterate_to_end(self: P2P, peer_id: Any, name: str, *given: Any) -> AsyncIterator[Any]:
    messages = await _iterate(self, peer_id, name, *given)
    return _until_end(messages, f"Failed to call handler `{name}` at {peer_id}: ")


def end_streams() -> None:
    """Make hivemind end its streams so, on both sides; all peers of a run do."""
    P2P._add_protobuf_stream_handler = _add_ended
    P2P._iterate_protobuf_stream_handler = _iterate_to_end
