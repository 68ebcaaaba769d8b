"""Places at a relay are reserved and refused by a real libp2p daemon; answers that make no sense are errors."""

import asyncio
from pathlib import Path

import pytest
from hivemind.p2p import P2P

from core.messages.reach import RelayBounds
from core.swarm.reach.dialler import LoneDaemon
from core.swarm.reach.relaying import (
    RelayRefused,
    fields_of,
    one_thread,
    reachability_option,
    reserve,
)
from core.swarm.wire.identity import PeerIdentity
from tests.waiting import DEADLINE

HERE = "/ip4/127.0.0.1/tcp/0"
MEGABYTES = 7


async def daemon(identity: Path, bounds: RelayBounds | None) -> P2P:
    with one_thread(True):
        return await LoneDaemon.create(
            dht_mode="none",
            auto_nat=False,
            nat_port_map=False,
            identity_path=str(PeerIdentity.load_or_create(identity).path),
            host_maddrs=[HERE],
            force_reachability=reachability_option(bounds),
        )


def test_a_relay_keeps_to_its_bounds_and_others_do_not_relay(tmp_path: Path) -> None:
    async def check() -> None:
        relay = await daemon(tmp_path / "relay", RelayBounds(homes=1, megabytes=MEGABYTES))
        peers = [await daemon(tmp_path / f"peer{number}", None) for number in range(2)]
        try:
            _, addresses = await relay._client.identify()
            for peer in peers:
                await peer._client.connect(relay.peer_id, addresses)
            for _ in range(2):  # the second time it is renewed
                assert await reserve(peers[0], relay.peer_id, DEADLINE) == MEGABYTES * 1_000_000
            with pytest.raises(RelayRefused):
                await reserve(peers[1], relay.peer_id, DEADLINE)
            _, addresses = await peers[1]._client.identify()
            await peers[0]._client.connect(peers[1].peer_id, addresses)
            with pytest.raises(RelayRefused):
                await reserve(peers[0], peers[1].peer_id, DEADLINE)
        finally:
            for peer in (relay, *peers):
                await peer.shutdown()

    asyncio.run(check())


@pytest.mark.parametrize("before", [{}, {"GOMAXPROCS": "3"}], ids=["unset", "set"])
@pytest.mark.parametrize("needed", [True, False])
def test_what_starts_on_one_thread_leaves_the_environment_as_it_was(
    before: dict[str, str], needed: bool
) -> None:
    environment = dict(before)
    with one_thread(needed, environment):
        assert environment == ({"GOMAXPROCS": "1"} if needed else before)
    assert environment == before


@pytest.mark.parametrize("message", [b"\x2a\x05ab", b"\x28", b"\x2d0000", b"\x28" + b"\xff" * 11])
def test_an_answer_that_makes_no_sense_is_an_error(message: bytes) -> None:
    with pytest.raises(ValueError, match="answer"):
        list(fields_of(message))
