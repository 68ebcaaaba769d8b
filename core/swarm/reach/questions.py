"""The question how a peer is reached, its answer, and how both travel on a libp2p stream."""

import asyncio
import ipaddress
from typing import Annotated, Any, TypeVar

import msgpack
from hivemind.p2p import P2P, P2PDaemonError, PeerID
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.messages.reach import PortNumber
from core.swarm.reach.reachability import ReachAnswer

PROTOCOL = "/idlebrush/reach/1"
"""Name of the stream's handler, which the versions of the messages share."""
MOST_PORTS = 2
"""Ports that one question may name."""
MOST_SECONDS_TO_WAIT = 30.0
"""The longest time, in seconds, after which an entrance may have a peer ask again."""
CALL_FAULTS = (P2PDaemonError, OSError, TimeoutError, ValueError, asyncio.IncompleteReadError)
"""Errors with which a call of the check ends if the other side is gone, or says what makes no sense."""
_LARGEST = 1024
"""Bytes of a message, at most."""
_HEADER = 2


class _Packed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ReachQuestion(_Packed):
    """Asks at which of these ports the other side can connect to this one; without any, only for the address."""

    ports: Annotated[list[PortNumber], Field(max_length=MOST_PORTS)]


class ReachReply(_Packed):
    """The reply of an entrance."""

    address: Annotated[str, Field(max_length=45)] = ""
    """The IP address from which the question came; empty if it came through a relay."""
    port: PortNumber | None = None
    """The UDP port from which it came, if it came by QUIC."""
    reached: Annotated[list[PortNumber], Field(max_length=MOST_PORTS)] = []
    """Ports, of those asked about, at which the entrance could connect to the peer."""
    again: Annotated[float, Field(ge=0, le=MOST_SECONDS_TO_WAIT)] | None = None
    """Seconds after which to ask again, if the entrance could not check now."""


K = TypeVar("K", bound=_Packed)


class AskAgain(Exception):
    """An entrance checks too much at present."""

    def __init__(self, seconds: float) -> None:
        """Name the ``seconds`` after which the entrance can be asked again."""
        super().__init__(f"It can be asked again in {seconds:.0f} s.")
        self.seconds = seconds


async def ask(p2p: P2P, entrance: PeerID, ports: tuple[int, ...], seconds: float) -> ReachAnswer:
    """Ask a peer whether it can connect to this one.

    Args:
        p2p: the libp2p daemon of this peer, which knows an address of the entrance.
        entrance: id of the peer to ask.
        ports: ports of this peer, ``MOST_PORTS`` at most; none asks only for the address.
        seconds: time for the answer.

    Raises:
        AskAgain: the entrance is busy.
        ValueError: the answer is malformed, or does not fit the question.
        P2PDaemonError: the peer can't be reached, or doesn't offer the check; so are the other errors in CALL_FAULTS.
    """
    async with asyncio.timeout(seconds):
        _, reader, writer = await p2p.call_binary_stream_handler(entrance, PROTOCOL)
        try:
            await send(writer, ReachQuestion(ports=list(ports)))
            reply = await receive(reader, ReachReply)
        finally:
            writer.close()
    if reply.again is not None:
        raise AskAgain(reply.again)
    return _answer(entrance, ports, reply)


def _answer(entrance: PeerID, ports: tuple[int, ...], reply: ReachReply) -> ReachAnswer:
    """Return the answer in a ``reply``; raises ValueError unless it fits the question."""
    address = str(ipaddress.ip_address(reply.address))
    if not set(reply.reached) <= set(ports):
        raise ValueError("An entrance claims to have reached ports that it was not asked about.")
    return ReachAnswer(entrance.to_base58(), address, tuple(reply.reached), reply.port)


async def send(writer: asyncio.StreamWriter, message: _Packed) -> None:
    """Write one ``message`` to the stream of ``writer``."""
    packed: Any = msgpack.packb(message.model_dump())
    writer.write(len(packed).to_bytes(_HEADER, "big") + packed)
    await writer.drain()


async def receive(reader: asyncio.StreamReader, kind: type[K]) -> K:
    """Read one message of that ``kind`` from the stream of ``reader``; raises ValueError if it is none.

    Its size is bounded before it is read.
    """
    size = int.from_bytes(await reader.readexactly(_HEADER), "big")
    if size > _LARGEST:
        raise ValueError(f"A message of {size} bytes is too large.")
    try:
        return kind.model_validate(msgpack.unpackb(await reader.readexactly(size)))
    except (ValidationError, TypeError, msgpack.UnpackException) as error:
        raise ValueError(f"No message of this kind: {error}") from error
