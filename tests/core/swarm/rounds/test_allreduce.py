"""All members of a group hold the same aggregates, or lack the parts of a reducer that was lost."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hivemind.proto import averaging_pb2

from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import Encoding
from core.swarm.aggregation.rule import RobustRule
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group_list import Contributor
from core.swarm.rounds.partition import cut
from core.swarm.rounds.reduction import ReducedPart
from tests.core.swarm.builders import peer_bytes
from tests.core.swarm.rounds.exchange_scene import (
    BREAKS,
    PARTS,
    ExchangeScene,
    MemberLink,
    Message,
    altered,
    every,
)

# --- everybody stays ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_members_hold_the_same_mean(count: int) -> None:
    found = ExchangeScene(count).run()
    found.assert_same_for(range(count))
    for index, part in enumerate(PARTS):
        reduced = found.result(0, index)
        exact = found.exact(range(count), part)
        assert reduced.included == set(range(count))
        assert reduced.weight == sum(found.weights[:count])
        assert float((reduced.values(part) - exact).norm() / exact.norm()) < 0.05


def test_in_float32_the_mean_is_exact() -> None:
    parts = cut([(3000, Encoding.FLOAT32), (500, Encoding.FLOAT32)], part_bytes=1600)
    found = ExchangeScene(3, parts=parts).run()
    for index, part in enumerate(parts):
        assert found.result(0, index).values(part).equal(found.exact(range(3), part))


def test_inputs_are_left_alone() -> None:
    found = ExchangeScene(3)
    before = [[item.clone() for item in member] for member in found.inputs]
    found.run()
    for now, then in zip(found.inputs, before, strict=True):
        assert all(item.equal(copy) for item, copy in zip(now, then, strict=True))


def test_an_auxiliary_member_reduces_and_adds_nothing() -> None:
    found = ExchangeScene(3, auxiliary=frozenset({1})).run()
    found.assert_same_for([0, 2])
    assert found.group.parts_of(1)
    assert all(found.result(0, index).included == {0, 1} for index in range(len(PARTS)))  # the two senders
    assert found.result(0, 0).weight == found.weights[0] + found.weights[2]
    assert found.runs[1].position is None
    assert [run.position for run in found.runs if run.position is not None] == [0, 1]


def test_a_member_that_cannot_reduce_still_gets_everything() -> None:
    found = ExchangeScene(3, shares=(0.5, 0.0, 0.5)).run()
    assert found.group.parts_of(1) == ()
    found.assert_same_for(range(3))


def test_observers_count_what_happened() -> None:
    found = ExchangeScene(2).run()
    own, others = len(found.group.parts_of(0)), len(found.group.parts_of(1))
    assert found.events[0].count((RoundEvent.PART_REDUCED, own)) == 1
    assert found.events[0].count((RoundEvent.PART_SENT, others)) == 1
    assert found.events[0].count((RoundEvent.PART_RECEIVED, others)) == 1


# --- a reducer is lost ----------------------------------------------------------------------------------------


def test_an_absent_reducers_parts_stay_missing_and_nothing_is_made_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = ExchangeScene(3, absent=frozenset({1})).run()
    lost = list(found.group.parts_of(1))
    assert lost
    name = found.group.members[1]
    assert f"Reducer {name} did not return {len(lost)} of its {len(lost)} parts" in caplog.text
    for member in (0, 2):
        assert found.missing(member) == lost
        for index in lost:
            assert not PARTS[index].gather(found.outputs[member]).any()
        kept = [index for index in range(len(PARTS)) if index not in lost]
        assert all(found.result(member, index).included == {0, 2} for index in kept)


@pytest.mark.parametrize("how", BREAKS)
def test_a_reducer_lost_midway_leaves_what_it_had_sent(how: str) -> None:
    found = ExchangeScene(3, links={(0, 1): MemberLink(aggregates=BREAKS[how])}).run()
    theirs = list(found.group.parts_of(1))
    assert found.missing(0) == theirs[1:]
    assert found.missing(2) == []
    assert found.result(0, theirs[0]).digest == found.result(2, theirs[0]).digest


NO_AGGREGATE: dict[str, Callable[[Message], None]] = {
    "a refusal": lambda message: setattr(message, "code", averaging_pb2.INTERNAL_ERROR),
    "no contributors": lambda message: setattr(message, "peer_id", b""),
    "contributors from elsewhere": lambda message: setattr(message, "peer_id", b"\xff"),
    "truncated": lambda message: setattr(message.tensor_part, "buffer", message.tensor_part.buffer[:-1]),
    "an infinite weight": lambda message: setattr(message, "weight", float("inf")),
}


@pytest.mark.parametrize("alter", NO_AGGREGATE.values(), ids=list(NO_AGGREGATE))
def test_a_reducers_nonsense_is_not_used(alter: Callable[[Message], None]) -> None:
    found = ExchangeScene(3, links={(0, 1): MemberLink(aggregates=altered(1, alter))}).run()
    assert found.missing(0) == list(found.group.parts_of(1)[1:])
    for index in found.missing(0):
        assert not PARTS[index].gather(found.outputs[0]).any()


def test_all_members_hold_the_names_of_those_in_the_last_part() -> None:
    found = ExchangeScene(3).run()
    names = [Contributor(peer_bytes(index), weight) for index, weight in enumerate((1.0, 2.0, 5.0))]
    for member in range(3):
        assert list(found.result(member, len(PARTS) - 1).contributors) == names
        assert not found.result(member, 0).contributors


def test_a_last_part_that_names_others_than_the_group_is_not_used() -> None:
    """Reducer 2 credits a peer that was not there."""
    stranger = Contributor(peer_bytes(9), 1.0)

    def credit(message: Message) -> None:
        part = ReducedPart.from_message(message, senders=3)
        named = (stranger, *part.contributors[1:])
        message.group_id = replace(part, contributors=named).as_message().group_id

    messages = len(ExchangeScene(3).group.parts_of(2))
    found = ExchangeScene(3, links={(0, 2): MemberLink(aggregates=altered(messages - 1, credit))}).run()
    assert found.runs[0].results[-1] is None
    assert found.runs[1].results[-1] is not None


@pytest.mark.parametrize("times", [0.5, 2.0, 1e6])
def test_a_last_part_that_counts_other_samples_of_a_member_than_it_sent_is_not_used_by_it(
    times: float,
) -> None:
    """Reducer 2 gives and takes credit: it must at least leave each member's own samples as they are."""

    def credit(message: Message) -> None:
        part = ReducedPart.from_message(message, senders=3)
        first, *others = part.contributors
        named = (Contributor(first.peer_id, times * first.weight), *others)
        weight = math.fsum(item.weight for item in named)
        lie = replace(part, contributors=named, weight=weight).as_message()
        message.group_id, message.weight = lie.group_id, lie.weight

    messages = len(ExchangeScene(3).group.parts_of(2))
    found = ExchangeScene(3, links={(0, 2): MemberLink(aggregates=altered(messages - 1, credit))}).run()
    assert found.runs[0].results[-1] is None


@pytest.mark.parametrize(
    ("included", "users", "is_used"),
    [
        ({3}, (), False),
        ({1, 3}, (), False),
        ({1, 2, 3}, (), True),
        ({0, 1, 3}, ("ada", "bob", "eve", "eve"), True),
        ({1, 2, 3}, ("ada", "bob", "eve", "eve"), True),
        ({2, 3}, ("ada", "bob", "eve", "eve"), False),
    ],
    ids=["itself", "one more", "most", "most users", "most users without this one", "one user"],
)
def test_a_part_that_leaves_out_most_users_is_not_used(
    included: set[int], users: tuple[str, ...], is_used: bool
) -> None:
    """Reducer 3 says that the others sent nothing, so that no rule cuts what is left."""

    def leave_out(message: Message) -> None:
        part = ReducedPart.from_message(message, senders=4)
        named = [item for rank, item in enumerate(part.contributors) if rank in included]
        weight = math.fsum(item.weight for item in named) or part.weight
        lie = replace(part, included=frozenset(included), contributors=tuple(named), weight=weight)
        message.CopyFrom(lie.as_message())

    links = {(0, 3): MemberLink(aggregates=every(leave_out))}
    scene = ExchangeScene(4, weights=(4.0, 5.0, 5.0, 4.0), links=links, users=users).run()
    assert scene.missing(0) == ([] if is_used else list(scene.group.parts_of(3)))
    assert scene.runs[0].lost_reducers == (set() if is_used else {scene.group.members[3]})


# --- robust rules ---------------------------------------------------------------------------------------------


def test_all_members_get_the_same_bytes_the_same_samples_and_their_own_shares() -> None:
    rule = RobustRule(Aggregation.CENTERED_CLIP, RobustRules())
    scene = ExchangeScene(4, weights=(1.0, 2.0, 50.0, 3.0), rule=rule, weight_cap=2.0)
    scene.inputs[2] = [-30 * item for item in scene.inputs[2]]
    scene.run()
    scene.assert_same_for(range(4))
    for index in range(len(PARTS)):
        assert scene.result(0, index).weight == 1.0 + 2.0 + 4.0 + 3.0
    assert [run.own_weight for run in scene.runs] == [1.0, 2.0, 4.0, 3.0]
    last = len(PARTS) - 1
    found = [
        run.share_of_own(0, scene.result(rank, 0), scene.group.id, ()) for rank, run in enumerate(scene.runs)
    ]
    assert found[2] < 0.2 < min(found[0], found[1], found[3])
    assert [item.weight for item in scene.result(1, last).contributors] == [1.0, 2.0, 4.0, 3.0]


def test_two_peers_of_one_user_share_its_cap() -> None:
    users = ("ada", "bob", "eve", "eve")
    scene = ExchangeScene(4, weights=(4.0, 5.0, 30.0, 10.0), weight_cap=2.0, users=users).run()
    scene.assert_same_for(range(4))
    assert [run.own_weight for run in scene.runs] == pytest.approx([4.0, 5.0, 7.5, 2.5])


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        ((8.0, 2.0, 4.0, 3.0), "more samples of a user than the cap allows"),
        ((1.0, 1.5, 3.0, 3.0), "other samples of this peer than it sent"),
    ],
    ids=["the reducer counts too much", "the reducer counts a member for less"],
)
def test_a_reducer_that_counts_samples_otherwise_is_found_out(
    forge: tuple[float, ...], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The reducer of the last part has changed the samples of the contributors, and their sum."""

    def lie(message: Message) -> None:
        part = ReducedPart.from_message(message, senders=4)
        if part.contributors:
            named = tuple(
                Contributor(item.peer_id, weight)
                for item, weight in zip(part.contributors, forge, strict=True)
            )
            lied = replace(part, contributors=named, weight=math.fsum(forge))
            message.CopyFrom(lied.as_message())

    last = len(PARTS) - 1
    links = {(1, 3): MemberLink(aggregates=every(lie))}
    scene = ExchangeScene(4, weights=(1.0, 2.0, 50.0, 3.0), weight_cap=2.0, links=links).run()
    assert scene.group.owners[last] == 3
    assert scene.missing(1) == [last]
    assert words in caplog.text
