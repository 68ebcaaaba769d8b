"""Admitted peers that an averager knows: it finds newcomers, refuses strangers, and looks seldom."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hivemind.p2p import PeerID
from hivemind.proto.p2pd_pb2 import RPCError

from core.swarm.admission import admitted_peers as admitted_module
from core.swarm.admission.admission import Admission
from core.swarm.admission.admitted_peers import LOOK_SECONDS, REFUSED_SECONDS, AdmittedPeers, GuardedCalls
from core.swarm.admission.call_rates import CallRate, TooManyCalls
from core.swarm.admission.refusal import PeerRefused
from core.swarm.wire.stream_bounds import HELD_SECONDS, HeldRefusals
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate

GATE, OWN, OTHER, THIRD = RunGate(), identity(0), identity(1), identity(2)


@dataclass
class TokenSwarm:
    """Tokens that peers show in the DHT, and a clock that only the test moves."""

    shown: list[str] = field(default_factory=list)
    looks: int = 0
    now: float = 100.0

    async def look_up(self) -> Iterable[str]:
        self.looks += 1
        return tuple(self.shown)

    def clock(self) -> float:
        return self.now

    def admitted(self, admission: Admission) -> AdmittedPeers:
        return AdmittedPeers(admission, self.look_up, self.clock)


@pytest.fixture
def swarm() -> TokenSwarm:
    return TokenSwarm()


async def is_admitted(admitted: AdmittedPeers, peer: PeerID) -> bool:
    try:
        await admitted.require(peer)
    except PeerRefused:
        return False
    return True


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scenario())


def test_a_newcomer_is_looked_up_once(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admitted = swarm.admitted(GATE.admit(OWN))
        swarm.shown = [GATE.token(OTHER), GATE.token(THIRD), "garbage", RunGate().token(THIRD)]
        assert await is_admitted(admitted, OTHER.peer_id)
        assert await is_admitted(admitted, OTHER.peer_id)
        assert await is_admitted(admitted, THIRD.peer_id)
        assert swarm.looks == 1

    run(scenario)


def test_the_user_of_an_admitted_peer_is_known(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admitted = swarm.admitted(GATE.admit(OWN))
        swarm.shown = [GATE.token(OTHER)]
        assert await is_admitted(admitted, OTHER.peer_id)
        assert admitted.user_of(OTHER.peer_id) == "ada"
        assert admitted.user_of(THIRD.peer_id) == ""

    run(scenario)


def test_a_stranger_is_not_looked_up_again_for_a_while(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admitted = swarm.admitted(GATE.admit(OWN))
        assert not any([await is_admitted(admitted, OTHER.peer_id) for _ in range(10)])
        assert swarm.looks == 1
        swarm.shown = [GATE.token(OTHER)]
        swarm.now += REFUSED_SECONDS
        assert await is_admitted(admitted, OTHER.peer_id)

    run(scenario)


def test_many_strangers_share_a_look_and_more_are_turned_away(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admitted = swarm.admitted(GATE.admit(OWN))
        swarm.shown = [GATE.token(OTHER)]
        assert await is_admitted(admitted, OTHER.peer_id)
        swarm.now += LOOK_SECONDS
        strangers = [PeerID(b"\x12\x20" + number.to_bytes(32)) for number in range(1000)]
        calls = [asyncio.create_task(is_admitted(admitted, stranger)) for stranger in strangers]
        known = asyncio.create_task(is_admitted(admitted, OTHER.peer_id))
        assert not any(await asyncio.gather(*calls))
        assert await known
        assert swarm.looks == 2

    run(scenario)


def test_tables_are_bounded(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admitted = swarm.admitted(GATE.admit(OWN))
        for number in range(admitted_module._MOST_PEERS + 10):
            swarm.now += LOOK_SECONDS
            await is_admitted(admitted, PeerID(b"\x12\x20" + number.to_bytes(32)))
        assert len(admitted._refused) == admitted_module._MOST_PEERS

    run(scenario)


def test_a_token_that_ran_out_makes_it_look_for_its_successor(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        now = [time.time()]
        admission = Admission(
            gate=GATE.key.public_key,
            run=GATE.run,
            peer=OWN.peer_id,
            token=GATE.token(OWN),
            clock=lambda: now[0],
        )
        admitted = swarm.admitted(admission)
        swarm.shown = [GATE.token(OTHER, seconds=60)]
        assert await is_admitted(admitted, OTHER.peer_id)
        now[0] += 61
        swarm.now += 61
        swarm.shown += [GATE.token(OTHER, seconds=500)]
        assert await is_admitted(admitted, OTHER.peer_id)
        now[0] += 500
        swarm.now += 500
        assert not await is_admitted(admitted, OTHER.peer_id)

    run(scenario)


def test_who_is_excluded_is_refused_without_a_look(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admission = GATE.admit(OWN)
        admitted = swarm.admitted(admission)
        swarm.shown = [GATE.token(OTHER, "mallory")]
        assert await is_admitted(admitted, OTHER.peer_id)
        admission.adopt(GATE.sign(GATE.revoke(serial=1, names=("mallory",))))
        swarm.now += LOOK_SECONDS
        with pytest.raises(PeerRefused, match="excluded"):
            await admitted.require(OTHER.peer_id)
        assert await admitted.strangers([OTHER.peer_id]) == [OTHER.peer_id]

    run(scenario)


def test_the_members_of_a_group_are_distinguished(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        admitted = swarm.admitted(GATE.admit(OWN))
        swarm.shown = [GATE.token(OTHER)]
        assert await admitted.strangers([OTHER.peer_id, THIRD.peer_id]) == [THIRD.peer_id]
        assert swarm.looks == 1

    run(scenario)


class Averager:
    """One method of each kind; what it was asked is counted."""

    def __init__(self) -> None:
        self.asked = 0

    async def rpc_one(self, request: int, context: Any) -> int:
        self.asked += 1
        return request + 1

    async def rpc_many(self, request: int, context: Any) -> AsyncIterator[int]:
        self.asked += 1
        yield request
        yield request + 1


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "gated"])
def test_a_method_answers_no_peer_that_calls_it_too_often(swarm: TokenSwarm, is_open: bool) -> None:
    async def scenario() -> None:
        averager, rate = Averager(), CallRate(per_second=0.001, at_once=3)
        swarm.shown = [GATE.token(OTHER), GATE.token(THIRD)]
        admitted = None if is_open else swarm.admitted(GATE.admit(OWN))
        held: list[float] = []

        async def sleep(seconds: float) -> None:
            held.append(seconds)

        rates = {"rpc_one": rate, "rpc_many": rate}
        guarded = GuardedCalls(averager, admitted, rates, HeldRefusals(sleep))
        often, seldom = (SimpleNamespace(remote_id=item.peer_id) for item in (OTHER, THIRD))
        for _ in range(3):
            assert await guarded.rpc_one(1, often) == 2
            assert [item async for item in guarded.rpc_many(1, often)] == [1, 2]
        with pytest.raises(TooManyCalls, match="rpc_one 3 times at once"):
            await guarded.rpc_one(1, often)
        (answer,) = [item async for item in guarded.rpc_many(1, often)]
        assert isinstance(answer, RPCError)
        assert "rpc_many 3 times at once" in answer.message
        assert held == [HELD_SECONDS, HELD_SECONDS]  # before each refusal
        assert await guarded.rpc_one(1, seldom) == 2
        assert averager.asked == 7

    run(scenario)


def test_methods_answer_those_on_the_roll_alone(swarm: TokenSwarm) -> None:
    async def scenario() -> None:
        averager = Averager()
        guarded = GuardedCalls(averager, swarm.admitted(GATE.admit(OWN)), {})
        swarm.shown = [GATE.token(OTHER)]
        known, stranger = (SimpleNamespace(remote_id=item.peer_id) for item in (OTHER, THIRD))
        assert await guarded.rpc_one(1, known) == 2
        swarm.now += LOOK_SECONDS
        assert [item async for item in guarded.rpc_many(1, known)] == [1, 2]
        with pytest.raises(PeerRefused):
            await guarded.rpc_one(1, stranger)
        (answer,) = [item async for item in guarded.rpc_many(1, stranger)]
        assert isinstance(answer, RPCError)
        assert PeerRefused.behind(ValueError(answer.message)) is not None
        assert averager.asked == 2

    run(scenario)
