"""Each user has one voice in where the swarm is, however many peers it has, and a peer far ahead is alone."""

from collections.abc import Sequence
from typing import Any

import pytest

from core.messages.waiting import SwarmWait
from core.swarm.membership.agreement import Course, assess
from core.swarm.membership.majority import believed_epoch, epoch_left_alone, leading_place
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import certificate_of, digest_of, peer_bytes, progress

TOLERANCE = 1e-3
SYBILS = 32


class UserRecords:
    """Records of a gated run, each with a peer id of its own."""

    def __init__(self) -> None:
        self.records = list[ProgressRecord]()

    def add(self, user: str, count: int = 1, **changed: Any) -> "UserRecords":
        for _ in range(count):
            number = len(self.records) + 1
            self.records.append(progress(number, certificate=certificate_of(user), **changed))
        return self

    def add_users(self, *users: str, **changed: Any) -> "UserRecords":
        for user in users:
            self.add(user, **changed)
        return self


def own(user: str = "me", **changed: Any) -> ProgressRecord:
    return progress(0, certificate=certificate_of(user), **changed)


LIES: dict[str, dict[str, Any]] = {
    "an epoch ahead": {"epoch": 8, "head": digest_of("ahead")},
    "an absurd epoch": {"epoch": 1_000_000},
    "an epoch behind": {"epoch": 6},
    "another head": {"head": min(digest_of(word) for word in ("one", "two", "three", "four"))},
    "other parameters": {
        "parameters": min(digest_of(word) for word in "abcdefgh"),
        "sketch": [9.0, 9.0, 9.0],
    },
}


@pytest.mark.parametrize("lie", LIES)
def test_the_peers_of_one_user_decide_nothing_against_three_others(lie: str) -> None:
    crowd = UserRecords().add("eve", SYBILS, **LIES[lie]).add_users("ada", "bob")
    verdict = assess(own("cid"), crowd.records, sketch_tolerance=TOLERANCE)
    assert verdict.course is Course.FOLLOW
    assert leading_place(crowd.add("cid").records) == (7, digest_of("head"))
    assert believed_epoch(crowd.records) == 7


@pytest.mark.parametrize("lie", ["an epoch ahead", "an absurd epoch"])
def test_a_newcomer_goes_by_users(lie: str) -> None:
    crowd = UserRecords().add("eve", SYBILS, **LIES[lie]).add_users("ada", "bob", "cid")
    verdict = assess(own(epoch=0, synchronised=False), crowd.records, sketch_tolerance=TOLERANCE)
    assert verdict.course is Course.DOWNLOAD
    assert verdict.missed == 7


def test_donors_and_keepers_alternate_between_users() -> None:
    crowd = UserRecords().add("eve", SYBILS).add_users("ada", "bob", "cid")
    verdict = assess(own(epoch=0, synchronised=False), crowd.records, sketch_tolerance=TOLERANCE)
    user_of = {record.peer_id: record.user for record in crowd.records}
    assert {user_of[donor] for donor in verdict.donors[:4]} == {"eve", "ada", "bob", "cid"}
    assert len(verdict.donors) == SYBILS + 3


def test_the_machines_of_one_user_count_as_one_where_they_disagree_among_themselves() -> None:
    """Two of three machines of a user are ahead: two thirds of a voice against a third and another user's."""
    crowd = UserRecords().add("ada", 2, epoch=8).add("ada")
    assert assess(own("bob"), crowd.records, sketch_tolerance=TOLERANCE).course is Course.FOLLOW
    crowd.add("bob", 1, epoch=8)
    assert assess(own("bob"), crowd.records, sketch_tolerance=TOLERANCE).course is Course.CATCH_UP


@pytest.mark.parametrize(
    ("users", "believed"),
    [
        ({"eve": {500: 2}, "ada": {7: 1}}, 7),
        ({"eve": {500: SYBILS}}, 500),
        ({"eve": {500: SYBILS, 7: 1}}, 500),
        ({"eve": {500: SYBILS}, "ada": {7: 1}, "bob": {7: 1}}, 7),
        ({"ada": {9: 2, 7: 1}, "bob": {9: 1}}, 9),  # a machine that lags holds nothing up
        ({"ada": {9: 1, 7: 2}, "bob": {9: 1}}, 7),
        ({"eve": {500: SYBILS}, "ada": {9: 11}, "bob": {7: 1}}, 9),
        ({"eve": {500: 11}, "ada": {500: 11}, "bob": {7: 1}}, 500),
    ],
)
def test_an_epoch_is_believed_by_the_word_of_two_users(
    users: dict[str, dict[int, int]], believed: int
) -> None:
    crowd = UserRecords()
    for user, places in users.items():
        for epoch, count in places.items():
            crowd.add(user, count, epoch=epoch)
    assert believed_epoch(crowd.records) == believed


def test_the_age_of_an_epoch_is_that_of_users() -> None:
    crowd = UserRecords().add("eve", SYBILS, epoch_seconds=9e9).add_users("ada", "bob", epoch_seconds=50.0)
    view = SwarmView(1000.0, tuple(crowd.records))
    assert view.epoch_seconds(own(epoch_seconds=40.0), 1000.0) == 50.0


# --- ahead of the majority ---


def at(*epochs: int, **changed: Any) -> Sequence[ProgressRecord]:
    return [progress(number, epoch=epoch, **changed) for number, epoch in enumerate(epochs, 1)]


@pytest.mark.parametrize(
    ("mine", "others", "epoch"),
    [
        (25, [], None),
        (25, at(12), None),  # half and half: the further epoch is the swarm's
        (25, at(12, 12), 12),
        (14, at(12, 12), 12),
        (13, at(12, 12), None),  # one ahead is the lag of every record
        (25, at(25, 12, 12), None),  # half and half again
        (25, at(25, 12, 12, 12), 12),
        (25, at(24, 12, 12, 12), 12),
        (25, at(24, 24, 12, 12), None),  # one behind
        (25, at(30, 12, 12), None),  # the second half
        (25, at(11, 12, 13, 14), 13),
        (25, at(12, 12, paused=True), None),  # it alone was at work
        (25, [*at(25), *(record.model_copy(update={"paused": True}) for record in at(9, 12, 12)[1:])], None),
        (25, at(12, 12, 12, auxiliary=True), None),
        (25, at(12, 12, 12, synchronised=False), None),
        (25, at(12, 12, 12, waiting=SwarmWait.NO_DONOR), None),  # they want to follow, and can't
        (25, at(12, 12, 12, waiting=SwarmWait.UNREACHABLE), 12),
    ],
)
def test_a_peer_is_left_alone_more_than_one_epoch_past_most_voices(
    mine: int, others: Sequence[ProgressRecord], epoch: int | None
) -> None:
    assert epoch_left_alone(progress(0, epoch=mine), others) == epoch


def test_many_machines_of_one_user_are_no_majority_that_others_left() -> None:
    crowd = UserRecords().add("eve", SYBILS, epoch=12).add_users("ada", epoch=25)
    assert epoch_left_alone(own("bob", epoch=25), crowd.records) is None
    assert epoch_left_alone(own("eve", epoch=25), UserRecords().add("eve", SYBILS, epoch=12).records) == 12


def test_one_who_joins_is_never_ahead() -> None:
    assert epoch_left_alone(progress(0, epoch=25, synchronised=False), at(12, 12)) is None


@pytest.mark.parametrize(
    ("halves", "tied"), [((2, 2), True), ((1, 1), True), ((3, 2), False), ((2, 3), False)]
)
@pytest.mark.parametrize("further", [8, 9, 25])
def test_of_two_halves_all_choose_the_same(halves: tuple[int, int], tied: bool, further: int) -> None:
    """Of equal ones the further; else the larger. Who is just one epoch ahead of a majority stays until it comes."""
    left, right = halves
    swarm = at(*[7] * left, *[further] * right)
    goals = set[int]()
    for mine in swarm:
        others = [record for record in swarm if record is not mine]
        alone = epoch_left_alone(mine, others) is not None
        verdict = assess(mine, others, sketch_tolerance=TOLERANCE, is_alone=alone)
        moves = {Course.CATCH_UP: further, Course.DOWNLOAD: 7 if alone else further}
        goals.add(moves.get(verdict.course, mine.epoch))
        if alone:
            assert set(verdict.donors) == {record.peer_id for record in swarm if record.epoch == 7}
    if tied or right > left:
        assert goals == {further}
    else:
        assert goals == ({7, further} if further == 8 else {7})


def test_who_went_on_alone_takes_the_state_that_the_majority_names() -> None:
    states = {"theirs": digest_of("theirs"), "mine": digest_of("mine")}
    others = [*at(12, 12, state=states["theirs"]), progress(9, epoch=25, state=states["mine"])]
    mine = progress(0, epoch=25, certificate=certificate_of("me"))
    others.append(progress(10, epoch=12, state=states["theirs"]))
    verdict = assess(mine, others, sketch_tolerance=TOLERANCE, is_alone=True)
    assert verdict.course is Course.DOWNLOAD
    assert verdict.reason == "it went on without the swarm to epoch 25, and most of the swarm is at epoch 12"
    assert [item.root for item in verdict.vouched] == [states["theirs"]]
    assert peer_bytes(9) not in verdict.donors
    assert not assess(mine, others, sketch_tolerance=TOLERANCE).donors, "not before it is sure"
