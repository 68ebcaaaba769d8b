"""Groups that have reduced combine: all members of all groups get the same bytes, whatever is lost on the way."""

import asyncio
from dataclasses import replace

import pytest
import torch
from hivemind.proto import averaging_pb2
from hivemind.utils.asyncio import as_aiter

from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import Encoding, TopK
from core.swarm.aggregation.rule import RobustRule, weighted_mean
from core.swarm.auditing.blaming import RoundLosses
from core.swarm.combining.reducer import CombiningReducer
from core.swarm.quorum.electorate import Electorate
from core.swarm.rounds.combination import ReducedGroup, combined_id
from core.swarm.rounds.commit import record_of
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import digest_of_contributors
from core.swarm.rounds.partition import cut
from tests.core.swarm.combining.combining_scene import (
    HEAD,
    PARTS,
    PATIENT,
    RULES,
    CombiningScene,
    PeerFailure,
)

RULES_OF_FIVE = RULES.model_copy(update={"group_size": 5})


def roots(scene: CombiningScene, members: list[int]) -> set[bytes]:
    """Return the roots that members would commit; each has all parts."""
    found = set()
    for index in members:
        run = scene.runs[index]
        parts = [part for part in run.results if part is not None]
        assert len(parts) == len(PARTS), f"peer {index} has {len(parts)} parts"
        found.add(record_of(0, HEAD, run.group, parts).root)
    return found


@pytest.mark.parametrize("groups", [1, 2, 3, 7])
def test_all_members_of_all_groups_get_the_same_mean(groups: int) -> None:
    scene = CombiningScene(groups=groups).run()
    everybody = scene.members_of(*range(groups))
    assert len(roots(scene, everybody)) == 1
    committed = scene.runs[0].committed_id
    assert committed is not None
    for index, part in enumerate(PARTS):
        exact = scene.exact(everybody, part)
        for member in everybody:
            found, result = part.gather(scene.outputs[member]), scene.runs[member].results[index]
            assert torch.allclose(found, exact, rtol=1e-4, atol=1e-5), index
            assert result is not None
            assert scene.runs[member].has_own(index, result, committed, groups_of(scene))
    last = scene.runs[0].results[-1]
    assert last is not None
    assert last.weight == sum(scene.weights)
    assert len(last.groups) == (groups if groups > 1 else 0)


@pytest.mark.parametrize("is_robust", [True, False], ids=["clipped", "plain mean"])
def test_a_group_of_colluders_turns_the_others_round_only_under_the_plain_mean(is_robust: bool) -> None:
    rule = RobustRule(Aggregation.CENTERED_CLIP, RobustRules()) if is_robust else weighted_mean
    scene = CombiningScene(groups=4, rule=rule, **PATIENT)
    common = [item.clone() for item in scene.inputs[0]]
    for index, inputs in enumerate(scene.inputs):
        hostile = index in scene.members_of(1)
        for item, shared in zip(inputs, common, strict=True):
            item.mul_(0.3).add_(shared).mul_(-20.0 if hostile else 1.0)
    scene.run()
    everybody = scene.members_of(*range(4))
    assert len(roots(scene, everybody)) == 1, "all members of all groups have the same bytes"
    found = torch.cat([item.reshape(-1) for item in scene.outputs[0]])
    direction = torch.cat([item.reshape(-1) for item in common])
    assert (float(torch.dot(found, direction)) > 0) == is_robust
    assert not is_robust or float(found.norm()) < 1.5 * float(direction.norm())


LOST = {
    "a reducer that never began": CombiningScene(groups=4, absent=frozenset({4})),
    "a head that never began": CombiningScene(groups=4, absent=frozenset({5})),
    "a head that its reducers follow": CombiningScene(groups=4, failures={5: PeerFailure("follow")}),
    "a head that others ask for its reducers": CombiningScene(
        groups=4, failures={5: PeerFailure("describe")}
    ),
    "a head in the middle of a passage": CombiningScene(groups=4, failures={5: PeerFailure("combine", 1)}),
}


@pytest.mark.parametrize("scene", LOST.values(), ids=LOST)
def test_a_group_that_loses_a_reducer_or_its_head_too_early_falls_out_and_the_others_combine(
    scene: CombiningScene,
) -> None:
    scene.run()
    others = scene.members_of(0, 2, 3)
    assert len(roots(scene, others)) == 1
    for index, part in enumerate(PARTS):
        exact = scene.exact(others, part)
        for member in others:
            assert torch.allclose(part.gather(scene.outputs[member]), exact, rtol=1e-4, atol=1e-5), index
    last = scene.runs[0].results[-1]
    assert last is not None
    assert {item.id for item in last.groups} == {scene.teams[at].id for at in (0, 2, 3)}
    for member in scene.members_of(1):
        assert None in scene.runs[member].results
    assert not scene.still_running


@pytest.mark.parametrize("refusing", [1, 3])
def test_a_reducer_that_gives_nothing_is_known_to_all_members_of_its_group(refusing: int) -> None:
    """All honest reducers give nothing then: who lost the round was on no one's list, and did it again for ever.

    The head, which says who is lost, is on the list as well: it may be the one that lies. No other reducer is,
    whatever the hostile one says.
    """
    scene = CombiningScene(groups=1, size=5, refusing=frozenset({refusing}), rules=RULES_OF_FIVE).run()
    head = 4
    combiner = scene.runs[head].combiner
    assert isinstance(combiner, CombiningReducer)
    assert combiner.head is not None
    assert not combiner.head._absent, "it waited for nobody: it was refused as a sender"
    for member in set(range(5)) - {refusing}:
        assert None in scene.runs[member].results
        named = {scene.teams[0].members.index(peer) for peer in scene.runs[member].lost_reducers}
        assert named == {refusing, head} - {member}


def assert_means_of_those_included(scene: CombiningScene, members: list[int], number: int) -> None:
    """Assert that each part is the mean of the groups that it says; the last one has that many."""
    whole = [part for part in scene.runs[members[0]].results if part is not None]
    assert whole[-1].included == frozenset(range(number))
    for index, (part, result) in enumerate(zip(PARTS, whole, strict=True)):
        groups = [
            scene.teams.index(team_of(scene, whole[-1].groups[at].id)) for at in sorted(result.included)
        ]
        exact = scene.exact(scene.members_of(*sorted(groups)), part)
        for member in members:
            assert torch.allclose(part.gather(scene.outputs[member]), exact, rtol=1e-4, atol=1e-5), index


def team_of(scene: CombiningScene, number: bytes) -> Group:
    return next(team for team in scene.teams if team.id == number)


def groups_of(scene: CombiningScene) -> tuple[ReducedGroup, ...]:
    """Return the groups that have combined, in the order that all share."""
    last = scene.runs[0].results[-1]
    assert last is not None
    return last.groups


def in_order(scene: CombiningScene) -> list[int]:
    """Return the numbers of the groups in the order that all share: those with more samples come first."""
    samples = [
        sum(scene.weights[member] for member in scene.members_of(group)) for group in range(scene.groups)
    ]
    return sorted(range(scene.groups), key=lambda group: (-samples[group], scene.teams[group].id))


BROKEN_OFF = {
    "before it has sent a mean": PeerFailure("combine", 1, calls=True),
    "after one mean": PeerFailure("combine", 2, calls=True),
    "before it gives an aggregate": PeerFailure("combine"),
    "after one aggregate": PeerFailure("combine", 1),
}


# Eleven groups have a tree of another shape, and no reducer in another role.
@pytest.mark.parametrize(
    ("groups", "position"), [(4, 1), (7, 4), pytest.param(11, 2, marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("failure", BROKEN_OFF.values(), ids=BROKEN_OFF)
def test_a_reducer_that_is_lost_in_a_passage_costs_its_parts_alone(
    groups: int, position: int, failure: PeerFailure
) -> None:
    """Its group has all other parts in the commit, and what would have passed the reducer is kept for the next one.

    Reducers below it take the aggregates from the roots of the trees.
    """
    scene = CombiningScene(groups=groups, **PATIENT)
    group = in_order(scene)[position]
    scene.failures[3 * group + 1] = failure
    scene.run()
    others = scene.members_of(*(item for item in range(groups) if item != group))
    (root,) = roots(scene, others)
    assert_means_of_those_included(scene, others, groups)
    committed, reduced = groups_of(scene), list(scene.teams[group].parts_of(1))
    whole = [part for part in scene.runs[0].results if part is not None]
    lost = [index for index, part in enumerate(whole) if position not in part.included]
    assert lost or failure is not BROKEN_OFF["before it has sent a mean"]
    assert set(lost) <= set(reduced)
    for member in (3 * group, 3 * group + 2):
        run = scene.runs[member]
        assert [index for index, part in enumerate(run.results) if part is None] == reduced
        own = [
            run.has_own(index, part, combined_id(committed), committed) for index, part in enumerate(whole)
        ]
        assert own == [index not in lost for index in range(len(PARTS))]
    assert {record.root for record in scene.commits.written} == {root}


@pytest.mark.parametrize("failure", BROKEN_OFF.values(), ids=BROKEN_OFF)
def test_a_reducer_that_withdraws_in_a_passage_holds_nobody_up(failure: PeerFailure) -> None:
    """Its process goes on: it must end the answers that others wait for, or they would wait for the whole passage."""
    scene = CombiningScene(groups=11, **PATIENT)
    group = in_order(scene)[2]
    scene.failures[3 * group + 1] = replace(failure, withdraws=True)
    scene.run()
    others = scene.members_of(*(item for item in range(11) if item != group))
    assert len(roots(scene, others)) == 1
    assert_means_of_those_included(scene, others, 11)
    assert not scene.still_running


def test_a_reducer_that_begins_no_further_passage_refuses_who_waits_for_one() -> None:
    """A reducer that its head no longer hears has ended, while its peer is still in the round."""

    async def asked() -> list[averaging_pb2.AveragingData]:
        scene = CombiningScene(groups=1, **PATIENT)
        await scene.play()
        combiner = scene.runs[0].combiner
        assert combiner is not None
        first, head = averaging_pb2.AveragingData(peer_id=b"another passage"), scene.teams[0].members[2]
        return [message async for message in combiner.answer_group(first, as_aiter(), head)]

    (answer,) = asyncio.run(asked())
    assert answer.code == averaging_pb2.PROTOCOL_VIOLATION


def test_reducers_that_are_lost_in_several_groups_cost_no_other_group_anything() -> None:
    """In a swarm of thousands some are lost in each passage, at several depths of the trees."""
    scene = CombiningScene(groups=15, **PATIENT)
    struck = [in_order(scene)[position] for position in (1, 5, 10)]
    for group in struck:
        scene.failures.update({3 * group + number: PeerFailure("combine", number) for number in (0, 1)})
    scene.run()
    others = scene.members_of(*(group for group in range(15) if group not in struck))
    (root,) = roots(scene, others)
    assert_means_of_those_included(scene, others, 15)
    assert {record.root for record in scene.commits.written} == {root}


@pytest.mark.parametrize("position", [0, 6])
def test_without_the_root_of_a_tree_the_others_pass_again(position: int) -> None:
    scene = CombiningScene(groups=7, **PATIENT)
    group = in_order(scene)[position]
    scene.failures[3 * group + 1] = PeerFailure("combine")
    scene.run()
    left = [item for item in range(7) if item != group]
    others = scene.members_of(*left)
    assert len(roots(scene, others)) == 1
    assert_means_of_those_included(scene, others, 6)
    last = scene.runs[others[0]].results[-1]
    assert last is not None
    assert {item.id for item in last.groups} == {scene.teams[item].id for item in left}


def test_a_reducer_that_is_lost_while_it_gives_leaves_its_group_in_the_commit() -> None:
    scene = CombiningScene(groups=3, failures={4: PeerFailure("aggregate")}).run()
    others = scene.members_of(0, 2)
    (root,) = roots(scene, others)
    last = scene.runs[0].results[-1]
    assert last is not None
    assert len(last.groups) == 3
    for member in (3, 5):
        run = scene.runs[member]
        missing = [index for index, part in enumerate(run.results) if part is None]
        assert missing == list(scene.teams[1].parts_of(1))
        whole = [part for part in scene.runs[0].results if part is not None]
        assert root == record_of(0, HEAD, run.group, whole).root
        assert all(
            run.has_own(index, part, combined_id(last.groups), last.groups)
            for index, part in enumerate(whole)
        )


def test_the_own_parts_of_a_group_that_lost_its_head_as_it_gave_them_are_known_to_be_committed() -> None:
    """Nobody is given them, and other groups commit them: what is sent again would count twice."""
    scene = CombiningScene(groups=3, failures={5: PeerFailure("follow", 1)}).run()
    (root,) = roots(scene, scene.members_of(0, 2))
    last = scene.runs[0].results[-1]
    assert last is not None
    assert len(last.groups) == 3
    for member in (3, 4):
        run, whole = scene.runs[member], [part for part in scene.runs[0].results if part is not None]
        assert run.results == [None] * len(PARTS)
        assert record_of(0, HEAD, run.group, whole).root == root
        assert all(
            run.has_own(index, part, combined_id(last.groups), last.groups)
            for index, part in enumerate(whole)
        )


def test_a_head_that_is_lost_while_it_gives_leaves_no_task_behind() -> None:
    """It ends already when it is cancelled: what is left of its passages must have been cancelled by then."""
    scene = CombiningScene(groups=9, failures={20: PeerFailure("aggregate")}, **PATIENT).run()
    assert len(roots(scene, scene.members_of(0, 1, 2, 3, 4, 5, 7, 8))) == 1
    assert not scene.still_running


def test_a_group_that_comes_too_late_writes_no_commit_while_the_others_combine() -> None:
    """Its own record would be there before theirs, and count."""
    scene = CombiningScene(groups=3, expected=6, late={1: 1.0}, slow=0.6).run()
    (together,) = roots(scene, scene.members_of(0, 2))
    assert {record.root for record in scene.commits.written} == {together}
    assert {scene.runs[0].delays, scene.runs[6].delays} == {0}
    for member in scene.members_of(1):  # what they would be given is worth nothing
        assert scene.runs[member].results == [None] * len(PARTS)


def test_a_group_that_comes_too_late_does_not_wait_for_a_quorum_that_needs_its_votes() -> None:
    """Six others lack votes for more than half of twelve: both sides waited for each other until time was over."""
    scene = CombiningScene(
        groups=3, expected=6, late={1: 1.0}, slow=0.6, electorate=Electorate(size=12, least=12)
    )
    scene.run()
    assert len({record.root for record in scene.commits.written}) == 1
    head = scene.teams[1].members[2]
    for member in scene.members_of(1):  # what they would be given cannot outvote six users
        run = scene.runs[member]
        assert run.results == [None] * len(PARTS)
        assert run.lost_reducers == set()
        assert run.silent_head == (head if member != 5 else None), "it counts where nobody else has committed"
        losses = [
            RoundLosses.of(run, None, is_committed=False, have_others_committed=is_so)
            for is_so in (True, False)
        ]
        assert [item.lost for item in losses] == [set(), {head} if member != 5 else set()]


def test_a_head_that_withdraws_leaves_nobody_waiting() -> None:
    scene = CombiningScene(groups=3, withdrawn=frozenset({5}), slow=0.3).run()
    assert len(roots(scene, scene.members_of(0, 2))) == 1
    assert all(task.done() for task in scene.tasks)
    assert not scene.still_running


def test_a_group_alone_that_waited_for_others_commits_its_own_aggregate() -> None:
    scene = CombiningScene(groups=1, expected=6).run()
    assert [record.stage for record in scene.announced.written] == ["formed", "reduced", "failed"]
    assert len(roots(scene, scene.members_of(0))) == 1
    assert scene.runs[0].delays == 0


def test_one_group_announces_nothing_where_no_peers_are_left_for_another() -> None:
    scene = CombiningScene(groups=1)
    scene.run()
    assert scene.announced.written == []
    assert len(roots(scene, scene.members_of(0))) == 1


def test_groups_that_fail_twice_leave_the_epoch_to_one() -> None:
    failures = {4: PeerFailure("combine"), 7: PeerFailure("describe"), 8: PeerFailure("describe")}
    scene = CombiningScene(groups=4, failures=failures).run()
    assert len(roots(scene, scene.members_of(0))) == 1


def test_the_contributors_of_each_group_are_kept_by_its_members_and_by_the_head_above() -> None:
    scene = CombiningScene(groups=3).run()
    last = scene.runs[0].results[-1]
    assert last is not None
    for at, team in enumerate(scene.teams):
        (share,) = [item for item in last.groups if item.id == team.id]
        names = [item.peer_id for item in scene.runs[at * scene.size].contributors]
        assert names == [member.to_bytes() for member in team.members]
        assert share.contributors == digest_of_contributors(scene.runs[at * scene.size].contributors)
    heads = [scene.kept[at * scene.size + 2] for at in range(3)]
    kept = [kept.name_contributors(team.id).group_id for kept in heads for team in scene.teams]
    assert sum(map(bool, kept)) == 2  # of each group but the first one of the last part's tree


@pytest.mark.parametrize("form", [Encoding.UNIFORM8, Encoding.BLOCKWISE4, TopK(chunk=256, kept=32)])
def test_coarse_forms_combine_to_the_same_bytes_near_the_mean(form: Encoding | TopK) -> None:
    parts = cut([(3000, form), (500, Encoding.FLOAT32)], part_bytes=1200)
    scene = CombiningScene(groups=4, parts=parts).run()
    everybody = scene.members_of(0, 1, 2, 3)
    found = {
        tuple(part.digest for part in scene.runs[member].results if part is not None) for member in everybody
    }
    assert len(found) == 1
    assert {len(item) for item in found} == {len(parts)}
    exact, got = parts[0].gather(scene.outputs[0]), scene.exact(everybody, parts[0])
    assert torch.nn.functional.cosine_similarity(exact, got, dim=0) > 0.5
