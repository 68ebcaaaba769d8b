"""The state of a meeting that is over: it reaches nobody."""

import asyncio
from types import SimpleNamespace
from typing import Any

from hivemind.p2p import PeerID

from core.swarm.reach.board import keep_meeting, look_at_meeting
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.meeting import MeetingState
from tests.core.swarm.builders import peer_bytes


def test_a_meeting_that_is_over_has_an_empty_state() -> None:
    async def run() -> None:
        works: list[Any] = []
        dht: Any = SimpleNamespace(initial_peers=(), run_coroutine=lambda work, **_: works.append(work))
        p2p = SimpleNamespace(peer_id=PeerID(peer_bytes(0)))
        node = SimpleNamespace(p2p=p2p, is_alive=False)
        keep_meeting(dht, "tiny", b"owner", OwnContact())
        look_at_meeting(dht)
        begin, look = works
        await begin(dht, node)
        node.meeting = SimpleNamespace(state=MeetingState(relays=1, punched=1))
        assert await look(dht, node) == MeetingState(relays=1, punched=1)
        await node.meeting_task
        assert await look(dht, node) == MeetingState()

    asyncio.run(run())
