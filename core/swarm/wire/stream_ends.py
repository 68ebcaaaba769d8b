"""Ends each stream of hivemind's calls by a message of its own, so that no answer is lost when it is closed.

hivemind's answering side ends a stream by closing it, and p2pd then resets it as soon as it can. TCP delivers what
was sent before; QUIC drops what has not arrived, and the caller takes the rest for the whole answer.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, closing
from typing import Any

from hivemind.p2p import P2P, P2PContext
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto.p2pd_pb2 import RPCError

_log = logging.getLogger(__name__)

_OPEN_SECONDS = 60.0
"""Seconds for which an answered stream stays open for a caller that does not close it."""
_LATE_BYTES = 1 << 25
"""Bytes that may come after the answer; a caller sends no more than was on its way when the answer came."""
_PIECE = 1 << 16
_Handler = Callable[..., AsyncGenerator[Any, None]]


async def _receive(kind: Any, reader: asyncio.StreamReader, given: "asyncio.Queue[Any]") -> None:
    """Put the caller's messages into ``given``, and None after the last; return once the caller has closed."""
    try:
        while True:
            message, _ = await P2P.receive_protobuf(kind, reader)  # None for the message that ends them
            await given.put(message)
            if message is None:
                break
        await reader.read(1)
    except (asyncio.IncompleteReadError, OSError):
        pass  # the caller has closed the stream
    except Exception:  # noqa: BLE001 - whatever it is made of, it ends this call alone
        _log.warning("A call can't be read.", exc_info=True)


async def _requests(given: "asyncio.Queue[Any]") -> AsyncIterator[Any]:
    while (message := await given.get()) is not None:
        yield message


async def _answers(handler: _Handler, requests: Any, context: P2PContext) -> AsyncGenerator[Any, None]:
    """Yield what the handler answers, and then its end or its failure."""
    end = P2P.END_OF_STREAM
    try:
        async with aclosing(handler(requests, context)) as messages:
            async for message in messages:
                yield message
    except Exception as error:  # noqa: BLE001 - the caller is told of it, as by hivemind
        _log.warning("A call of %s failed.", context.handle_name, exc_info=True)
        end = RPCError(message=str(error) or type(error).__name__)  # without a text it would be the end
    yield end


async def _send(answers: AsyncGenerator[Any, None], name: str, writer: asyncio.StreamWriter) -> None:
    async with aclosing(answers):
        async for message in answers:
            try:
                await P2P.send_protobuf(message, writer)
            except (OSError, RuntimeError) as error:  # the caller has closed the stream
                _log.debug("An answer of %s can't be sent: %s", name, error)
                return


async def _until_closed(reader: asyncio.StreamReader) -> None:
    """Throw away what still comes, until the caller has closed the stream, within bounds."""
    left = _LATE_BYTES
    try:
        async with asyncio.timeout(_OPEN_SECONDS):
            while left > 0 and (piece := await reader.read(_PIECE)):
                left -= len(piece)
    except OSError:
        pass  # the time is over, or the stream broken


def _ended(handler: _Handler, kind: Any, own: Any, name: str, most: int) -> Callable[..., Any]:
    """Return a handler of a raw stream that tells its end, or its failure, and waits until the caller has closed it.

    It takes the place of hivemind's own, which stops for ever once more than ``most`` messages wait for a handler
    that has ended. ``kind`` is the class of the messages, and ``own`` this peer's id.
    """

    async def answer(info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        given: asyncio.Queue[Any] = asyncio.Queue(most)
        context = P2PContext(handle_name=name, local_id=own, remote_id=info.peer_id)
        answers = _answers(handler, _requests(given), context)
        reading = asyncio.create_task(_receive(kind, reader, given))
        sending = asyncio.create_task(_send(answers, name, writer))
        with closing(writer):
            try:
                await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                    await asyncio.wait({reading})  # only one may read
                    await _until_closed(reader)
            finally:
                reading.cancel()
                sending.cancel()

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


_iterate = P2P._iterate_protobuf_stream_handler


async def _add_ended(
    self: P2P, name: str, handler: _Handler, kind: Any, max_prefetch: int = 5, balanced: bool = False
) -> None:
    answer = _ended(handler, kind, self.peer_id, name, max_prefetch)
    await self.add_binary_stream_handler(name, answer, balanced=balanced)


async def _iterate_to_end(self: P2P, peer_id: Any, name: str, *given: Any) -> AsyncIterator[Any]:
    messages = await _iterate(self, peer_id, name, *given)
    return _until_end(messages, f"Failed to call handler `{name}` at {peer_id}: ")


def end_streams() -> None:
    """Make hivemind end its streams so, on both sides; all peers of a run do."""
    P2P._add_protobuf_stream_handler = _add_ended
    P2P._iterate_protobuf_stream_handler = _iterate_to_end
