"""Members find a reducer that lies or gives no account, and believe no auditor."""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

import pytest
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.swarm.auditing.account import ContributionWithheld, question
from core.swarm.auditing.auditor import ANSWERS_TO_A_MEMBER
from core.swarm.auditing.draw import draw_of, drawn_part
from core.swarm.auditing.finding import AuditFinding
from core.swarm.auditing.verdict import AuditVerdict
from tests.core.swarm.auditing.audit_scene import LIMITS, PARTS, AuditScene, flipped
from tests.core.swarm.builders import identity

HONEST = (1, 2, 3)


def auditors_of(scene: AuditScene, reducer: int) -> dict[int, int]:
    """Return the parts of that reducer that members are drawn for, by their indices."""
    found = {}
    for number in range(4):
        key = PeerKey(identity(number).private_key._private_key)
        draw = draw_of(key, scene.auditors[number]._place(scene.auditors[number]._rounds[scene.group.id]))
        index = drawn_part(draw, number, scene.group.owners, 4, scene.auditors[number]._rules)
        if index is not None and scene.group.owners[index] == reducer:
            found[number] = index
    return found


def caught(**exchanged: Any) -> AuditScene:
    """Return a scene with a culprit 0 for which some member was drawn: whom, depends on keys and on the values."""
    for seed in range(20):
        scene = AuditScene(seed=seed, **exchanged).run()
        if auditors_of(scene, 0):
            return scene
    raise AssertionError("in 20 rounds no member was drawn for a part of the first one")


def test_honest_members_accuse_no_one() -> None:
    scene = AuditScene().run()
    assert [scene.refused_by(number) for number in range(4)] == [()] * 4


def test_all_come_to_know_of_a_reducer_that_lies() -> None:
    scene = caught(rules={0: flipped})
    assert [scene.refused_by(number) for number in HONEST] == [(0,)] * 3


def test_a_member_that_looks_into_strange_parts_finds_the_lie_alone() -> None:
    """Nobody is drawn, and the round was not committed: its members objected to it."""

    async def look(scene: AuditScene) -> None:
        indices = [scene.group.owners.index(owner) for owner in (0, 2)]
        scene.auditors[1].look_into(scene.reductions[1], LIMITS, indices)

    scene = AuditScene(share=0.0, rules={0: flipped}).run(look)
    assert [scene.refused_by(number) for number in range(4)] == [(), (0,), (), ()]


def test_strange_parts_of_a_committed_round_are_looked_into_beside_the_drawn_one() -> None:
    scene = AuditScene(share=0.0, rules={0: flipped}, strange=(0,)).run()
    assert [scene.refused_by(number) for number in HONEST] == [(0,)] * 3


def test_a_reducer_without_an_account_of_a_strange_part_is_to_reduce_nothing_for_a_while() -> None:
    """A line may have lost it, so that it stays in groups; but one that turns its parts would show none ever."""
    scene = AuditScene(share=0.0, unreachable=frozenset({0}), strange=(0,)).run()
    assert [scene.refused_by(number) for number in HONEST] == [(0,)] * 3
    assert [scene.conducts[number].avoided(3) for number in HONEST] == [frozenset()] * 3


def without_one(messages: Iterable[Any]) -> Iterable[Any]:
    return list(messages)[1:]


def one_twice(messages: Iterable[Any]) -> Iterable[Any]:
    found = list(messages)
    return [*found, found[0]]


def with_other_values(messages: Iterable[Any]) -> Iterable[Any]:
    """Show values that would explain another aggregate, under the signature of those that were sent."""
    found = list(messages)
    found[1].tensor_part.buffer = found[2].tensor_part.buffer
    return found


def with_another_weight(messages: Iterable[Any]) -> Iterable[Any]:
    found = list(messages)
    found[1].weight += 1
    return found


def nothing(messages: Iterable[Any]) -> Iterable[Any]:
    return ()


@pytest.mark.parametrize("account", [nothing, without_one, one_twice, with_other_values, with_another_weight])
def test_all_come_to_know_of_a_reducer_without_a_good_account(account: Any) -> None:
    scene = caught(accounts={0: account})
    assert [scene.refused_by(number) for number in HONEST] == [(0,)] * 3


def test_a_reducer_that_answers_no_question_has_no_account() -> None:
    scene = caught(unreachable=frozenset({0}))
    assert [scene.refused_by(number) for number in HONEST] == [(0,)] * 3


@pytest.mark.parametrize(
    ("verdict", "is_blamed"), [(AuditVerdict.FALSE_AGGREGATE, True), (AuditVerdict.NO_ACCOUNT, False)]
)
def test_a_member_that_calls_a_sound_aggregate_false_is_blamed_itself(
    verdict: AuditVerdict, is_blamed: bool
) -> None:
    async def accuse(scene: AuditScene) -> None:
        key = PeerKey(identity(0).private_key._private_key)
        place = scene.auditors[0]._place(scene.auditors[0]._rounds[scene.group.id])
        draw = draw_of(key, place)
        index = drawn_part(draw, 0, scene.group.owners, 4, scene.auditors[0]._rules)
        assert index is not None
        finding = AuditFinding(place.epoch, place.group, place.root, index, verdict, draw, key.public_key)
        for number in HONEST:
            scene.auditors[number].receive(finding.pack(), scene.members[0])
            scene.auditors[number].receive(finding.pack(), scene.members[1])  # not its draw

    scene = AuditScene().run(after=accuse)
    for number in HONEST:
        drawn_for_own = scene.group.owners[next(iter(auditors_of_member(scene, 0)))] == number
        assert scene.refused_by(number) == ((0,) if is_blamed and not drawn_for_own else ())


@pytest.mark.parametrize("is_shown", [True, False])
def test_what_a_sender_sent_another_reducer_is_had_from_that(is_shown: bool) -> None:
    found: list[averaging_pb2.AveragingData | None] = []

    async def ask(scene: AuditScene) -> None:
        index = scene.group.owners.index(0)
        with nullcontext() if is_shown else pytest.raises(ContributionWithheld):
            found.append(await scene.auditors[1].contribution_of(scene.group.id, 2, index))
        received = scene.auditors[0]._rounds[scene.group.id].witness.received.message(index, 2)
        assert received is not None
        found.append(received)
        assert await scene.auditors[1].contribution_of(b"another group", 2, index) is None

    unreachable = frozenset[int]() if is_shown else frozenset({0})
    scene = AuditScene(share=0.0, unreachable=unreachable).run(after=ask)
    received = found.pop()
    assert received is not None
    assert [item.tensor_part for item in found if item] == [received.tensor_part] * is_shown
    assert scene.refused_by(1) == (() if is_shown else (0,))


def test_a_reducer_that_shows_another_contribution_than_it_aggregated_withholds_it() -> None:
    """The culprit can sign both, and its friend would show each auditor what that is to see."""

    async def ask(scene: AuditScene) -> None:
        index = scene.group.owners.index(0)
        with pytest.raises(ContributionWithheld):
            await scene.auditors[1].contribution_of(scene.group.id, 2, index)

    scene = AuditScene(share=0.0, rules={0: flipped}).run(after=ask)
    assert scene.refused_by(1) == (0,)


def test_an_auxiliary_peer_takes_what_is_shown_and_blames_nobody() -> None:
    found: list[bool] = []

    async def ask(scene: AuditScene) -> None:
        index, audited = scene.group.owners.index(0), scene.auditors[1]._rounds[scene.group.id]
        audited.parts = {}
        found.append(await scene.auditors[1].contribution_of(scene.group.id, 2, index) is not None)

    for unreachable in (frozenset[int](), frozenset({0})):
        scene = AuditScene(share=0.0, unreachable=unreachable).run(after=ask)
        assert scene.refused_by(1) == ()
    assert found == [True, False]


def test_findings_of_members_that_were_not_drawn_displace_none() -> None:
    """Four such findings kept a reducer's honest auditors from being heard."""

    async def flood(scene: AuditScene) -> None:
        for number in (0, 1, 2):
            place = scene.auditors[number]._place(scene.auditors[number]._rounds[scene.group.id])
            key = PeerKey(identity(0).private_key._private_key)
            for part in range(3):  # the draw of another peer
                finding = AuditFinding(
                    place.epoch,
                    place.group,
                    place.root,
                    part,
                    AuditVerdict.FALSE_AGGREGATE,
                    draw_of(key, place),
                    key.public_key,
                )
                scene.auditors[3].receive(finding.pack(), scene.members[1])

    scene = AuditScene(share=0.0).run(after=flood)
    assert not scene.auditors[3]._rounds[scene.group.id].reporting
    assert not scene.auditors[3]._rounds[scene.group.id].findings


def test_an_auditor_to_whom_alone_no_account_is_shown_is_not_blamed() -> None:
    """The reducer would shut out its auditors one by one."""
    scene = caught(refuses=lambda scene, caller, callee: callee == 0 and caller in auditors_of(scene, 0))
    drawn = set(auditors_of(scene, 0))
    for number in HONEST:
        assert scene.refused_by(number) == ((0,) if number in drawn else ())


def auditors_of_member(scene: AuditScene, number: int) -> list[int]:
    return [
        part for reducer in range(4) for who, part in auditors_of(scene, reducer).items() if who == number
    ]


@pytest.mark.parametrize("packed", [b"", b"x" * 100, b"x" * 5000])
def test_what_is_no_finding_changes_nothing(packed: bytes) -> None:
    async def report(scene: AuditScene) -> None:
        scene.auditors[1].receive(packed, scene.members[0])

    assert AuditScene().run(after=report).refused_by(1) == ()


def test_an_account_is_for_members_and_not_too_often() -> None:
    scene, own = AuditScene(share=0.0).run(), 0
    index = scene.group.owners.index(own)
    asked = [
        list(scene.auditors[own].account(question(scene.group.id, index), scene.members[1]))
        for _ in range(ANSWERS_TO_A_MEMBER + 1)
    ]
    assert [len(answer) for answer in asked] == [4] * ANSWERS_TO_A_MEMBER + [1]
    assert asked[-1][0].code == averaging_pb2.PROTOCOL_VIOLATION
    for request, caller in [
        (question(scene.group.id, index), identity(9).peer_id),
        (question(b"another group", index), scene.members[2]),
        (averaging_pb2.AveragingData(group_id=scene.group.id), scene.members[2]),
    ]:
        answer = list(scene.auditors[own].account(request, caller))
        assert [message.code for message in answer] == [averaging_pb2.BAD_GROUP_ID]
    assert list(scene.auditors[own].account(question(scene.group.id, len(PARTS)), scene.members[3])) == []
