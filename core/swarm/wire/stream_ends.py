"""Ends each stream of hivemind's calls by a message of its own, so that no answer is lost when it is closed.

hivemind's answering side ends a stream by closing it, and p2pd then resets it as soon as it can. TCP delivers what
was sent before; QUIC drops what has not arrived, and the caller takes the rest for the whole answer.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partialmethod
from typing import Any
from weakref import WeakKeyDictionary

from hivemind.p2p import P2P, P2PContext, PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto.p2pd_pb2 import RPCError

from core.failure_series import in_words
from core.swarm.wire.frames import MAX_FRAME_BYTES, MOST_BYTES
from core.swarm.wire.stream_bounds import (
    MOST_HELD_STREAMS,
    CallRefused,
    HeldRefusals,
    OpenStreams,
    PatientWriter,
    Requests,
    StreamLimits,
    single,
)

_log = logging.getLogger(__name__)

_OPEN_SECONDS = 60.0
"""Seconds for which an answered stream stays open for a caller that does not close it."""
_LATE_BYTES = 1 << 25
"""Bytes that may come after the answer; a caller sends no more than was on its way when the answer came."""
_PIECE = 1 << 16
_Handler = Callable[..., AsyncGenerator[Any, None]]
_LOG_SECONDS = 600.0
"""Seconds between two lines of the log about calls that can't be read: any stranger can make any number of them."""


class UnreadCalls:
    """Counts the calls that can't be read, and logs the first at once, and how many there were now and then."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without such a call; ``clock`` gives monotonic seconds."""
        self._clock, self._logged, self._waiting = clock, -math.inf, 0

    def note(self, error: Exception) -> None:
        """Count a call that ``error`` ended."""
        self._waiting += 1
        if self._clock() - self._logged < _LOG_SECONDS:
            return
        self._logged = self._clock()
        _log.warning("%d calls can't be read; the last one: %s", self._waiting, in_words(error))
        self._waiting = 0


_unread = UnreadCalls()
_refusals = HeldRefusals(most=MOST_HELD_STREAMS)


async def _receive(kind: Any, reader: asyncio.StreamReader, requests: Requests, most_bytes: int) -> None:
    """Put the caller's messages into ``requests``, and None after the last; return once the caller has closed."""
    MOST_BYTES.set(most_bytes)  # in this task's own context
    try:
        while True:
            await requests.room()
            message, _ = await P2P.receive_protobuf(kind, reader)  # None for the message that ends them
            requests.put(message)
            if message is None:
                break
        await reader.read(1)
    except (asyncio.IncompleteReadError, OSError):
        pass  # the caller has closed the stream
    except Exception as error:  # noqa: BLE001 - whatever it is made of, it ends this call alone
        _unread.note(error)


async def _answers(answers: Any, name: str) -> AsyncGenerator[Any, None]:
    """Yield what the handler ``answers``, and then its end or its failure."""
    end = P2P.END_OF_STREAM
    try:
        async with aclosing(answers) as messages:
            async for message in messages:
                yield message
    except CallRefused as refusal:
        _log.info("A call of %s was refused: %s", name, refusal)
        end = RPCError(message=str(refusal))
    except Exception as error:  # noqa: BLE001 - the caller gets it, as with hivemind
        _log.warning("A call of %s failed.", name, exc_info=True)
        end = RPCError(message=str(error) or type(error).__name__)  # without a text it would be the end
    yield end


async def _send(answers: AsyncGenerator[Any, None], context: P2PContext, writer: PatientWriter) -> bool:
    """Return true if all ``answers`` were sent."""
    name, caller = context.handle_name, context.remote_id
    async with aclosing(answers):
        async for message in answers:
            try:
                await P2P.send_protobuf(message, writer)
            except TimeoutError:
                _log.warning("%s takes nothing of an answer of %s: it gets no more.", caller, name)
                return False
            except (OSError, RuntimeError) as error:  # the caller has closed the stream
                _log.debug("An answer of %s can't be sent: %s", name, error)
                return False
    return True


async def _until_closed(reader: asyncio.StreamReader) -> None:
    """Throw away what still comes, until the caller has closed the stream, within bounds."""
    left = _LATE_BYTES
    try:
        async with asyncio.timeout(_OPEN_SECONDS):
            while left > 0 and (piece := await reader.read(_PIECE)):
                left -= len(piece)
    except OSError:
        pass  # the time is over, or the stream broken


async def _close(writer: asyncio.StreamWriter, seconds: float) -> None:
    """Close a stream; the caller has these ``seconds`` to take what is left."""
    writer.close()
    try:
        async with asyncio.timeout(seconds):
            await writer.wait_closed()
    except OSError:
        pass  # the time is over, or the stream broken


@dataclass(frozen=True)
class _Method:
    """A method of this peer that others call, with one request or with a stream of them."""

    name: str
    handler: _Handler
    kind: Any
    """The class of the requests."""
    takes_stream: bool
    own: PeerID
    """This peer's id."""
    streams: OpenStreams
    limits: StreamLimits

    async def answer(self, info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a raw stream, tell the end or the failure, and wait until the caller has closed it.

        It takes the place of hivemind's own, which stops for ever once too many messages wait for a handler that has
        ended, and waits for ever for a request that does not end and a caller that does not read.
        """
        try:
            with self.streams.one_of(info.peer_id):
                if await self._is_answered(info.peer_id, reader, writer):
                    await _close(writer, self.limits.taking_seconds)
        except CallRefused as refusal:
            _log.debug("A call of %s by %s was refused: %s", self.name, info.peer_id, refusal)
            await _refusals.hold(self.limits.refused_seconds)
            with suppress(OSError, RuntimeError):  # the caller has closed the stream, or does not read
                patient = PatientWriter(writer, self.limits.taking_seconds)
                await P2P.send_protobuf(RPCError(message=str(refusal)), patient)
            await _close(writer, self.limits.taking_seconds)
        finally:
            writer.transport.abort()  # closing waits for a caller that does not read

    async def _is_answered(
        self, caller: PeerID, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Return true if the whole answer was sent, once the caller has it, or has had its time."""
        context = P2PContext(handle_name=self.name, local_id=self.own, remote_id=caller)
        requests, limits = Requests(), self.limits
        most_bytes = MAX_FRAME_BYTES if self.takes_stream else limits.request_bytes
        answers = _answers(self._handled(aiter(requests), context), self.name)
        reading = asyncio.create_task(_receive(self.kind, reader, requests, most_bytes))
        sending = asyncio.create_task(_send(answers, context, PatientWriter(writer, limits.taking_seconds)))
        try:
            await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                reading.cancel()
                await asyncio.wait({reading})  # only one may read
                if sending.result():
                    await _until_closed(reader)
            return sending.done() and sending.result()
        finally:
            reading.cancel()
            sending.cancel()

    async def _handled(self, requests: AsyncIterator[Any], context: P2PContext) -> AsyncGenerator[Any, None]:
        given = requests if self.takes_stream else await single(requests, self.limits.request_seconds)
        async with aclosing(self.handler(given, context)) as messages:
            async for message in messages:
                yield message


async def _until_end(messages: Any, end: str) -> AsyncIterator[Any]:
    """Yield ``messages`` up to that which ends them, of which hivemind makes an error with the text ``end``."""
    async with aclosing(messages):
        try:
            async for message in messages:
                yield message
        except P2PHandlerError as error:
            if str(error) != end:
                raise


_add, _iterate = P2P.add_protobuf_handler, P2P._iterate_protobuf_stream_handler
_open: WeakKeyDictionary[Any, OpenStreams] = WeakKeyDictionary()
"""The streams that are open at each P2P of this process."""


async def _add_ended(
    self: P2P,
    limits: StreamLimits,
    name: str,
    handler: _Handler,
    input_protobuf_type: Any,
    *,
    stream_input: bool = False,
    stream_output: bool = False,
    balanced: bool = False,
) -> None:
    if not stream_output:  # a single message each way, which p2pd reads and bounds
        await _add(self, name, handler, input_protobuf_type, stream_input=stream_input, balanced=balanced)
        return
    streams = _open.setdefault(self, OpenStreams(limits.streams))
    method = _Method(name, handler, input_protobuf_type, stream_input, self.peer_id, streams, limits)
    await self.add_binary_stream_handler(name, method.answer, balanced=balanced)


async def _iterate_to_end(self: P2P, peer_id: Any, name: str, *given: Any) -> AsyncIterator[Any]:
    messages = await _iterate(self, peer_id, name, *given)
    return _until_end(messages, f"Failed to call handler `{name}` at {peer_id}: ")


def end_streams(limits: StreamLimits | None = None) -> None:
    """Make hivemind end its streams so, on both sides; all peers of a run do.

    ``limits`` are those of the callers of this process; None are the usual ones.
    """
    P2P.add_protobuf_handler = partialmethod(_add_ended, limits or StreamLimits())
    P2P._iterate_protobuf_stream_handler = _iterate_to_end
