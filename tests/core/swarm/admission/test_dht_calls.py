"""Calls between nodes show access tokens: an answering peer's once, and again when it has a new one."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hivemind.proto import dht_pb2
from hivemind.utils.auth import AuthRole

from core.swarm.admission.admission import Admission
from core.swarm.admission.call_rates import TooManyCalls
from core.swarm.admission.dht_calls import AdmittedCalls
from core.swarm.admission.refusal import PeerRefused
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.stream_bounds import HELD_SECONDS
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate
from tests.moved_clock import MovedClock

GATE = RunGate()
ASKING, ANSWERING = identity(0), identity(1)


class ConnectedPeers:
    """Two peers of a run with a gate, of whom one asks the other; ``shown`` are the tokens in the answers."""

    def __init__(self) -> None:
        self.clock = MovedClock(time.time())
        self.asking, self.answering = (self._admission(item) for item in (ASKING, ANSWERING))
        self.shown = list[str]()
        self.is_old = False

    def _admission(self, peer: PeerIdentity) -> Admission:
        token = GATE.token(peer, seconds=600)
        return Admission(
            gate=GATE.key.public_key, run=GATE.run, peer=peer.peer_id, token=token, clock=self.clock
        )

    def ask(self) -> None:
        stub = SimpleNamespace(rpc_ping=self._carry, _peer=ANSWERING.peer_id)
        asyncio.run(AdmittedCalls(stub, AuthRole.CLIENT, self.asking).rpc_ping(dht_pb2.PingRequest()))

    async def _carry(self, request: dht_pb2.PingRequest, timeout: float | None) -> dht_pb2.PingResponse:
        if self.is_old:
            request.auth.client_access_token.public_key = b""  # a program that doesn't know what it says
        guarded = AdmittedCalls(SimpleNamespace(rpc_ping=_answer), AuthRole.SERVICER, self.answering)
        response: Any = await guarded.rpc_ping(request, SimpleNamespace(remote_id=ASKING.peer_id))
        self.shown.append(response.auth.service_access_token.signature.decode())
        return response


async def _answer(request: dht_pb2.PingRequest, context: Any) -> dht_pb2.PingResponse:
    return dht_pb2.PingResponse()


@pytest.fixture
def peers() -> ConnectedPeers:
    return ConnectedPeers()


def test_a_token_is_shown_once_and_a_new_one_again(peers: ConnectedPeers) -> None:
    first = peers.answering.shown
    for _ in range(3):
        peers.ask()
    peers.answering.renew(GATE.token(ANSWERING, seconds=700))
    for _ in range(2):
        peers.ask()
    assert peers.shown == [first, "", "", peers.answering.shown, ""]


def test_a_peer_of_an_older_program_shows_its_token_at_each_call(peers: ConnectedPeers) -> None:
    peers.is_old = True
    for _ in range(2):
        peers.ask()
    assert peers.shown == [peers.answering.shown] * 2


def test_a_token_that_was_shown_before_is_refused_once_its_holder_is_excluded(peers: ConnectedPeers) -> None:
    peers.ask()
    peers.asking.adopt(GATE.sign(GATE.revoke(serial=1, peers=(ANSWERING.peer_id.to_base58(),))))
    with pytest.raises(PeerRefused):
        peers.ask()
    assert peers.shown[1] == ""


def test_a_peer_that_never_showed_a_token_is_refused(peers: ConnectedPeers) -> None:
    async def silent(request: dht_pb2.PingRequest, timeout: float | None) -> dht_pb2.PingResponse:
        return dht_pb2.PingResponse()

    stub = SimpleNamespace(rpc_ping=silent, _peer=ANSWERING.peer_id)
    with pytest.raises(PeerRefused):
        asyncio.run(AdmittedCalls(stub, AuthRole.CLIENT, peers.asking).rpc_ping(dht_pb2.PingRequest()))


def test_who_calls_too_often_waits_for_its_refusal() -> None:
    async def scenario() -> float:
        guarded = AdmittedCalls(SimpleNamespace(rpc_ping=_answer), AuthRole.SERVICER, None)
        caller = SimpleNamespace(remote_id=ASKING.peer_id)

        async def call(times: int) -> None:
            for _ in range(times):
                await guarded.rpc_ping(dht_pb2.PingRequest(), caller)

        await call(2048)
        began = time.monotonic()
        with pytest.raises(TooManyCalls):
            await call(2048)
        return time.monotonic() - began

    assert asyncio.run(scenario()) >= HELD_SECONDS
