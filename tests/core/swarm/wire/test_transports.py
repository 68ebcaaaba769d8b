"""libp2p's daemon says by what a stream goes, at both ends of it."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hivemind.p2p import P2P

from core.swarm.p2pd import allow_slow_starts, place_sockets
from core.swarm.wire.frames import goes_by_udp, note_transports


@pytest.fixture(autouse=True)
def noted() -> Iterator[None]:
    """Have streams be noted, and only for this test."""
    before = P2P.call_binary_stream_handler, P2P.add_binary_stream_handler
    allow_slow_starts()
    place_sockets()
    note_transports()
    yield
    P2P.call_binary_stream_handler, P2P.add_binary_stream_handler = before


@pytest.mark.parametrize(("address", "by_udp"), [("udp/0/quic-v1", True), ("tcp/0", False)])
def test_both_ends_of_a_stream_know_by_what_it_goes(address: str, by_udp: bool) -> None:
    """Fails if a new version of libp2p's daemon names another address of a stream."""
    accepted = list[bool]()

    async def answer(_: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.extend((goes_by_udp(reader), goes_by_udp(writer)))
        writer.write(await reader.readexactly(1))
        await writer.drain()
        await reader.read()  # until the other side has closed it
        writer.close()

    async def work() -> tuple[bool, bool]:
        listen = [f"/ip4/127.0.0.1/{address}"]
        one = await P2P.create(host_maddrs=listen, dht_mode="client", use_relay=False)
        two = await P2P.create(
            initial_peers=await one.get_visible_maddrs(), host_maddrs=listen, use_relay=False
        )
        try:
            await one.add_binary_stream_handler("answer", answer)
            _, reader, writer = await two.call_binary_stream_handler(one.peer_id, "answer")
            writer.write(b"x")
            await reader.readexactly(1)
            writer.close()
            return goes_by_udp(reader), goes_by_udp(writer)
        finally:
            await one.shutdown()
            await two.shutdown()

    assert asyncio.run(work()) == (by_udp, by_udp)
    assert accepted == [by_udp, by_udp]
