"""Real peers audit each other's reductions: a lie is found and its reducer left out, and no one honest is accused."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from core.run.encodings import Encoding, TopK, WireFormat
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.auditing.draw import AuditRules
from core.swarm.rounds.events import Observer, RoundEvent
from tests.swarms.swarm_peers import GENESIS, LoopbackPeer, LoopbackSwarm, outcomes
from tests.waiting import wait_until

ALWAYS = AuditRules(share=0.5)
"""Each member audits a part in each round."""
SPARSE: tuple[WireFormat, ...] = (TopK(), Encoding.BLOCKWISE4, TopK(), Encoding.FLOAT16)


def flipped(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
    """Aggregate as a reducer does that wants the loss to rise."""
    return -weighted_mean(tensors, weights)


def with_threads(count: int) -> Callable[[Sequence[int]], Observer]:
    def make(others: Sequence[int]) -> Observer:
        def observe(seen: RoundEvent, number: int) -> None:
            if seen is RoundEvent.LOOKING:
                torch.set_num_threads(count)

        return observe

    return make


def one_epoch(peers: list[LoopbackPeer], epoch: int, head: bytes) -> bytes:
    """Return the head that all of them come to."""
    found: list[Any] = outcomes(
        [peer.begin(epoch, head, expected=len(peers)) for peer in peers], seconds=60.0
    )
    assert len({item.head for item in found}) == 1
    assert {item.members for item in found} == {len(peers)}
    return bytes(found[0].head)


def await_audits(log: Path, count: int) -> None:
    wait_until(lambda: log.read_text().count(": audit of part") >= count, "an audit did not end")


def reducers_of(log: Path, epoch: int) -> set[str]:
    """Return the reducers of the group of that epoch, as all of its members assigned them."""
    found = set(re.findall(rf"Epoch {epoch}: group .*reducers: ([\w, ]+)\.", log.read_text()))
    assert len(found) == 1, "the members assigned the parts in other ways"
    return set(found.pop().split(", "))


def test_a_reducer_that_lies_is_found_and_reduces_nothing_more(swarm: LoopbackSwarm, log: Path) -> None:
    honest = [swarm.add(audits=ALWAYS) for _ in range(3)]
    hostile = swarm.add(audits=AuditRules(share=0.0), rule=flipped)
    culprit, epoch, head = str(hostile.averager.peer_id), 0, GENESIS

    def accusers() -> int:
        return len(re.findall(rf"Peer {culprit} committed another aggregate", log.read_text()))

    while accusers() == 0 and epoch < 12:
        head, epoch = one_epoch([*honest, hostile], epoch, head), epoch + 1
        await_audits(log, 3 * epoch)
    # one is drawn, the others verify what it found
    wait_until(lambda: accusers() == 3, "not all honest members came to know of the lie")
    one_epoch([*honest, hostile], epoch, head)
    assert reducers_of(log, epoch) == {str(peer.averager.peer_id) for peer in honest}
    assert set(re.findall(r"conduct: Peer (\w+) ", log.read_text())) == {culprit}


@pytest.mark.parametrize("encodings", [(), SPARSE], ids=["dense", "sparse"])
def test_no_one_is_accused_among_honest_peers_with_unlike_threads(
    swarm: LoopbackSwarm, log: Path, encodings: tuple[WireFormat, ...]
) -> None:
    peers = [
        swarm.add(audits=ALWAYS, observe=with_threads(1 + number % 2), encodings=encodings)
        for number in range(3)
    ]
    helper = swarm.add(audits=ALWAYS, client_mode=True, encodings=encodings)
    head = GENESIS
    for epoch in range(3):
        head = one_epoch([*peers, helper], epoch, head)
        await_audits(log, 4 * (epoch + 1))
    assert not re.findall(r"audit of part .*(?:another aggregate|not shown)", log.read_text())
    assert "conduct: Peer" not in log.read_text()
