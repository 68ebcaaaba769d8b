"""A peer reacts to the swarm that it sees: one liar moves no peer for good, and merging ends."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.messages.waiting import SwarmWait
from core.swarm.membership.agreement import Course, assess, in_order_of_asking
from core.swarm.membership.majority import believed_epoch, leading_place
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import VOICE
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of, peer_bytes, progress

TOLERANCE = 1e-3
ABSURD = 1_000_000
NEAR, FAR = [3.0, -4.0001, 0.0], [3.0, -5.0, 0.0]


@dataclass(frozen=True)
class CourseCase:
    """A peer's own record, the records that it sees, and the course that follows."""

    words: str
    own: ProgressRecord
    others: Sequence[ProgressRecord]
    course: Course
    donors: tuple[int, ...] = ()
    keepers: tuple[int, ...] = ()
    waiting: SwarmWait | None = None

    def __str__(self) -> str:
        return self.words


def branch(word: str) -> dict[str, bytes]:
    return {"head": digest_of(word), "parameters": digest_of(f"parameters of {word}")}


SMALLER, LARGER = sorted(("left", "right"), key=digest_of)
CLIENT: dict[str, Any] = {"reducing": False}
HELPER: dict[str, Any] = {"auxiliary": True, "samples": 0}
GIVING: dict[str, Any] = {**HELPER, "paused": True, "donates": True}
LESS, MORE = sorted(("one", "another"), key=digest_of)


def strayed(word: str, sketch: Sequence[float] = FAR) -> dict[str, object]:
    return {"parameters": digest_of(word), "sketch": list(sketch)}


CASES = (
    CourseCase("alone", progress(0), [], Course.FOLLOW),
    CourseCase("joining, alone", progress(0, synchronised=False, epoch=0), [], Course.FOLLOW),
    CourseCase("all at one place", progress(0), [progress(1), progress(2)], Course.FOLLOW),
    CourseCase(
        "those that are paused hold nobody back",
        progress(0, epoch=6),
        [progress(1, epoch=6, paused=True), progress(2, epoch=6, paused=True), progress(3)],
        Course.CATCH_UP,
        donors=(3,),
    ),
    CourseCase(
        "all others are paused, and somebody joins",
        progress(0, epoch=0, synchronised=False),
        [progress(1, paused=True), progress(2, paused=True)],
        Course.DOWNLOAD,
        donors=(1, 2),
    ),
    CourseCase(
        "one record of an absurd epoch among three",
        progress(0),
        [progress(1), progress(2, epoch=ABSURD)],
        Course.FOLLOW,
    ),
    CourseCase(
        "one among five",
        progress(0),
        [progress(1), progress(2), progress(3), progress(4, epoch=ABSURD)],
        Course.FOLLOW,
    ),
    CourseCase(
        "the only other peer claims an absurd epoch: its evidence is asked for",
        progress(0),
        [progress(1, epoch=ABSURD)],
        Course.DOWNLOAD,
        (1,),
    ),
    CourseCase(
        "a joining peer's claim moves nobody",
        progress(0),
        [progress(1, epoch=8, synchronised=False)],
        Course.FOLLOW,
    ),
    CourseCase(
        "an auxiliary peer has no say", progress(0), [progress(1, epoch=8, auxiliary=True)], Course.FOLLOW
    ),
    CourseCase(
        "one behind", progress(0), [progress(1, epoch=8), progress(2, epoch=8)], Course.CATCH_UP, (1, 2)
    ),
    CourseCase(
        "many behind", progress(0), [progress(1, epoch=9), progress(2, epoch=9)], Course.DOWNLOAD, (1, 2)
    ),
    CourseCase(
        "half of the swarm is ahead",
        progress(0),
        [progress(1), progress(2, epoch=8), progress(3, epoch=8)],
        Course.CATCH_UP,
        (2, 3),
    ),
    CourseCase("less than half is ahead", progress(0), [progress(1), progress(2, epoch=8)], Course.FOLLOW),
    CourseCase("the swarm is behind us", progress(0, epoch=8), [progress(1), progress(2)], Course.FOLLOW),
    CourseCase(
        "late: the liar is asked last",
        progress(0, synchronised=False, epoch=0),
        [progress(3, epoch=ABSURD), progress(1), progress(2)],
        Course.DOWNLOAD,
        (1, 2, 3),
    ),
    CourseCase(
        "donors are those that accept connections",
        progress(0, epoch=5),
        [progress(1, reducing=False), progress(2)],
        Course.DOWNLOAD,
        (2,),
    ),
    CourseCase(
        "on the branch of fewer",
        progress(0, **branch("mine")),
        [progress(1, **branch("theirs")), progress(2, **branch("theirs"))],
        Course.DOWNLOAD,
        (1, 2),
    ),
    CourseCase(
        "on the branch of more",
        progress(0, **branch("ours")),
        [progress(1, **branch("ours")), progress(2, **branch("theirs"))],
        Course.FOLLOW,
    ),
    CourseCase(
        "a tie of branches, on the larger digest",
        progress(0, **branch(LARGER)),
        [progress(1, **branch(SMALLER))],
        Course.DOWNLOAD,
        (1,),
    ),
    CourseCase(
        "a tie of branches, on the smaller digest",
        progress(0, **branch(SMALLER)),
        [progress(1, **branch(LARGER))],
        Course.FOLLOW,
    ),
    CourseCase(
        "parameters differ in the last bits: unlike hardware",
        progress(0, **strayed("mine", NEAR)),
        [progress(1), progress(2)],
        Course.FOLLOW,
    ),
    CourseCase(
        "parameters have strayed",
        progress(0, **strayed("mine")),
        [progress(1), progress(2)],
        Course.DOWNLOAD,
        (1, 2),
    ),
    CourseCase(
        "one other has strayed", progress(0), [progress(1), progress(2, **strayed("theirs"))], Course.FOLLOW
    ),
    CourseCase(
        "two that differ: the larger digest falls in",
        progress(0, **strayed(MORE)),
        [progress(1, **strayed(LESS, [3.0, -4.0, 0.0]))],
        Course.DOWNLOAD,
        (1,),
    ),
    CourseCase(
        "two that differ: the smaller digest stays",
        progress(0, **strayed(LESS)),
        [progress(1, **strayed(MORE, [3.0, -4.0, 0.0]))],
        Course.FOLLOW,
    ),
    CourseCase(
        "a sketch of another size says nothing in its favour",
        progress(0, **strayed("mine", [1.0])),
        [progress(1), progress(2)],
        Course.DOWNLOAD,
        (1, 2),
    ),
    CourseCase(
        "joining at the swarm's epoch with its parameters",
        progress(0, synchronised=False),
        [progress(1)],
        Course.FOLLOW,
    ),
    CourseCase(
        "joining with a branch of its own",
        progress(0, synchronised=False, **branch(SMALLER)),
        [progress(1, **branch(LARGER))],
        Course.DOWNLOAD,
        (1,),
    ),
)

UNREACHED = (
    CourseCase(
        "late, and only a follower can be asked",
        progress(0, synchronised=False, epoch=0, **CLIENT),
        [progress(1, **CLIENT), progress(2, **HELPER), progress(3, **GIVING)],
        Course.DOWNLOAD,
        (3,),
        (2,),
    ),
    CourseCase(
        "late, and the follower is one epoch behind the others",
        progress(0, synchronised=False, epoch=0, **CLIENT),
        [progress(1, **CLIENT), progress(3, epoch=6, **GIVING)],
        Course.DOWNLOAD,
        (3,),
    ),
    CourseCase(
        "late, and the follower, which gives to many, is a round behind a trainer that accepts connections",
        progress(0, synchronised=False, epoch=0),
        [progress(1), progress(3, epoch=6, **GIVING), progress(4, epoch=ABSURD, **GIVING)],
        Course.DOWNLOAD,
        (3, 1, 4),
    ),
    CourseCase(
        "late, and the follower is further behind than rounds are fetched",
        progress(0, synchronised=False, epoch=0),
        [progress(1, epoch=30), progress(3, epoch=13, **GIVING)],
        Course.DOWNLOAD,
        (1, 3),
    ),
    CourseCase(
        "one behind, and an auxiliary peer has the round",
        progress(0, epoch=6, **CLIENT),
        [progress(1, **CLIENT), progress(2, **HELPER)],
        Course.CATCH_UP,
        (),
        (2,),
    ),
    CourseCase(
        "some behind, and no peer gives a state: round by round",
        progress(0, epoch=1, **CLIENT),
        [progress(1, **CLIENT), progress(2, **HELPER)],
        Course.CATCH_UP,
        (),
        (2,),
    ),
    CourseCase(
        "far behind, and no peer gives a state",
        progress(0, epoch=1, **CLIENT),
        [progress(1, epoch=90, **CLIENT), progress(2, epoch=90, **HELPER)],
        Course.AWAIT,
        (),
        (2,),
        SwarmWait.NO_DONOR,
    ),
    CourseCase(
        "behind, and no peer can be asked for anything",
        progress(0),
        [progress(1, epoch=8, **CLIENT), progress(2, epoch=8, **CLIENT)],
        Course.AWAIT,
        waiting=SwarmWait.NO_DONOR,
    ),
    CourseCase(
        "on the branch of fewer, and no peer can be asked",
        progress(0, **branch("mine")),
        [progress(1, **branch("theirs"), **CLIENT), progress(2, **branch("theirs"), **CLIENT)],
        Course.AWAIT,
        waiting=SwarmWait.NO_DONOR,
    ),
    CourseCase(
        "on the branch of fewer, and the follower is on the other",
        progress(0, **branch("mine")),
        [
            progress(1, **branch("theirs"), **CLIENT),
            progress(2, **branch("theirs"), **CLIENT),
            progress(3, **branch("theirs"), **GIVING),
            progress(4, **branch("mine"), **GIVING),
        ],
        Course.DOWNLOAD,
        (3,),
        (4,),
    ),
    CourseCase(
        "strayed, and the follower has what the others have",
        progress(0, **strayed("mine")),
        [progress(1, **CLIENT), progress(2, **CLIENT), progress(3, **GIVING)],
        Course.DOWNLOAD,
        (3,),
    ),
    CourseCase(
        "beside trainers a follower has no vote",
        progress(0),
        [progress(1), progress(2, epoch=9, **GIVING), progress(3, epoch=9, **GIVING)],
        Course.FOLLOW,
    ),
    CourseCase(
        "where all trainers have left, the follower stands for them",
        progress(0, epoch=0, synchronised=False),
        [progress(1, **GIVING), progress(2, **HELPER)],
        Course.DOWNLOAD,
        (1,),
        (2,),
    ),
    CourseCase(
        "alone, and ahead of the follower", progress(0), [progress(1, epoch=6, **GIVING)], Course.FOLLOW
    ),
)


@pytest.mark.parametrize("case", [*CASES, *UNREACHED], ids=str)
def test_the_course(case: CourseCase) -> None:
    verdict = assess(case.own, case.others, sketch_tolerance=TOLERANCE)
    assert verdict.course == case.course
    if case in UNREACHED:
        assert verdict.keepers == tuple(peer_bytes(number) for number in case.keepers)
    assert verdict.waiting == case.waiting
    assert set(verdict.donors) == {peer_bytes(number) for number in case.donors}
    epochs = {record.peer_id: record.epoch for record in case.others}
    expected = [epochs[peer_bytes(number)] for number in case.donors]
    assert [epochs[donor] for donor in verdict.donors] == expected, "peers of one epoch are in any order"
    assert bool(verdict.reason) == (case.course != Course.FOLLOW)


@pytest.mark.parametrize(
    ("missed", "course"), [(1, Course.CATCH_UP), (3, Course.CATCH_UP), (4, Course.DOWNLOAD)]
)
@pytest.mark.parametrize("synchronised", [True, False])
def test_few_missed_rounds_are_fetched_and_no_state(missed: int, course: Course, synchronised: bool) -> None:
    own = progress(0, synchronised=synchronised)
    others = [progress(number, epoch=own.epoch + missed) for number in (1, 2)]
    assert assess(own, others, sketch_tolerance=TOLERANCE, most_rounds=3).course == course


def test_donors_and_keepers_of_one_rank_are_asked_equally() -> None:
    """Each late peer has an order of its own, and auxiliary peers are asked for rounds before trainers."""
    others = [
        *(progress(number) for number in range(1, 4)),
        *(progress(number, **HELPER) for number in range(4, 7)),
    ]
    first: Counter[bytes] = Counter()
    for number in range(100, 400):
        own = progress(number, epoch=6)
        verdict = assess(own, others, sketch_tolerance=TOLERANCE)
        assert verdict.donors == assess(own, others[::-1], sketch_tolerance=TOLERANCE).donors
        first.update((verdict.donors[0], verdict.keepers[0]))
        assert set(verdict.keepers) == {peer_bytes(helper) for helper in range(4, 7)}
    assert all(60 < first[peer_bytes(number)] < 140 for number in range(1, 7)), first


def test_the_states_that_the_swarm_names_come_with_the_verdict() -> None:
    one, other = digest_of("one state"), digest_of("another state")
    others = [
        progress(1, state=one),
        progress(2, state=one),
        progress(3, state=other, epoch=ABSURD),
        progress(4, state=other, epoch=ABSURD, **GIVING),
        progress(5, state=other, synchronised=False),
    ]
    verdict = assess(progress(0, epoch=0, synchronised=False), others, sketch_tolerance=TOLERANCE)
    assert [(item.root, item.total) for item in verdict.vouched] == [(one, 2 * VOICE), (other, VOICE)]


def test_few_of_those_that_claim_to_donate_come_before_trainers() -> None:
    """Any peer can claim it."""
    claims = [progress(number, epoch=6, **GIVING) for number in range(1, 9)]
    verdict = assess(
        progress(0, epoch=0, synchronised=False),
        [*claims, progress(9), progress(10)],
        sketch_tolerance=TOLERANCE,
    )
    assert set(verdict.donors[:2]) == verdict.servers
    assert set(verdict.donors[2:4]) == {peer_bytes(9), peer_bytes(10)}


def test_peers_that_are_still_joining_are_asked_for_rounds_last() -> None:
    joining = [progress(number, synchronised=False) for number in range(1, 9)]
    found = in_order_of_asking(
        [*joining, progress(9), progress(10, **GIVING), progress(11, **HELPER)], peer_bytes(0)
    )
    assert {record.peer_id for record in found[:2]} == {peer_bytes(10), peer_bytes(11)}
    assert found[2].peer_id == peer_bytes(9)


def records(number: int) -> st.SearchStrategy[ProgressRecord]:
    """Peers spread over a few epochs, branches and parameters."""
    return st.builds(
        lambda epoch, head, parameters, sketch, synchronised: progress(
            number,
            epoch=epoch,
            head=digest_of(head),
            parameters=digest_of(parameters),
            sketch=[sketch, -4.0, 0.0],
            synchronised=synchronised,
        ),
        st.integers(5, 8),
        st.sampled_from("ab"),
        st.sampled_from("xyz"),
        st.sampled_from([3.0, 3.5, 4.0]),
        st.booleans(),
    )


swarms = st.integers(1, 6).flatmap(lambda count: st.tuples(*(records(number) for number in range(count + 1))))


def taken_over(own: ProgressRecord, donor: ProgressRecord) -> ProgressRecord:
    """Return the record of a peer that has taken over a donor's state."""
    return donor.model_copy(update={"peer_id": own.peer_id, "synchronised": own.synchronised})


@FIFTY_EXAMPLES
@given(swarms)
def test_after_taking_over_the_first_donors_state_a_peer_follows(swarm: tuple[ProgressRecord, ...]) -> None:
    """Else it would re-synchronise for ever; a swarm on two epochs may take a second step."""
    own, *others = swarm
    by_id = {record.peer_id: record for record in others}
    for _ in range(4):
        verdict = assess(own, others, sketch_tolerance=TOLERANCE)
        if verdict.course == Course.FOLLOW:
            return
        own = taken_over(own, by_id[verdict.donors[0]]).model_copy(update={"synchronised": True})
    pytest.fail(f"still falling in: {verdict.reason}")


@FIFTY_EXAMPLES
@given(swarms)
def test_a_swarm_that_falls_in_peer_by_peer_ends_up_agreed(swarm: tuple[ProgressRecord, ...]) -> None:
    peers = [record.model_copy(update={"synchronised": True}) for record in swarm]
    for _ in range(5):
        courses = []
        for index, own in enumerate(peers):
            others = [*peers[:index], *peers[index + 1 :]]
            verdict = assess(own, others, sketch_tolerance=TOLERANCE)
            courses.append(verdict.course)
            if verdict.course != Course.FOLLOW:
                donor = next(record for record in others if record.peer_id == verdict.donors[0])
                peers[index] = taken_over(own, donor)
        if set(courses) == {Course.FOLLOW}:
            return
    pytest.fail("five turns were not enough")


@pytest.mark.parametrize(
    ("trainers", "epoch"),
    [
        ([], None),
        ([{}], 7),
        ([{"epoch": 500}, {"epoch": 100, "paused": True}, {"epoch": 100, "paused": True}], 500),
        ([{"epoch": 100, "paused": True}], 100),
        ([{"epoch": 9}, {}, {}], 7),
        ([{"epoch": 9}, {"epoch": 9}, {}], 9),
        ([{"epoch": 9, "synchronised": False}, {"epoch": 8, "auxiliary": True}, {}], 7),
    ],
)
def test_who_only_looks_on_sees_where_those_are_that_go_on(
    trainers: list[dict[str, Any]], epoch: int | None
) -> None:
    place = leading_place([progress(number, **changed) for number, changed in enumerate(trainers)])
    assert (place and place[0]) == epoch


@pytest.mark.parametrize(
    ("epochs", "believed"),
    [([], None), ([9], 9), ([9, 7], 7), ([9, 9], 9), ([9, 7, 7], 7), ([9, 9, 7], 9), ([9, 9, 7, 7, 7], 7)],
)
def test_one_trainer_alone_proves_no_epoch_where_there_are_several(
    epochs: list[int], believed: int | None
) -> None:
    idle = [progress(90, epoch=99, auxiliary=True), progress(91, epoch=99, synchronised=False)]
    trainers = [progress(number, epoch=epoch) for number, epoch in enumerate(epochs)]
    assert believed_epoch([*idle, *trainers]) == believed


@pytest.mark.parametrize(
    ("others", "aside", "waits"),
    [
        ([], [{"epoch": 9}], True),
        ([], [{"epoch": 9, **CLIENT}], True),
        ([], [{"epoch": 9, **GIVING}], True),
        ([], [branch("another")], True),
        ([{"synchronised": False}], [{"epoch": 9}], True),
        ([{**HELPER}], [{"epoch": 9}], True),
        ([{}], [{"epoch": 9}], False),
        ([], [], False),
        ([], [{}], False),
        ([], [{"epoch": 6}], False),
        ([], [{"epoch": 9, **HELPER}], False),
        ([], [{"epoch": 9, "synchronised": False}], False),
    ],
)
@pytest.mark.parametrize("synchronised", [True, False])
def test_a_peer_does_not_go_on_alone_beside_one_that_is_ahead_and_gave_nothing(
    others: list[dict[str, Any]], aside: list[dict[str, Any]], waits: bool, synchronised: bool
) -> None:
    verdict = assess(
        progress(0, synchronised=synchronised),
        [progress(1 + number, **changed) for number, changed in enumerate(others)],
        sketch_tolerance=TOLERANCE,
        aside=[progress(90 + number, **changed) for number, changed in enumerate(aside)],
    )
    expected = (Course.AWAIT, SwarmWait.NO_DONOR) if waits else (Course.FOLLOW, None)
    assert (verdict.course, verdict.waiting, bool(verdict.reason)) == (*expected, waits)
