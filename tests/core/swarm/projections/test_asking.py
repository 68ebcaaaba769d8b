"""Peers are asked for projections all at once: one that stays silent costs the others' answers a moment."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from hivemind.p2p import PeerID

from core.swarm.projections.asking import ask_sums, packed_in_messages
from core.swarm.projections.sums import StateSums, SumsQuestion
from tests.core.swarm.builders import digest_of, peer_bytes

HEAD = digest_of("head")
QUESTION = SumsQuestion(7, HEAD, bytes(16))


class AskedWitness:
    """A peer that answers once a test lets it."""

    def __init__(self) -> None:
        self.asked, self.answers = asyncio.Event(), asyncio.Event()

    async def rpc_project_state(self, request: Any) -> AsyncIterator[Any]:
        self.asked.set()
        await self.answers.wait()
        return self._messages()

    @staticmethod
    async def _messages() -> AsyncIterator[Any]:
        for message in packed_in_messages(StateSums(7, HEAD, None)):
            yield message


async def answers_of(witnesses: list[AskedWitness], seconds: float, more_seconds: float) -> set[int]:
    """Return the numbers of the ``witnesses`` that answered in time."""
    peers = {PeerID(peer_bytes(number)): witness for number, witness in enumerate(witnesses)}
    asked = ask_sums(peers.__getitem__, peers, QUESTION, seconds=seconds, more_seconds=more_seconds)
    found = await asyncio.wait_for(asked, 30)
    return {witnesses.index(peers[peer]) for peer in found}


def test_a_silent_peer_is_not_waited_for_once_half_have_answered() -> None:
    async def work() -> set[int]:
        witnesses = [AskedWitness() for _ in range(4)]
        for witness in witnesses[:2]:
            witness.answers.set()
        return await answers_of(witnesses, 3600.0, 0.05)

    assert asyncio.run(work()) == {0, 1}


def test_others_are_waited_for_until_half_have_answered() -> None:
    async def work() -> set[int]:
        witnesses = [AskedWitness() for _ in range(4)]
        witnesses[0].answers.set()
        asked = asyncio.create_task(answers_of(witnesses, 3600.0, 0.0))
        await witnesses[3].asked.wait()
        await asyncio.wait({asked}, timeout=0.2)
        witnesses[3].answers.set()
        return await asked

    assert asyncio.run(work()) == {0, 3}


def test_nobody_is_waited_for_without_end() -> None:
    async def work() -> set[int]:
        witnesses = [AskedWitness() for _ in range(4)]
        witnesses[0].answers.set()
        return await answers_of(witnesses, 0.3, 3600.0)

    assert asyncio.run(work()) <= {0}
