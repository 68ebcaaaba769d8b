"""A caller that runs no program of ours: it mutates valid requests, and sends them over libp2p as they are."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from hivemind.p2p import P2P, P2PDaemonError, P2PHandlerError, PeerID
from hivemind.utils.multiaddr import Multiaddr

from benchmarks.fuzzing.noise import DICTIONARY
from benchmarks.fuzzing.served_calls import ServedCall
from benchmarks.subjects.mutations import mutated
from core.swarm.admission.refusal import PeerRefused
from core.swarm.wire.identity import PeerIdentity

_SECONDS = 5.0
"""Seconds for which an answer is waited for: a call that would wait for a round is given up."""
_AT_ONCE = 16
_UNFRAMED = 0.1
"""Share of the messages to streams that are no framed messages at all."""
_ANSWERS = 64
"""Messages of one answer that are read, at most."""
_LOST = (P2PDaemonError, ConnectionError, OSError, asyncio.IncompleteReadError)


@dataclass(frozen=True)
class RawMessage:
    """Bytes in place of a protocol buffer, for hivemind's functions that send one."""

    data: bytes

    def SerializeToString(self) -> bytes:  # noqa: N802 - the name that protocol buffers have
        """Return the bytes."""
        return self.data


class HostileCaller:
    """One libp2p daemon with a key of its own, which calls one peer."""

    def __init__(self, p2p: P2P, victim: PeerID, seed: int) -> None:
        """Call ``victim`` by ``p2p``, with mutations that ``seed`` draws."""
        self._p2p, self._victim, self._chance = p2p, victim, random.Random(seed)

    @classmethod
    async def enter(
        cls, addresses: Sequence[Multiaddr], identity: PeerIdentity, seed: int
    ) -> "HostileCaller":
        """Start a daemon with that ``identity``, and connect it to the peer at ``addresses``."""
        p2p = await P2P.create(
            initial_peers=addresses,
            identity_path=str(identity.path),
            use_relay=False,
            check_if_identity_free=False,
        )
        return cls(p2p, PeerID.from_base58(str(addresses[0]).rpartition("/p2p/")[2]), seed)

    async def leave(self) -> None:
        """End the daemon."""
        await self._p2p.shutdown()

    async def send(self, calls: Sequence[ServedCall], messages: int) -> Counter[str]:
        """Send as many mutated requests, each to one of ``calls``; return the number of outcomes by kind."""
        outcomes, left = Counter[str](), messages
        while left:
            burst = min(_AT_ONCE, left)
            outcomes.update(
                await asyncio.gather(*(self._outcome(self._chance.choice(calls)) for _ in range(burst)))
            )
            left -= burst
        return outcomes

    async def _outcome(self, call: ServedCall) -> str:
        try:
            async with asyncio.timeout(_SECONDS):
                if call.handler.stream_output and self._chance.random() < _UNFRAMED:
                    return await self._babble(call)
                return "answered" if await self._call(call) else "closed"
        except TimeoutError:
            return "silent"
        except P2PHandlerError as error:
            return _kind_of(error)
        except _LOST:
            return "cut_off"

    async def _call(self, call: ServedCall) -> int:
        """Return the number of messages that a call was answered with; a stream may end without any."""
        if not call.handler.stream_output:
            await self._p2p.call_protobuf_handler(
                self._victim, call.handle, self._request(call), call.handler.response_type
            )
            return 1
        stream = await self._p2p.iterate_protobuf_handler(
            self._victim, call.handle, self._stream(call), call.handler.response_type
        )
        count = 0
        async for _ in stream:
            count += 1
            if count >= _ANSWERS:
                break
        return count

    async def _stream(self, call: ServedCall) -> AsyncIterator[RawMessage]:
        for _ in range(self._chance.randrange(1, 4) if call.handler.stream_input else 1):
            yield self._request(call)

    def _request(self, call: ServedCall) -> Any:
        return RawMessage(mutated(self._chance.choice(call.requests), self._chance, DICTIONARY) + call.shown)

    async def _babble(self, call: ServedCall) -> str:
        """Send bytes that are framed wrongly, or not at all, and hang up after a moment."""
        _, reader, writer = await self._p2p.call_binary_stream_handler(self._victim, call.handle)
        try:
            framed = b"\0" + len(call.requests[0]).to_bytes(8, "big") + call.requests[0]
            writer.write(mutated(framed, self._chance, DICTIONARY))
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1 << 16), self._chance.random())
        finally:
            writer.close()
        return "babbled"


def _kind_of(error: P2PHandlerError) -> str:
    """Return the name of the outcome of a call that the peer's program ended with ``error``."""
    if PeerRefused.behind(error) is not None:
        return "not_admitted"
    return "too_often" if "times a second" in str(error) else "refused"
