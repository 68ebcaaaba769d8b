"""Real peers with one among them that fails every round it may: the others do without it, and go on."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.swarm.auditing.draw import AuditRules
from core.swarm.quorum.electorate import Electorate
from core.swarm.rounds.round import RoundFailed, RoundOutcome
from tests.swarms.hostile_averagers import EquivocatingReducer, FalseLeader, SilentLeader, SilentReducer
from tests.swarms.swarm_peers import GENESIS, LIMITS, LoopbackPeer, LoopbackSwarm

IMPATIENT = replace(LIMITS, sender_seconds=2.0, reducer_seconds=4.0, allreduce_seconds=12.0)
"""Limits in which a peer that never answers is given up soon; one that does has all the time of an exchange."""


def attempt(
    honest: list[LoopbackPeer], hostile: LoopbackPeer, epoch: int, head: bytes
) -> list[RoundOutcome | None]:
    """Return what each of the honest peers has of a round with the hostile one; None for one that failed."""
    expected = len(honest) + 1
    last: Any = hostile.begin(epoch, head, expected=expected, limits=IMPATIENT)
    steps = [peer.begin(epoch, head, expected=expected, limits=IMPATIENT) for peer in honest]
    found: list[RoundOutcome | None] = []
    for step in steps:
        try:
            found.append(step.result(timeout=60.0))
        except RoundFailed:
            found.append(None)
    last.cancel()
    return found


def epochs_of(honest: list[LoopbackPeer], hostile: LoopbackPeer, attempts: int) -> list[bool]:
    """Return for each attempt whether the honest peers, all alike, committed an epoch."""
    epoch, head, made = 0, GENESIS, list[bool]()
    for _ in range(attempts):
        found = attempt(honest, hostile, epoch, head)
        done = [item for item in found if item is not None]
        assert len(done) in (0, len(honest)), "some of them committed, and some did not"
        made.append(bool(done))
        if done:
            assert len({item.head for item in done}) == 1
            assert all(torch.equal(peer.outputs[0], honest[0].outputs[0]) for peer in honest)
            epoch, head = epoch + 1, done[0].head
    return made


def test_a_reducer_that_never_answers_costs_one_round_and_reduces_nothing_in_the_next(
    swarm: LoopbackSwarm, log: Path
) -> None:
    honest = [swarm.add() for _ in range(3)]
    hostile = swarm.add(averager_class=SilentReducer)
    made = epochs_of(honest, hostile, 3)
    assert made[1:] == [True, True], "the first one stands if the silent peer commits it itself"
    culprit = str(hostile.averager.peer_id)
    assert set(re.findall(r"Peer (\w+) did not return the parts", log.read_text())) == {culprit}
    reducers = re.findall(r"reducers: ([\w, ]+)\.", log.read_text())
    assert [culprit in item for item in reducers].count(True) == 4, "each of the four assigned it parts once"
    ended = re.findall(r"Epoch [012]: averaged;", log.read_text())
    assert len(ended) >= 6, "the honest ones lacked nothing of the two epochs"


@pytest.mark.parametrize("reduces", [True, False], ids=["reducing", "sending alone"])
def test_a_member_that_is_too_late_for_its_group_blames_no_one(
    reduces: bool, swarm: LoopbackSwarm, log: Path
) -> None:
    """The others had given it up: all of them said that they knew of no such group, and it blamed their leader."""
    others, absent = [swarm.add() for _ in range(3)], [] if reduces else [swarm.add()]
    late = swarm.add(client_mode=not reduces)
    expected = len(others + absent) + 1
    missing = [peer.begin(expected=expected, limits=IMPATIENT, is_held=True) for peer in absent]
    steps = [peer.begin(expected=expected, limits=IMPATIENT) for peer in others]
    last = late.begin(expected=expected, limits=IMPATIENT, is_held=True)
    for step in steps:
        with suppress(RoundFailed):
            step.result(timeout=60.0)
    last.allow_allreduce()
    with suppress(RoundFailed):
        last.result(timeout=60.0)
    assert re.findall(r"Reducer (\w+) did not return", log.read_text()), "the late one was refused"
    for step in missing:
        step.cancel()
    culprits = {str(peer.averager.peer_id) for peer in (*absent, late)}
    assert set(re.findall(r"Peer (\w+) .* \(\d strikes\)", log.read_text())) <= culprits
    assert "know nothing" not in log.read_text(), "nor does it blame one of them that announced the group"


def test_a_sender_that_turns_each_aggregate_is_in_no_group_any_more(swarm: LoopbackSwarm, log: Path) -> None:
    """By the mean, which cuts nothing: the honest members objected to each round with it, and committed none."""
    honest, hostile = [swarm.add() for _ in range(2)], swarm.add()
    peers = [*honest, hostile]
    common = [item.clone() for item in honest[0].inputs]
    for peer, factor in zip(peers, (1.0, 0.5, -10.0), strict=True):
        with peer.averager.get_tensors() as inputs:
            for tensor, values in zip(inputs[:-1], common, strict=False):
                tensor.copy_(factor * values)
    present = Electorate(3, frozenset(peer.voice for peer in peers))
    made = list[bool]()
    while not any(made):
        steps = [
            peer.begin(
                expected=3, limits=IMPATIENT, group_seconds=6.0, electorate=replace(present, own=peer.voice)
            )
            for peer in peers
        ]
        for step in steps[:2]:
            try:
                step.result(timeout=60.0)
                made.append(True)
            except RoundFailed:
                made.append(False)
        steps[2].cancel()
    assert made[-2:] == [True, True], "both commit the first round without it"
    times = re.findall(
        r"turned the aggregate of a group against .*: this peer forms no group", log.read_text()
    )
    assert len(times) == 2, "for each of the two honest ones, the second fault was enough"
    blamed = re.findall(r"Peer (\w+) turned the aggregate of a group against", log.read_text())
    assert set(blamed) == {str(hostile.averager.peer_id)}
    assert torch.nn.functional.cosine_similarity(honest[0].outputs[0], common[0], dim=0) > 0.9


def test_a_leader_that_begins_no_group_is_followed_by_nobody_any_more(
    swarm: LoopbackSwarm, log: Path
) -> None:
    """It was met in each search, which ended without a group."""
    hostile = swarm.add(averager_class=SilentLeader)
    honest = [swarm.add() for _ in range(3)]
    made = epochs_of(honest, hostile, 4)
    assert made[1:] == [True] * 3
    blamed = re.findall(r"Peer (\w+) took this peer into a group, and never began it", log.read_text())
    assert set(blamed) <= {str(hostile.averager.peer_id)}
    assert blamed or made[0]


def test_a_leader_that_calls_the_others_unable_to_reduce_gets_no_group(
    swarm: LoopbackSwarm, log: Path
) -> None:
    hostile = swarm.add(averager_class=FalseLeader)
    honest = [swarm.add() for _ in range(3)]
    made = epochs_of(honest, hostile, 4)
    assert made.count(True) >= 2
    blamed = re.findall(r"Peer (\w+) announced a group otherwise than its members had", log.read_text())
    assert set(blamed) <= {str(hostile.averager.peer_id)}
    assert blamed or all(made), "it led no group"


def test_a_reducer_that_returns_other_parts_to_one_member_is_blamed_by_that_one(
    swarm: LoopbackSwarm, log: Path
) -> None:
    honest = [swarm.add(audits=AuditRules(share=0.0)) for _ in range(3)]
    hostile = swarm.add(audits=AuditRules(share=0.0), averager_class=EquivocatingReducer)
    found = attempt(honest, hostile, 0, GENESIS)
    assert len({item.head for item in found if item is not None}) == 1
    assert all(found), "the deceived member has fetched what the others committed"
    blamed = re.findall(r"Peer (\w+) returned another aggregate than the group committed", log.read_text())
    assert blamed == [str(hostile.averager.peer_id)]
