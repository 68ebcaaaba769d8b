"""Groups combine by trees: each byte bound, each depth and each choice holds for any number of groups."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.rounds.combination import (
    FAN_IN,
    GroupTrees,
    ReducedGroup,
    chosen_groups,
    combination_limits,
    combination_loads,
    combination_seconds,
    combined_id,
    groups_of_next_attempt,
    late_groups,
    may_form_again,
    may_others_form,
    members_of_group,
    seconds_to_commit_of_others,
)
from core.swarm.rounds.partition import RoundLoad, assign, cut
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import MOST_MEMBERS
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of, peer_bytes

PARTS = cut([(4000, Encoding.UNIFORM8), (300, Encoding.FLOAT16)], part_bytes=400)
RULES = SwarmRules()
LIMITS = TimeLimits(
    matchmaking_seconds=15.0,
    sender_seconds=20.0,
    reducer_seconds=40.0,
    allreduce_seconds=60.0,
    settle_seconds=1.0,
)
MANY = 200

numbers = st.integers(1, MANY)


def group(number: int, samples: float = 10.0, reducers: int = 3, members: int = 4) -> ReducedGroup:
    """A group whose reducers share the parts alike, and reduce in no other group."""
    owners = assign(PARTS, [1 / reducers] * reducers)
    peers = [peer_bytes(100 * number + owner) for owner in range(reducers)]
    return ReducedGroup(
        digest_of(f"group {number}")[:20], samples, members, tuple(peers[owner] for owner in owners)
    )


def groups(count: int) -> tuple[ReducedGroup, ...]:
    shapes = [group(number, samples=1.0 + number % 7, reducers=1 + number % 5) for number in range(count)]
    return chosen_groups(shapes, MANY)


def own_bytes(chosen: Sequence[ReducedGroup]) -> Counter[bytes]:
    """Return the bytes of the aggregates that each reducer holds."""
    found: Counter[bytes] = Counter()
    for item in chosen:
        for part, reducer in zip(PARTS, item.reducers, strict=True):
            found[reducer] += part.aggregate_bytes
    return found


def bytes_a_second(reducer: bytes, load: RoundLoad) -> float:
    return load.sent / 1000.0


@FIFTY_EXAMPLES
@given(numbers, st.integers(0, 300))
def test_every_group_is_once_in_the_tree_of_each_part(count: int, part: int) -> None:
    trees = GroupTrees(count)
    roots = [position for position in range(count) if trees.above(position, part) is None]
    below = [lower for position in range(count) for lower in trees.below(position, part)]
    assert len(roots) == 1
    assert sorted(below + roots) == list(range(count))
    assert all(len(trees.below(position, part)) <= FAN_IN for position in range(count))
    assert all(
        trees.above(lower, part) == position
        for position in range(count)
        for lower in trees.below(position, part)
    )


@FIFTY_EXAMPLES
@given(numbers, st.integers(0, 300))
def test_the_root_of_each_part_is_reached_in_a_logarithm_of_steps(count: int, part: int) -> None:
    trees = GroupTrees(count)
    longest = 0
    for position in range(count):
        steps, above = 0, trees.above(position, part)
        while above is not None:
            steps, above = steps + 1, trees.above(above, part)
        longest = max(longest, steps)
    assert longest == trees.depth == int(math.log2(count))


@FIFTY_EXAMPLES
@given(st.lists(st.tuples(st.floats(0.5, 1000.0), st.integers(0, 2**31)), min_size=1, max_size=40))
def test_means_that_go_up_the_tree_are_the_mean_of_all(found: list[tuple[float, int]]) -> None:
    trees, part = GroupTrees(len(found)), 3
    own = [torch.randn(16, generator=torch.Generator().manual_seed(seed)) for _, seed in found]
    weights = [weight for weight, _ in found]

    def mean_at(position: int) -> tuple[torch.Tensor, float]:
        taken = [(own[position], weights[position]), *map(mean_at, trees.below(position, part))]
        tensors, heavy = [item[0] for item in taken], [item[1] for item in taken]
        return weighted_mean(tensors, heavy), math.fsum(heavy)

    root = next(position for position in range(len(found)) if trees.above(position, part) is None)
    mean, weight = mean_at(root)
    assert weight == pytest.approx(math.fsum(weights))
    torch.testing.assert_close(mean, weighted_mean(own, weights), rtol=1e-4, atol=1e-5)


@FIFTY_EXAMPLES
@given(st.integers(2, MANY))
def test_what_a_reducer_passes_is_bounded_however_many_groups_there_are(count: int) -> None:
    chosen = groups(count)
    loads, own = combination_loads(chosen, PARTS), own_bytes(chosen)
    assert set(loads) == set(own)
    for reducer, load in loads.items():
        assert load.sent <= (FAN_IN + 1) * own[reducer]
        assert load.received <= (FAN_IN + 1) * own[reducer]
    edges = 2 * (count - 1) * sum(part.aggregate_bytes for part in PARTS)
    assert sum(load.sent for load in loads.values()) == edges


@pytest.mark.parametrize("count", [2, 5, 64, MANY])
def test_reducers_of_an_even_number_of_parts_pass_about_as_many_bytes(count: int) -> None:
    even = PARTS[:8]
    alone = [
        replace(group(number, reducers=1), reducers=(peer_bytes(number),) * 8) for number in range(count)
    ]
    loads = combination_loads(chosen_groups(alone, MANY), even)
    whole = sum(part.aggregate_bytes for part in even)
    assert max(load.sent for load in loads.values()) <= 2.01 * whole


def test_one_group_alone_passes_nothing_and_keeps_its_id() -> None:
    (alone,) = groups(1)
    assert {load.sent for load in combination_loads([alone], PARTS).values()} == {0}
    assert combined_id([alone]) == alone.id


def test_time_grows_by_two_parts_for_each_doubling_of_the_groups() -> None:
    largest = max(part.aggregate_bytes for part in PARTS)
    own = sum(part.aggregate_bytes for part in PARTS)
    for exponent in range(1, 8):
        alike = chosen_groups([group(number, reducers=1) for number in range(2**exponent)], MANY)
        seconds = max(combination_seconds(alike, PARTS, bytes_a_second).values())
        assert seconds <= ((FAN_IN + 1) * own + 2 * exponent * largest) / 1000.0


@FIFTY_EXAMPLES
@given(st.permutations(range(12)), st.integers(1, 14))
def test_all_peers_choose_the_same_groups_in_the_same_order(order: list[int], most: int) -> None:
    reduced = [group(number, samples=1.0 + number % 3) for number in order]
    chosen = chosen_groups(reduced, most)
    assert chosen == chosen_groups(sorted(reduced, key=lambda item: item.id), most)
    assert len(chosen) == min(most, 12)
    assert [item.samples for item in chosen] == sorted((item.samples for item in chosen), reverse=True)


def test_a_peer_reduces_in_one_group_alone() -> None:
    first, second, third = group(1, samples=3.0), group(2, samples=2.0), group(3, samples=1.0)
    doubled = replace(second, reducers=(*second.reducers[:-1], first.reducers[0]))
    assert chosen_groups([doubled, third, first], MANY) == (first, third)


def test_no_more_members_are_chosen_than_a_commit_record_can_count() -> None:
    half = MOST_MEMBERS // 2
    reduced = [group(number, samples=9.0 - number, members=half) for number in range(3)]
    assert chosen_groups(reduced, MANY) == tuple(reduced[:2])


def test_a_group_that_is_lost_falls_out_of_all_parts_and_the_others_combine() -> None:
    chosen = groups(5)
    lost = chosen[2]
    left = groups_of_next_attempt(chosen, {lost.id}, attempts=1)
    assert left == (*chosen[:2], *chosen[3:])
    loads = combination_loads(left, PARTS)
    assert not set(loads) & set(lost.reducers)
    assert combined_id(left) != combined_id(chosen)


def test_groups_that_fail_four_times_leave_the_epoch_to_the_first_of_them() -> None:
    chosen = groups(5)
    assert groups_of_next_attempt(chosen, {chosen[0].id}, attempts=3) == tuple(chosen[1:])
    assert groups_of_next_attempt(chosen, {chosen[0].id}, attempts=4) == (chosen[1],)
    assert groups_of_next_attempt(chosen, {item.id for item in chosen}, attempts=1) == ()


def test_the_id_covers_each_groups_samples_and_members() -> None:
    first, second = groups(2)
    ids = {
        combined_id(found)
        for found in (
            [first, second],
            [first, replace(second, samples=second.samples + 1)],
            [first, replace(second, members=second.members + 1)],
        )
    }
    assert len(ids) == 3
    assert {len(item) for item in ids} == {20}


def test_a_group_with_a_reducer_that_is_too_slow_is_late_as_a_whole() -> None:
    chosen = groups(4)
    seconds = dict.fromkeys((reducer for item in chosen for reducer in item.reducers), 5.0)
    seconds[chosen[1].reducers[-1]] = 11.0
    assert late_groups(chosen, seconds, most=10.0) == {chosen[1].id}


@FIFTY_EXAMPLES
@given(st.integers(1, 100_000), st.integers(2, 1024), st.integers(1, MANY))
def test_groups_are_few_and_alike_in_size(expected: int, size: int, most: int) -> None:
    rules = RULES.model_copy(update={"group_size": size})
    found = members_of_group(expected, rules, most)
    assert 1 <= found <= size
    if expected <= most * size:
        needed = math.ceil(expected / size)
        alike = math.ceil(expected / needed)
        assert found == alike or (found == alike - 1 and expected % alike == 1 and expected % found != 1)
    assert members_of_group(expected, rules, 1) == min(size, expected)


@pytest.mark.parametrize(
    ("expected", "members", "most", "waits"),
    [
        (8, [4], 4, True),
        (8, [4, 4], 4, False),
        (9, [4, 4], 4, False),  # one peer makes no group
        (10, [4, 4], 4, True),
        (10, [4, 4], 2, False),
        (8, [4], 1, False),
        (1, [1], 4, False),
    ],
)
def test_groups_wait_for_others_to_form_while_peers_are_left_for_them(
    expected: int, members: list[int], most: int, waits: bool
) -> None:
    assert may_others_form(expected, members, most) is waits


@pytest.mark.parametrize(
    ("share_of_silence", "most_groups", "again"),
    [(0.0, 4, True), (1.0, 4, True), (1.01, 4, False), (0.0, 1, False)],
)
def test_only_a_group_that_failed_early_forms_again(
    share_of_silence: float, most_groups: int, again: bool
) -> None:
    assert may_form_again(share_of_silence * LIMITS.sender_seconds, LIMITS, most_groups) is again


def test_who_waits_for_groups_that_combine_waits_longer_than_for_one() -> None:
    alone = seconds_to_commit_of_others(LIMITS, RULES, 1)
    assert alone == LIMITS.reducer_seconds + 3 * LIMITS.settle_seconds
    found = combination_limits(LIMITS, RULES)
    combined = seconds_to_commit_of_others(LIMITS, RULES, 4)
    assert combined == alone + found.wait_seconds + found.attempt_seconds


def test_the_patience_of_groups_fits_into_a_round() -> None:
    found = combination_limits(LIMITS, RULES)
    used = LIMITS.matchmaking_seconds + LIMITS.allreduce_seconds + 3 * LIMITS.settle_seconds
    assert found.wait_seconds + 4 * found.attempt_seconds + used <= RULES.averaging_seconds
    assert 0 < found.silence_seconds <= found.attempt_seconds
    assert 0 < found.forming_seconds <= found.wait_seconds
    without_room = RULES.model_copy(update={"averaging_seconds": 75.0})
    assert combination_limits(LIMITS, without_room).attempt_seconds == 0
