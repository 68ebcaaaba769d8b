"""Every call between DHT nodes shows two access tokens: the asking peer's, and the answering peer's.

A token has 0.4 kB, almost as much as a call without it. So who asks names the token that the other has shown it last,
and the other shows it again only once it has a new one.
"""

import hashlib
from typing import Any

from hivemind.dht import protocol
from hivemind.p2p import P2PContext, P2PHandlerError
from hivemind.utils.auth import AuthRole

from core.swarm.admission.admission import Admission
from core.swarm.admission.call_rates import CallRate, CallRates, TooManyCalls
from core.swarm.admission.refusal import PeerRefused
from core.swarm.wire.stream_bounds import HeldRefusals

_NAME_BYTES = 8
_RATE = CallRate(per_second=128.0, at_once=2048)
"""Calls of one peer: a summariser of the largest swarm reads a thousand shards at once."""
_MOST_HELD = 16
"""Refusals that are held back at a time: a request may have megabytes."""
_refusals = HeldRefusals(most=_MOST_HELD)


class AdmittedCalls:
    """Replaces hivemind's AuthRPCWrapper, with the same role, messages and arguments.

    hivemind's wrapper sees only what a message says. It has every message signed, and still a message that
    was signed for another peer passes. This class also sees which peer libp2p has connected, and both peers
    have proved their keys: a token is valid for that peer alone. One that was shown before is examined at each call.
    """

    def __init__(
        self, stub: Any, role: AuthRole, authorizer: Admission | None, service_public_key: None = None
    ) -> None:
        """Wrap one side of the calls; hivemind makes this object, with the arguments of its own class.

        Args:
            stub: for a servicer, hivemind's DHT protocol, whose ``rpc_`` methods answer; for a client, the stub of
                the peer that is called.
            role: the side of the calls: a servicer answers them, a client makes them.
            authorizer: this peer's admission; None in an open run, where calls pass without tokens.
            service_public_key: not used; hivemind passes None.
        """
        self._stub, self._role, self._admission = stub, role, authorizer
        self._rates = CallRates("a DHT's node", _RATE)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._stub, name)
        admission = self._admission
        if not name.startswith("rpc_"):
            return method
        if admission is None:
            return self._rated(method) if self._role is AuthRole.SERVICER else method

        async def answer(request: Any, context: P2PContext) -> Any:
            await self._require_rate(context)
            admission.examine(_text(request.auth.client_access_token), context.remote_id)
            response = await method(request, context)
            if request.auth.client_access_token.public_key != name_of_token(admission.shown):
                response.auth.service_access_token.signature = admission.shown.encode()
            return response

        async def ask(request: Any, timeout: float | None = None) -> Any:
            request.auth.client_access_token.signature = admission.presented().encode()
            if known := admission.shown_by(self._stub._peer):
                request.auth.client_access_token.public_key = name_of_token(known)
            try:
                response = await method(request, timeout=timeout)
            except P2PHandlerError as error:
                if (refusal := PeerRefused.behind(error)) is not None:
                    admission.note_refusal(refusal)
                raise
            shown = _text(response.auth.service_access_token) or known
            admission.examine(shown, self._stub._peer)
            admission.note_shown(self._stub._peer, shown)
            admission.note_answer()
            return response

        return answer if self._role is AuthRole.SERVICER else ask

    async def _require_rate(self, context: P2PContext) -> None:
        try:
            self._rates.require(context.remote_id)
        except TooManyCalls:
            await _refusals.hold()
            raise

    def _rated(self, method: Any) -> Any:
        async def answer(request: Any, context: P2PContext) -> Any:
            await self._require_rate(context)
            return await method(request, context)

        return answer


def name_of_token(text: str) -> bytes:
    """Return the short name by which two peers agree that both know the token in ``text``."""
    return hashlib.sha256(text.encode()).digest()[:_NAME_BYTES]


def require_admission() -> None:
    """Make the DHT nodes of this process and its children show and examine tokens, if they get an Admission.

    hivemind has no setting for the class that wraps its calls.
    """
    protocol.AuthRPCWrapper = AdmittedCalls


def _text(token: Any) -> str:
    try:
        return str(token.signature, "ascii")
    except UnicodeDecodeError:
        return ""
