"""A reducer waits for whoever delivers, goes on without whoever does not, and everyone uses the same bytes."""

import asyncio
import logging
import math
import threading
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.proto import averaging_pb2
from hypothesis import given
from hypothesis import strategies as st

from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import Encoding, TopK
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.swarm.aggregation.clipping import clipped_mean
from core.swarm.aggregation.rule import RobustRule, mean_of_senders, rule_of, weighted_mean
from core.swarm.rounds.group_list import Contributor
from core.swarm.rounds.partition import Part, Slice
from core.swarm.rounds.reduction import NothingToReduce, PartReducer, ReducedPart, TooFewUsers
from core.swarm.wire.encoding import MalformedPart, encode
from core.swarm.wire.top_k import SparseValues
from tests.core.swarm.builders import FIFTY_EXAMPLES, peer_bytes

LENGTH = 3000
PART = Part((Slice(0, 0, LENGTH),), Encoding.FLOAT32)


def values(sender: int) -> torch.Tensor:
    return torch.randn(LENGTH, generator=torch.Generator().manual_seed(sender))


def within_a_second(work: Coroutine[Any, Any, ReducedPart]) -> ReducedPart:
    return asyncio.run(asyncio.wait_for(work, 10))


# --- the mean -------------------------------------------------------------------------------------------------


def test_the_mean_is_weighted_by_samples() -> None:
    mean = weighted_mean([torch.tensor([1.0, 8.0]), torch.tensor([4.0, 2.0])], [1.0, 2.0])
    assert mean.tolist() == [3.0, 4.0]


@FIFTY_EXAMPLES
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 4096)), min_size=1, max_size=6))
def test_the_mean_is_exact_within_float32(senders: list[tuple[int, int]]) -> None:
    tensors = [values(seed) for seed, _ in senders]
    weights = [float(weight) for _, weight in senders]
    exact = sum(tensor.double() * weight for tensor, weight in zip(tensors, weights, strict=True))
    assert isinstance(exact, torch.Tensor)
    assert torch.allclose(weighted_mean(tensors, weights).double(), exact / sum(weights), rtol=0, atol=3e-6)


def test_one_member_s_huge_values_do_not_cost_all_the_round() -> None:
    mean = weighted_mean([torch.tensor([3e38]), torch.tensor([1.0])], [64.0, 64.0])
    assert torch.isfinite(mean).all(), "what is not finite is refused by every member"


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [(Aggregation.MEAN, [1.0, 0.0, 3.5, -4.5]), (Aggregation.MEAN_OF_SENDERS, [4.0, 0.0, 3.5, -6.0])],
)
def test_a_reducer_takes_the_mean_of_sparse_values_that_the_manifest_names(
    aggregation: Aggregation, expected: list[float]
) -> None:
    part = Part((Slice(0, 0, 4),), TopK(chunk=256, kept=2), Encoding.FLOAT32)

    rules = SwarmRules(aggregation=aggregation, overlap=Overlap.FULL, local_steps=LocalStepRules())

    async def reduce() -> ReducedPart:
        reducer = PartReducer(part, 2, rule_of(rules))
        first = SparseValues(torch.tensor([0, 2]), torch.tensor([4.0, 8.0]), 4)
        second = SparseValues(torch.tensor([2, 3]), torch.tensor([2.0, -6.0]), 4)
        await reducer.contribute(0, first, 1.0)
        await reducer.contribute(1, second, 3.0)
        return await reducer.reduced

    assert within_a_second(reduce()).values(part).tolist() == expected


def test_dense_values_are_sent_by_all() -> None:
    tensors = [torch.tensor([0.0, 8.0]), torch.tensor([3.0, 2.0])]
    assert mean_of_senders(tensors, [1.0, 2.0]).equal(weighted_mean(tensors, [1.0, 2.0]))


def test_the_mean_leaves_its_inputs_alone() -> None:
    inputs = [values(0), values(1)]
    copies = [item.clone() for item in inputs]
    weighted_mean(inputs, [1.0, 3.0])
    assert all(item.equal(copy) for item, copy in zip(inputs, copies, strict=True))


# --- who is in it ---------------------------------------------------------------------------------------------


def test_all_senders_deliver() -> None:
    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 3, weighted_mean)
        for sender in (2, 0, 1):
            await reducer.contribute(sender, values(sender), 1.0 + sender)
        return await reducer.reduced

    reduced = within_a_second(work())
    assert reduced.included == {0, 1, 2}
    assert reduced.weight == 6.0
    assert reduced.values(PART).equal(weighted_mean([values(0), values(1), values(2)], [1.0, 2.0, 3.0]))


def test_the_order_of_arrival_changes_no_bit() -> None:
    async def work(order: Sequence[int]) -> ReducedPart:
        reducer = PartReducer(PART, 3, weighted_mean)
        for sender in order:
            await reducer.contribute(sender, values(sender), 1.0)
        return await reducer.reduced

    first, second = within_a_second(work([0, 1, 2])), within_a_second(work([2, 1, 0]))
    assert first.digest == second.digest


def test_a_sender_that_fails_before_delivery_drops_out() -> None:
    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 3, weighted_mean)
        await reducer.contribute(0, values(0), 2.0)
        await reducer.fail(1)
        assert not reducer.reduced.done()
        await reducer.contribute(2, values(2), 6.0)
        return await reducer.reduced

    reduced = within_a_second(work())
    assert reduced.included == {0, 2}
    assert reduced.weight == 8.0
    assert reduced.values(PART).equal(weighted_mean([values(0), values(2)], [2.0, 6.0]))


def test_a_sender_that_fails_after_delivery_stays_in() -> None:
    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 2, weighted_mean)
        await reducer.contribute(1, values(1), 1.0)
        await reducer.fail(1)
        await reducer.contribute(0, values(0), 1.0)
        return await reducer.reduced

    assert within_a_second(work()).included == {0, 1}


def test_late_and_double_deliveries_change_nothing() -> None:
    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 2, weighted_mean)
        await reducer.contribute(0, values(0), 1.0)
        await reducer.contribute(0, values(9), 100.0)
        await reducer.fail(1)
        await reducer.contribute(1, values(1), 1.0)
        return await reducer.reduced

    reduced = within_a_second(work())
    assert reduced.included == {0}
    assert reduced.values(PART).equal(values(0))


def test_nothing_delivered_is_reported_and_not_invented() -> None:
    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 2, weighted_mean)
        await reducer.fail(0)
        await reducer.fail(1)
        return await reducer.reduced

    with pytest.raises(NothingToReduce):
        within_a_second(work())


@pytest.mark.parametrize(
    ("delivered", "users", "is_reduced"),
    [((0, 1), "abcd", False), ((0, 1, 3), "abcd", True), ((2, 3), "abcc", False), ((0, 3), "abcc", True)],
)
def test_a_part_without_most_users_is_not_reduced(
    delivered: tuple[int, ...], users: str, is_reduced: bool
) -> None:
    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 4, weighted_mean, users=users)
        for sender in range(4):
            if sender in delivered:
                await reducer.contribute(sender, values(sender), 1.0)
            else:
                await reducer.fail(sender)
        return await reducer.reduced

    if is_reduced:
        assert within_a_second(work()).included == set(delivered)
    else:
        with pytest.raises(TooFewUsers, match="most of the group's users"):
            within_a_second(work())


def test_a_rule_that_fails_fails_the_part_for_all() -> None:
    def broken(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
        raise RuntimeError("out of memory")

    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 1, broken)
        await reducer.contribute(0, values(0), 1.0)
        return await reducer.reduced

    with pytest.raises(RuntimeError, match="out of memory"):
        within_a_second(work())


def test_the_last_sender_may_vanish_while_its_part_is_aggregated() -> None:
    """It has delivered: the others must get the aggregate, not wait for one that never comes."""
    aggregating, go_on = threading.Event(), threading.Event()

    def slow_mean(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
        aggregating.set()
        assert go_on.wait(10)
        return weighted_mean(tensors, weights)

    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 2, slow_mean)
        await reducer.contribute(0, values(0), 1.0)
        last = asyncio.create_task(reducer.contribute(1, values(1), 1.0))
        await asyncio.to_thread(aggregating.wait, 10)
        last.cancel()
        await asyncio.wait({last})
        assert last.cancelled()
        go_on.set()
        return await reducer.reduced

    assert within_a_second(work()).included == {0, 1}


def test_a_part_that_names_its_contributors_names_those_who_delivered() -> None:
    names = [peer_bytes(sender) for sender in range(3)]

    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 3, weighted_mean, names=names)
        await reducer.contribute(2, values(2), 6.0)
        await reducer.fail(1)
        await reducer.contribute(0, values(0), 2.0)
        return await reducer.reduced

    assert within_a_second(work()).contributors == (
        Contributor(peer_bytes(0), 2.0),
        Contributor(peer_bytes(2), 6.0),
    )


def test_the_samples_that_count_are_committed_and_credited(caplog: pytest.LogCaptureFixture) -> None:
    """The third sender claims what it cannot have computed; the fourth is another peer of the same user."""
    names, users = [peer_bytes(sender) for sender in range(4)], "abcc"

    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 4, weighted_mean, names=names, users=users, weight_cap=2.0)
        for sender, weight in enumerate((8.0, 10.0, 300.0, 100.0)):
            await reducer.contribute(sender, values(sender), weight)
        return await reducer.reduced

    with caplog.at_level(logging.INFO):
        reduced = within_a_second(work())
    counted = [8.0, 10.0, 15.0, 5.0]
    assert [item.weight for item in reduced.contributors] == counted
    assert reduced.weight == sum(counted)
    assert reduced.values(PART).equal(weighted_mean([values(sender) for sender in range(4)], counted))
    assert "Of the 300 samples of peer" in caplog.text


def test_all_parts_that_the_same_senders_delivered_have_the_same_samples() -> None:
    """Each part has another reducer; one that lacks a sender caps by those that it has."""

    async def work(absent: int | None) -> ReducedPart:
        reducer = PartReducer(PART, 4, weighted_mean, weight_cap=2.0)
        for sender, weight in enumerate((8.0, 10.0, 12.0, 9e7)):
            if sender != absent:
                await reducer.contribute(sender, values(sender), weight)
        if absent is not None:
            await reducer.fail(absent)
        return await reducer.reduced

    found = [within_a_second(work(absent)).weight for absent in (None, None, 0, 3)]
    assert found == [8.0 + 10.0 + 12.0 + 20.0] * 2 + [10.0 + 12.0 + 24.0, 8.0 + 10.0 + 12.0]


def test_a_robust_rule_takes_the_last_aggregate_as_its_centre() -> None:
    rule = RobustRule(Aggregation.CENTERED_CLIP, RobustRules(iterations=1))
    last = values(7)

    async def work() -> ReducedPart:
        reducer = PartReducer(PART, 3, rule, centre=lambda: last)
        for sender in range(3):
            await reducer.contribute(sender, values(sender), 1.0)
        return await reducer.reduced

    reduced = within_a_second(work())
    expected = clipped_mean([values(sender) for sender in range(3)], [1.0] * 3, centre=last)
    assert reduced.values(PART).equal(expected.values)
    assert [reduced.share_of(sender) for sender in range(3)] == pytest.approx(expected.shares, abs=1 / 500)
    assert len(reduced.shares) == 3


# --- how it travels -------------------------------------------------------------------------------------------


def reduced_part(
    tensor: torch.Tensor | None = None,
    *,
    encoding: Encoding = Encoding.UNIFORM8,
    weight: float = 12.0,
    included: frozenset[int] = frozenset({0, 2}),
) -> ReducedPart:
    return ReducedPart(encode(values(0) if tensor is None else tensor, encoding), weight, included)


@FIFTY_EXAMPLES
@given(st.sets(st.integers(0, 40), min_size=1), st.floats(1e-3, 1e9))
def test_a_message_says_all_of_a_part(included: set[int], weight: float) -> None:
    part = reduced_part(weight=weight, included=frozenset(included))
    received = averaging_pb2.AveragingData.FromString(part.as_message().SerializeToString())
    read = ReducedPart.from_message(received, senders=41)
    assert (read.included, read.weight, read.message, read.digest) == (
        part.included,
        part.weight,
        part.message,
        part.digest,
    )


def test_the_digest_changes_with_everything_in_it() -> None:
    part = reduced_part()
    another_byte = reduced_part()
    another_byte.message.buffer = part.message.buffer[:-1] + bytes([part.message.buffer[-1] ^ 1])
    others = [
        another_byte,
        reduced_part(weight=math.nextafter(12.0, 13.0)),
        reduced_part(included=frozenset({0})),
        reduced_part(included=frozenset({0, 1})),
        reduced_part(encoding=Encoding.BLOCKWISE8),
        reduced_part(values(0)[:-1]),
    ]
    digests = {item.digest for item in (part, *others)}
    assert len(digests) == 1 + len(others)
    assert part.digest == reduced_part().digest


@pytest.mark.parametrize(
    "mask",
    [b"", b"\0", b"\0\0\0", b"\x08", b"\xff", b"\x01\x01", b"\x01" + b"\0" * 500 + b"\x01"],
    ids=["none", "zero", "long zero", "fourth of three", "all of eight", "ninth", "far off"],
)
def test_contributors_that_the_group_lacks_are_refused(mask: bytes) -> None:
    message = reduced_part().as_message()
    message.peer_id = mask
    with pytest.raises(MalformedPart):
        ReducedPart.from_message(message, senders=3)


def named(*contributors: tuple[int, float]) -> ReducedPart:
    found = tuple(Contributor(peer_bytes(number), weight) for number, weight in contributors)
    return replace(reduced_part(weight=3.0), contributors=found)


def test_names_travel_and_are_part_of_the_digest() -> None:
    part = named((4, 1.0), (7, 2.0))
    received = averaging_pb2.AveragingData.FromString(part.as_message().SerializeToString())
    read = ReducedPart.from_message(received, senders=3)
    assert (read.contributors, read.digest) == (part.contributors, part.digest)
    others = [named(), named((5, 1.0), (7, 2.0)), named((7, 1.0), (4, 2.0)), named((4, 2.0), (7, 1.0))]
    assert len({item.digest for item in (part, *others)}) == 1 + len(others)


@pytest.mark.parametrize("part", [named((4, 1.0), (7, 2.0)), named()], ids=["with names", "without"])
def test_shares_travel_and_are_part_of_the_digest(part: ReducedPart) -> None:
    clipped = replace(part, shares=b"\xff\x80")
    received = averaging_pb2.AveragingData.FromString(clipped.as_message().SerializeToString())
    read = ReducedPart.from_message(received, senders=3)
    assert (read, read.digest) == (clipped, clipped.digest)
    assert clipped.digest != part.digest
    assert [read.share_of(position) for position in sorted(read.included)] == [1.0, 128 / 255]
    assert [part.share_of(position) for position in sorted(part.included)] == [1.0, 1.0]


def test_shares_that_are_cut_off_are_refused() -> None:
    message = replace(named(), shares=b"\xff").as_message()
    with pytest.raises(MalformedPart, match="cut off"):
        ReducedPart.from_message(message, senders=3)


@pytest.mark.parametrize(
    "part",
    [
        named((4, 3.0)),
        named((4, 1.0), (5, 1.0), (6, 1.0)),
        named((4, 1.0), (4, 2.0)),
        named((4, 1.0), (7, 1.0)),
        named((4, -1.0), (7, 4.0)),
        named((4, 3.0), (7, 0.0)),
        named((4, math.nan), (7, 3.0)),
        named((4, math.inf), (7, 3.0)),
    ],
    ids=["too few", "too many", "one twice", "not all samples", "negative", "none", "nan", "infinite"],
)
def test_names_that_do_not_make_up_the_part_are_refused(part: ReducedPart) -> None:
    with pytest.raises(MalformedPart):
        ReducedPart.from_message(part.as_message(), senders=3)


@pytest.mark.parametrize("weight", [0.0, -1.0, math.inf, -math.inf, math.nan])
def test_weights_that_are_none_are_refused(weight: float) -> None:
    message = reduced_part().as_message()
    message.weight = weight
    with pytest.raises(MalformedPart):
        ReducedPart.from_message(message, senders=3)


def test_values_of_another_part_are_refused() -> None:
    with pytest.raises(MalformedPart):
        reduced_part(encoding=Encoding.FLOAT16).values(PART)
