"""The admitted peers that an averager knows: it seldom looks strangers up in the DHT, and remembers the result."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from inspect import isasyncgenfunction
from typing import Any

from hivemind.p2p import P2PContext, PeerID
from hivemind.proto.p2pd_pb2 import RPCError

from core.admission.access_token import AccessToken
from core.swarm.admission.admission import Admission
from core.swarm.admission.call_rates import CallRate, CallRates, TooManyCalls
from core.swarm.admission.refusal import PeerRefused
from core.swarm.wire.stream_bounds import HeldRefusals
from core.tasks import within

_log = logging.getLogger(__name__)


LOOK_SECONDS = 2.0
"""Least seconds between the beginnings of two look-ups, however many strangers call; each reads all tokens."""
REFUSED_SECONDS = 5.0
"""Seconds for which a peer that was not found is refused without looking again."""
_ANSWER_SECONDS = 15.0
_MOST_PEERS = 4096
_MOST_WAITING = 64


class AdmittedPeers:
    """The admitted peers that one averager knows; all methods run in the event loop of the averager's process."""

    def __init__(
        self,
        admission: Admission,
        look_up: Callable[[], Awaitable[Iterable[str]]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Judge tokens by ``admission``.

        ``look_up`` gives the tokens that peers show in the DHT at present; ``clock`` gives monotonic seconds.
        """
        self._admission, self._look_up, self._clock = admission, look_up, clock
        self._tokens: OrderedDict[PeerID, AccessToken] = OrderedDict()
        self._refused: OrderedDict[PeerID, float] = OrderedDict()
        self._looking: asyncio.Task[None] | None = None
        self._looked_at, self._waiting = float("-inf"), 0

    async def require(self, peer: PeerID) -> None:
        """Return if the swarm knows a valid token of ``peer``, which has proved its key.

        Raises PeerRefused otherwise. A peer that was not found is refused for a few seconds without another
        look-up.
        """
        if self._is_admitted(peer):
            return
        if self._refused.get(peer, 0.0) <= self._clock():
            await self._await_look()
            if self._is_admitted(peer):
                return
            self._refused[peer] = self._clock() + REFUSED_SECONDS
            _trim(self._refused)
        raise PeerRefused("No good access token of this peer is known to the swarm.")

    async def strangers(self, peers: Sequence[PeerID]) -> list[PeerID]:
        """Return those of ``peers`` that are not admitted now, after a look-up where any is unknown."""
        unknown = [peer for peer in peers if not self._passes(peer)]
        if unknown:
            await asyncio.shield(self._look())
        return [peer for peer in unknown if not self._passes(peer)]

    def user_of(self, peer: PeerID) -> str:
        """Return the name of the user of ``peer``, by the last token that is known of it; empty if none is."""
        token = self._tokens.get(peer)
        return token.name if token is not None else ""

    def peers_of(self, user: str) -> tuple[PeerID, ...]:
        """Return the peers of the ``user`` of that name that have valid tokens, the last ones seen first."""
        now = self._admission.clock()
        found = [peer for peer, token in self._tokens.items() if token.name == user and token.expires > now]
        return tuple(reversed(found))

    def refresh(self) -> None:
        """Begin a look-up without waiting for it, because new peers are about to call."""
        self._look()

    def _is_admitted(self, peer: PeerID) -> bool:
        """Return true if a valid token of ``peer`` is known; raises PeerRefused if its holder is excluded."""
        token = self._tokens.get(peer)
        if token is None or token.expires <= self._admission.clock():
            return False
        self._admission.require_good(token)
        return True

    def _passes(self, peer: PeerID) -> bool:
        try:
            return self._is_admitted(peer)
        except PeerRefused:
            return False

    async def _await_look(self) -> None:
        if self._waiting >= _MOST_WAITING:
            raise PeerRefused("Too many strangers call at a time.")
        self._waiting += 1
        try:
            await asyncio.shield(self._look())
        finally:
            self._waiting -= 1

    def _look(self) -> "asyncio.Task[None]":
        """Return the look-up that is under way, or begin one; all callers share it."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._read())
        return self._looking

    async def _read(self) -> None:
        await asyncio.sleep(self._looked_at + LOOK_SECONDS - self._clock())
        self._looked_at = self._clock()
        with suppress(TimeoutError):
            for text in await within(_ANSWER_SECONDS, self._look_up()):
                self._note(text)

    def _note(self, text: str) -> None:
        try:
            token = self._admission.read(text, self._admission.clock())
        except PeerRefused:
            return
        peer = PeerID.from_base58(token.peer)
        known = self._tokens.get(peer)
        if known is None or known.expires < token.expires:
            self._tokens[peer] = token
            _trim(self._tokens)


def _trim(table: OrderedDict[PeerID, Any]) -> None:
    while len(table) > _MOST_PEERS:
        table.popitem(last=False)


class GuardedCalls:
    """An averager's methods as other peers reach them: each first checks the caller, and how often it calls."""

    def __init__(
        self,
        averager: Any,
        admitted: AdmittedPeers | None,
        rates: Mapping[str, CallRate],
        refusals: HeldRefusals | None = None,
    ) -> None:
        """Guard the methods of ``averager``.

        Args:
            averager: what answers the calls that are allowed.
            admitted: peers that are answered; None, in an open run: all.
            rates: bounds of the methods that they name.
            refusals: holds back those of peers that call too often; None for the usual ones.
        """
        self._averager, self._admitted, self._refusals = averager, admitted, refusals or HeldRefusals()
        self._rates = {name: CallRates(name, rate) for name, rate in rates.items()}

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._averager, name)
        return self._streaming(method) if isasyncgenfunction(method) else self._unary(method)

    async def _require(self, name: str, caller: PeerID) -> None:
        if (rates := self._rates.get(name)) is not None:
            try:
                rates.require(caller)
            except TooManyCalls:
                await self._refusals.hold()
                raise
        if self._admitted is not None:
            await self._admitted.require(caller)

    def _unary(self, method: Any) -> Any:
        async def guarded(request: Any, context: P2PContext) -> Any:
            await self._require(method.__name__, context.remote_id)
            return await method(request, context)

        return guarded

    def _streaming(self, method: Any) -> Any:
        async def guarded(request: Any, context: P2PContext) -> AsyncIterator[Any]:
            try:
                await self._require(method.__name__, context.remote_id)
            except (PeerRefused, TooManyCalls) as refusal:
                _log.debug("Refused a call of peer %s: %s", context.remote_id, refusal)
                yield RPCError(
                    message=repr(refusal)
                )  # hivemind would log each that is raised, as long as one calls
                return
            async with aclosing(method(request, context)) as answers:
                async for answer in answers:
                    yield answer

        return guarded
