"""What one reducer does in a passage, whatever its neighbours are."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.run.encodings import Encoding
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.combining.links import GroupMean, PassageBroken
from core.swarm.combining.passage import Passage
from core.swarm.combining.plan import PassagePlan
from core.swarm.rounds.combination import CombinationLimits, ReducedGroup
from core.swarm.rounds.group_list import pack_positions
from core.swarm.rounds.partition import cut
from core.swarm.wire.bits import pack_indices
from core.swarm.wire.encoding import encode
from core.tasks import end_tasks
from tests.core.swarm.builders import digest_of, peer_bytes

PARTS = cut([(40, Encoding.FLOAT32)], part_bytes=40)
GROUPS = tuple(
    ReducedGroup(digest_of(f"group {number}")[:20], 4.0 - number, 2, (peer_bytes(number),))
    for number in range(3)
)
PLAN = PassagePlan(1, GROUPS, 0, {at: (peer_bytes(at),) * len(PARTS) for at in (1, 2)})
"""The passage as the first group learns it: it is the root of the even parts."""
LIMITS = CombinationLimits(forming_seconds=1.0, wait_seconds=1.0, silence_seconds=20.0, attempt_seconds=20.0)
ORPHAN = PeerID(peer_bytes(7))


class FaultyStub:
    """A stub with a fault of this peer's own: it is none of the errors of a network."""

    def rpc_combine_parts(self, stream: AsyncIterator[Any]) -> Any:
        raise LookupError("a fault")


def passage(*indices: int, plan: PassagePlan = PLAN) -> Passage:
    async def nobody(group: ReducedGroup) -> tuple[bytes, ...]:
        raise AssertionError("no reducer is lost here")

    values = [torch.ones(40)]
    means = {
        index: GroupMean(
            encode(PARTS[index].gather(values), PARTS[index].partial_encoding),
            4.0,
            frozenset({plan.position}),
        )
        for index in indices
    }
    return Passage(
        plan,
        PARTS,
        means,
        (),
        rule=weighted_mean,
        most_samples=100.0,
        stub_of=lambda peer: FaultyStub(),
        reducers_of=nobody,
        limits=LIMITS,
        keep_contributors=lambda group, contributors: None,
    )


async def codes(answers: AsyncIterator[averaging_pb2.AveragingData]) -> list[int]:
    return [message.code async for message in answers]


def test_the_root_gives_each_part_once_to_a_reducer_that_lost_the_one_above_it() -> None:
    """A peer that asked again and again would be sent the whole model each time."""

    async def asked() -> list[list[int]]:
        alone = replace(PLAN, groups=GROUPS[:1], reducers={})  # nobody is waited for
        root = passage(0, 2, plan=alone)
        await root.run()
        questions = map(pack_indices, ([0], [0], [2, 0], [2], [1], [9], [2]))
        return [await codes(root.answer_orphan(question, ORPHAN)) for question in questions]

    given, refused = [averaging_pb2.AVERAGED_PART], [averaging_pb2.PROTOCOL_VIOLATION]
    assert asyncio.run(asked()) == [given, refused, refused, given, refused, refused, refused]


def test_a_fault_of_this_peers_own_ends_the_passage_at_once() -> None:
    """Its neighbours are told that its group is lost: they would wait for it until the passage ends."""

    async def broken() -> frozenset[bytes]:
        faulty = passage(1)
        try:
            await faulty.run()
        except PassageBroken as error:
            return error.lost
        finally:
            await end_tasks(faulty.close())
        return frozenset()

    assert asyncio.run(broken()) == {GROUPS[0].id}


def test_who_waits_for_a_peer_that_has_left_the_passage_is_told_so() -> None:
    async def left() -> set[asyncio.Task[Any]]:
        ended = passage(0)
        running = asyncio.create_task(ended.run())
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait({running})
        await end_tasks(ended.close())
        assert await codes(ended.answer_orphan(pack_indices([0]), ORPHAN)) == [averaging_pb2.INTERNAL_ERROR]
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert not asyncio.run(left())


@pytest.mark.parametrize(
    ("weight", "is_taken"), [(200.0, True), (201.0, False), (1e300, False), (-1.0, False)]
)
def test_a_mean_with_more_samples_than_its_members_can_have_is_not_taken(
    weight: float, is_taken: bool
) -> None:
    """Its reducer would decide the aggregate of all groups."""

    async def passed() -> frozenset[int]:
        root, own = passage(0), torch.ones(40)
        running = asyncio.create_task(root.run())
        await asyncio.sleep(0)

        async def means(position: int, samples: float) -> AsyncIterator[averaging_pb2.AveragingData]:
            tensor = encode(PARTS[0].gather([own]), PARTS[0].partial_encoding)
            mask = pack_positions([position])
            yield averaging_pb2.AveragingData(
                code=averaging_pb2.PART_FOR_AVERAGING, tensor_part=tensor, weight=samples, peer_id=mask
            )

        answers = [
            asyncio.create_task(codes(root.answer(means(at, samples), PeerID(peer_bytes(at)))))
            for at, samples in ((1, 3.0), (2, weight))
        ]
        found = await running
        await asyncio.gather(*answers)
        await end_tasks(root.close())
        return found[0].included

    assert asyncio.run(passed()) == (frozenset({0, 1, 2}) if is_taken else frozenset({0, 1}))
