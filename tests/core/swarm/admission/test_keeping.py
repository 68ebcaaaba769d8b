"""A token counts as known once a peer of the swarm has taken it in, and is shown until then."""

import asyncio
import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from core.swarm.admission.keeping import Keeper
from tests.core.swarm.builders import identity
from tests.run_gate import RunGate

GATE, OWN = RunGate(), identity(0)


class Node:
    """A DHT node whose swarm takes in what it stores, or does not."""

    def __init__(self, taken: list[bool]) -> None:
        self._taken = taken
        self.protocol = SimpleNamespace(routing_table=SimpleNamespace(uid_to_peer_id={1: OWN.peer_id}))

    async def store(self, key: str, value: str, expires: float, *, subkey: bytes) -> bool:
        return self._taken.pop(0)

    async def get(self, key: str, *, latest: bool) -> None:
        return None


@pytest.mark.parametrize(
    ("taken", "known"),
    [([True], [True]), ([False], [False]), ([False, True], [False, True])],
)
def test_a_token_that_nobody_took_in_is_shown_again(taken: list[bool], known: list[bool]) -> None:
    seconds = itertools.count(step=10)
    admission = GATE.admit(OWN)
    node: Any = Node(list(taken))
    keeper = Keeper(node, admission, "test", OWN.owner, [], clock=lambda: float(next(seconds)))
    found = []
    for _ in taken:
        asyncio.run(keeper.turn())
        found.append(admission.is_known)
    assert found == known
