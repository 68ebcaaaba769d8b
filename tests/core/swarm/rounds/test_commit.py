"""An epoch is committed by votes: whoever looks in time believes the same aggregate, however groups interleave."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from core.run.encodings import Encoding
from core.swarm.quorum.decision import QuorumDecision, decided
from core.swarm.quorum.electorate import RECENT, Electorate
from core.swarm.quorum.vote_book import DOUBTS
from core.swarm.quorum.votes import Vote, names_nothing, without_parts
from core.swarm.rounds.commit import Ballot, IncompleteRound, commit, record_of, root_digest
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import encode
from core.swarm.wire.records import CommitRecord
from tests.core.swarm.builders import FIFTY_EXAMPLES, certificate_of, commit_record, digest_of, peer_bytes
from tests.core.swarm.virtual_time import VirtualTime

EPOCH, PARENT = 7, digest_of("parent")
SETTLE, PATIENCE, LONGEST = 1.0, 6.0, 30.0


@dataclass
class VotingScene:
    """A swarm of users whose votes are seen, and whose looks are answered, after a while."""

    users: int
    write_seconds: float = 0.5
    read_seconds: float = 0.1
    fetch_seconds: float = 1.0
    time: VirtualTime = field(default_factory=VirtualTime)
    votes: list[Vote] = field(default_factory=list)
    without_bytes: set[bytes] = field(default_factory=set)
    """Roots whose bytes no peer has."""
    fetched: list[tuple[int, bytes]] = field(default_factory=list)
    """Numbers of peers, and the roots whose bytes they asked for."""
    ended: dict[int, float] = field(default_factory=dict)

    def electorate(self, number: int) -> Electorate:
        names = frozenset(f"user{item}" for item in range(self.users))
        return Electorate(self.users, names, own=f"user{number}")

    async def peer(
        self,
        number: int,
        own: str | None,
        *,
        after: float = 0.0,
        delays: int = 0,
        count: Callable[[RoundEvent], None] = lambda event: None,
        log: CommitLog | None = None,
        awaited: Sequence[int] | None = None,
        has_round: bool = True,
        unwanted: str | None = None,
    ) -> QuorumDecision | None:
        """The course of the peer of a user that holds the aggregate ``own`` from some seconds on."""
        log = log or LogOfUser(self, number)
        ballot = Ballot(
            EPOCH,
            PARENT,
            self.electorate(number),
            digest_of("state"),
            settle_seconds=SETTLE,
            patience_seconds=PATIENCE,
            longest_seconds=LONGEST,
            has_round=has_round,
        )

        async def fetch(record: CommitRecord) -> bool:
            self.fetched.append((number, record.root))
            await self.time.sleep(self.fetch_seconds)
            if record.root in self.without_bytes:
                log.book.doubt(record)
                return False
            return True

        await self.time.sleep(after)
        found = await commit(
            ballot,
            commit_record(own) if own else None,
            log,
            fetch,
            incomplete=None if awaited is None else incomplete_round(awaited),
            unwanted=commit_record(unwanted) if unwanted else None,
            delays=delays,
            count=count,
            sleep=self.time.sleep,
            clock=self.time.clock,
        )
        self.ended[number] = self.time.now
        return found

    async def hostile(self, number: int, words: Sequence[str], every: float = 0.4) -> None:
        """A user that votes for another root again and again, of which nobody has the bytes."""
        log = LogOfUser(self, number)
        for word in words:
            record = commit_record(word, samples=9e7, members=1)
            self.without_bytes.add(record.root)
            await log.write(record)
            await self.time.sleep(every)

    def run(self, *peers: Coroutine[Any, Any, Any]) -> list[str | None]:
        """Run all, and return the names of the aggregates that they believe."""
        found: list[Any] = self.time.run(*peers)
        words = {digest_of(word): word for word in "abcdefghijklmnopqrstuvwxyz"}
        return [words[item.record.root] if isinstance(item, QuorumDecision) else None for item in found]


def incomplete_round(awaited: Sequence[int]) -> IncompleteRound:
    """The round of a member that lacks parts, and waits for members of those numbers."""
    return IncompleteRound(commit_record("of the group"), frozenset(map(peer_bytes, awaited)))


class LogOfUser(CommitLog):
    """The log as the peer of one user reads and writes it."""

    def __init__(self, scene: VotingScene, number: int, write_seconds: float | None = None) -> None:
        super().__init__(lambda: 1000.0 + scene.time.now)
        self._scene, self._number = scene, number
        self._write_seconds = scene.write_seconds if write_seconds is None else write_seconds

    async def _found(self, epoch: int) -> list[Vote]:
        found = list(self._scene.votes)  # as of when it was asked: what comes on the way is not in the answer
        await self._scene.time.sleep(self._scene.read_seconds)
        return found

    async def _store(self, record: CommitRecord) -> Vote | None:
        await self._scene.time.sleep(self._write_seconds)
        certificate = certificate_of(f"user{self._number}")
        vote = Vote(peer_bytes(self._number), record.model_copy(update={"certificate": certificate}))
        self._scene.votes.append(vote)
        return vote


# --- what a record says ---------------------------------------------------------------------------------------


def parts_of(word: str) -> list[ReducedPart]:
    values = torch.arange(10.0) + len(word)
    return [ReducedPart(encode(values, Encoding.FLOAT32), 64.0, frozenset({0, 1})) for _ in range(3)]


def group_of_two(word: str = "group") -> Group:
    members = (PeerID(peer_bytes(0)), PeerID(peer_bytes(1)))
    return Group(digest_of(word)[:20], members, (0, 1), (0, 0, 1))


def test_members_with_the_same_parts_write_the_same_record() -> None:
    record = record_of(EPOCH, PARENT, group_of_two(), parts_of("a"))
    assert record == record_of(EPOCH, PARENT, group_of_two(), parts_of("a"))
    assert (record.members, record.samples) == (2, 64.0)


def test_the_root_names_everything_about_an_epoch() -> None:
    parts = parts_of("a")
    group = group_of_two().id
    roots = {
        root_digest(EPOCH, PARENT, group, parts),
        root_digest(EPOCH + 1, PARENT, group, parts),
        root_digest(EPOCH, digest_of("other parent"), group, parts),
        root_digest(EPOCH, PARENT, group_of_two("other").id, parts),
        root_digest(EPOCH, PARENT, group, parts[:-1]),
        root_digest(EPOCH, PARENT, group, [*parts[:-1], *parts_of("aa")[:1]]),
    }
    assert len(roots) == 6


# --- one group ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("users", [1, 2, 3, 5, 8])
def test_members_of_one_group_go_on_as_soon_as_their_votes_are_seen(users: int) -> None:
    scene = VotingScene(users)
    assert scene.run(*(scene.peer(number, "a") for number in range(users))) == ["a"] * users
    assert max(scene.ended.values()) <= 0.85 * SETTLE, "nothing is left to wait for"
    assert len(scene.votes) == users


@pytest.mark.parametrize(("users", "voting"), [(3, 2), (5, 3), (10, 6)])
def test_killed_members_do_not_halt_a_commit(users: int, voting: int) -> None:
    scene = VotingScene(users)
    assert scene.run(*(scene.peer(number, "a") for number in range(voting))) == ["a"] * voting
    assert max(scene.ended.values()) < SETTLE


@pytest.mark.parametrize(("users", "voting"), [(2, 1), (4, 2), (10, 5)])
def test_half_of_the_users_wait_and_fail(users: int, voting: int, caplog: pytest.LogCaptureFixture) -> None:
    """Two halves of a swarm that is cut in two do not both go on, and neither does one."""
    scene = VotingScene(users)
    assert scene.run(*(scene.peer(number, "a") for number in range(voting))) == [None] * voting
    assert all(LONGEST <= ended < LONGEST + 3 for ended in scene.ended.values())
    assert f"Epoch 7: no aggregate has the votes of more than half of {users} users; " in caplog.text


@pytest.mark.parametrize(
    ("users", "voting", "expected"),
    [(2, 1, ["a"]), (4, 2, ["a"] * 2), (9, 4, ["a"] * 4), (3, 1, [None]), (6, 1, [None])],
)
def test_users_that_are_silent_in_ballots_again_and_again_are_not_counted_on(
    users: int, voting: int, expected: list[str | None]
) -> None:
    """Where half of the users never vote, no peer sees a quorum that shows who is silent."""
    scene = VotingScene(users)
    logs = [LogOfUser(scene, number) for number in range(voting)]
    for _ in range(RECENT):
        ballot = [scene.peer(number, "a", log=logs[number]) for number in range(voting)]
        assert scene.run(*ballot) == [None] * voting
    last = [scene.peer(number, "a", log=logs[number]) for number in range(voting)]
    assert scene.run(*last) == expected


@pytest.mark.parametrize("can_fetch", [True, False])
def test_two_users_that_find_each_other_silent_at_one_moment_make_no_two_branches(can_fetch: bool) -> None:
    """Each would commit alone; it sees the other's vote before it believes its own."""
    for tenths in range(0, 16, 3):
        scene = VotingScene(2)
        if not can_fetch:
            scene.without_bytes = {digest_of(word) for word in "ab"}
        logs = [LogOfUser(scene, number) for number in range(2)]
        for number, log in enumerate(logs):
            for _ in range(RECENT):
                log.book.note_missed(scene.electorate(number), EPOCH, PARENT)
        first = scene.peer(0, "a", log=logs[0])
        found = scene.run(first, scene.peer(1, "b", log=logs[1], after=tenths / 10))
        assert len(set(found) - {None}) <= 1, f"{tenths / 10} s apart"
        if can_fetch and tenths < 10:  # one that comes later finds the other gone, and follows it
            assert None not in found, f"{tenths / 10} s apart"


def test_a_quorum_without_silent_users_waits_until_their_votes_would_be_seen() -> None:
    scene = VotingScene(2)
    log = LogOfUser(scene, 0)
    for _ in range(RECENT):
        log.book.note_missed(scene.electorate(0), EPOCH, PARENT)
    assert scene.run(scene.peer(0, "a", log=log)) == ["a"]
    assert scene.write_seconds + SETTLE <= scene.ended[0] < scene.write_seconds + 2 * SETTLE


def test_a_member_that_lacks_parts_fetches_what_is_voted_for_and_votes_as_well() -> None:
    """Without its vote there would be no quorum: two of four hold all parts, and one is dead."""
    scene = VotingScene(4)
    assert scene.run(scene.peer(0, "a"), scene.peer(1, "a"), scene.peer(2, None)) == ["a"] * 3
    assert scene.fetched == [(2, digest_of("a"))]
    assert max(scene.ended.values()) < 5 * SETTLE
    (last,) = (vote.record for vote in scene.votes if vote.voice == "user2")
    assert last.state == digest_of("state")


def test_without_any_vote_a_member_that_lacks_parts_waits_no_longer_than_its_patience() -> None:
    scene = VotingScene(4)
    assert scene.run(scene.peer(2, None), scene.peer(3, None)) == [None, None]
    assert max(scene.ended.values()) < PATIENCE + 2


def test_a_vote_that_nobody_stored_commits_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing(LogOfUser):
        async def _store(self, record: CommitRecord) -> Vote | None:
            await self._scene.time.sleep(0.1)
            return None

    scene = VotingScene(1)
    assert scene.run(scene.peer(0, "a", log=Refusing(scene, 0))) == [None]
    assert "Epoch 7: no peer stored the commit record " in caplog.text


def test_the_events_of_a_vote_are_counted() -> None:
    scene, events = VotingScene(1), list[RoundEvent]()
    scene.run(scene.peer(0, "a", count=events.append))
    assert events == [RoundEvent.WRITING, RoundEvent.WRITTEN]


# --- several groups in one epoch ------------------------------------------------------------------------------


def test_the_smaller_group_takes_what_the_larger_one_voted_for() -> None:
    scene = VotingScene(5)
    peers = [scene.peer(number, "aaabb"[number]) for number in range(5)]
    assert scene.run(*peers) == ["a"] * 5


@pytest.mark.parametrize("cast", ["ab", "aabb", "aaabbb", "abc", "aabbcc", "abcd"])
def test_groups_of_equal_size_come_to_one_aggregate(cast: str) -> None:
    scene = VotingScene(len(cast))
    found = scene.run(*(scene.peer(number, word) for number, word in enumerate(cast)))
    assert len(set(found)) == 1
    assert found[0] == min(set(cast), key=digest_of)
    assert max(scene.ended.values()) < 10 * SETTLE


@pytest.mark.parametrize("write_seconds", [(0.0, 0.0), (0.1, 0.85), (0.85, 0.1), (0.85, 0.85)])
@pytest.mark.parametrize("cast", ["ab", "aabb", "aab"])
def test_peers_agree_whatever_their_offset(cast: str, write_seconds: tuple[float, float]) -> None:
    """Reads and writes together take less than the settling time, which is all that is assumed."""
    for tenths in range(-28, 29, 4):
        scene = VotingScene(len(cast))
        offsets = {"a": max(tenths, 0) / 10, "b": max(-tenths, 0) / 10}
        seconds = dict(zip("ab", write_seconds, strict=True))
        found = scene.run(
            *(
                scene.peer(number, word, after=offsets[word], log=LogOfUser(scene, number, seconds[word]))
                for number, word in enumerate(cast)
            )
        )
        assert len(set(found)) == 1, f"{tenths / 10} s apart"
        assert None not in found, f"{tenths / 10} s apart"


@settings(FIFTY_EXAMPLES, phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(
        st.tuples(st.floats(0, 4), st.floats(0, 0.8), st.sampled_from(["a", "b", "c", None])),
        min_size=2,
        max_size=7,
    )
)
def test_any_peers_of_any_groups_agree(drawn: list[tuple[float, float, str | None]]) -> None:
    scene = VotingScene(len(drawn))
    found = scene.run(
        *(
            scene.peer(number, own, after=after, log=LogOfUser(scene, number, seconds))
            for number, (after, seconds, own) in enumerate(drawn)
        )
    )
    assert len(set(found) - {None}) <= 1
    if sum(own is not None for _, _, own in drawn) == len(drawn):
        assert None not in found


def test_a_group_that_comes_late_takes_what_was_committed() -> None:
    scene = VotingScene(5)
    early = [scene.peer(number, "a") for number in range(3)]
    late = [scene.peer(number, "b", after=2.0) for number in range(3, 5)]
    assert scene.run(*early, *late) == ["a"] * 5
    assert max(scene.ended.values()) < 2.0 + SETTLE


def test_members_that_are_to_wait_for_other_groups_vote_for_theirs() -> None:
    scene = VotingScene(4)
    waiting = [scene.peer(number, "b", delays=2) for number in range(2, 4)]
    assert scene.run(scene.peer(0, "a"), scene.peer(1, "a"), *waiting) == ["a"] * 4
    assert scene.fetched
    alone = VotingScene(2)
    assert alone.run(*(alone.peer(number, "b", delays=2) for number in range(2))) == ["b"] * 2
    assert min(alone.ended.values()) > 2 * SETTLE


# --- users that mean harm -------------------------------------------------------------------------------------

NOISE = [f"noise {number}" for number in range(60)]


def test_a_lone_vote_with_a_huge_claim_owns_nothing() -> None:
    """Row 1: it is there before all others, and claims nine tenths of a hundred million samples."""
    scene = VotingScene(4)
    honest = [scene.peer(number, "a", after=1.0) for number in range(3)]
    assert scene.run(scene.hostile(3, ["lone"]), *honest) == [None, "a", "a", "a"]
    assert not scene.fetched
    assert max(scene.ended.values()) < 1.0 + SETTLE


@pytest.mark.parametrize("hostile", [1, 3])
def test_random_roots_again_and_again_do_not_hold_a_commit_up(hostile: int) -> None:
    """Row 2, by three users of ten."""
    scene = VotingScene(3 * hostile + 1)
    loud = [scene.hostile(100 + number, [f"{number} {word}" for word in NOISE]) for number in range(hostile)]
    honest = [scene.peer(number, "a", after=1.0) for number in range(2 * hostile + 1)]
    assert scene.run(*loud, *honest)[hostile:] == ["a"] * (2 * hostile + 1)
    assert max(scene.ended.values()) < 1.0 + SETTLE


def test_random_roots_do_not_keep_a_member_from_what_it_lacks() -> None:
    scene = VotingScene(4)
    scene.fetch_seconds = 4.0
    honest = [scene.peer(0, "a", after=2.0), scene.peer(1, "a", after=2.0), scene.peer(2, None)]
    assert scene.run(scene.hostile(3, NOISE), *honest)[1:] == ["a"] * 3
    assert len([root for number, root in scene.fetched if number == 2 and root != digest_of("a")]) <= 1


def test_a_peer_that_has_voted_before_looks_first_and_takes_what_has_the_quorum_meanwhile() -> None:
    scene = VotingScene(3)
    log = LogOfUser(scene, 0)

    async def twice() -> QuorumDecision | None:
        first = await scene.peer(0, "a", log=log)
        assert first is None
        for number in range(1, 3):
            await LogOfUser(scene, number).write(commit_record("a"))
        return await scene.peer(0, "b", log=log)

    assert scene.run(twice()) == ["a"]
    assert all(vote.record.root == digest_of("a") for vote in scene.votes), "it signed nothing else"


def test_a_peer_that_is_alone_by_its_settings_repeats_an_epoch_that_others_have_voted_on() -> None:
    scene = VotingScene(2)
    assert scene.run(scene.peer(1, "a"), scene.peer(0, "a")) == ["a", "a"]
    others = [vote for vote in scene.votes if vote.writer == peer_bytes(1)]
    electorate = Electorate(1, frozenset({"user0"}), own="user0")
    own = Vote(peer_bytes(0), commit_record("b", certificate=certificate_of("user0"), attempt=1 << 39))
    assert decided([*others, own], EPOCH, PARENT, electorate) is None
    found = decided([*others, own], EPOCH, PARENT, replace(electorate, is_closed=True))
    assert found is not None
    assert found.record.root == digest_of("b")


def test_a_peer_that_lost_what_it_voted_for_commits_something_else_in_the_end() -> None:
    """Its vote made a quorum by itself, and it stood by it for good: no round of a lone peer ended any more."""
    scene = VotingScene(1)
    log = LogOfUser(scene, 0)
    assert scene.run(scene.peer(0, "a", log=log)) == ["a"]
    for _ in range(DOUBTS):
        log.book.doubt(commit_record("a"))
    assert scene.run(scene.peer(0, "b", log=log)) == ["b"]
    assert log.decided(EPOCH, PARENT, scene.electorate(0)) is not None


def test_a_peer_does_not_vote_for_what_it_rejects_and_takes_it_once_it_has_a_quorum() -> None:
    scene = VotingScene(5)
    log = LogOfUser(scene, 4)
    log.book.reject(commit_record("a"))
    found = scene.run(*(scene.peer(number, "a") for number in range(3)), scene.peer(4, None, log=log))
    assert found == ["a", "a", "a", "a"]
    voters = {vote.writer for vote in scene.votes if not names_nothing(vote.record)}
    assert voters == {peer_bytes(number) for number in range(3)}


def logs_of_two_and_three_that_reject(scene: VotingScene) -> list[LogOfUser]:
    """The logs of five users, of whom the last three reject the aggregate "a"."""
    logs = [LogOfUser(scene, number) for number in range(5)]
    for log in logs[2:]:
        log.book.reject(commit_record("a"))
    return logs


def test_what_most_reject_gets_no_quorum() -> None:
    scene = VotingScene(5)
    logs = logs_of_two_and_three_that_reject(scene)
    peers = [scene.peer(number, "a" if number < 2 else None, log=logs[number]) for number in range(5)]
    assert scene.run(*peers) == [None] * 5
    assert max(scene.ended.values()) < PATIENCE, "they try again at once"


def test_who_voted_for_what_most_reject_takes_those_who_have_not_looked_yet_for_present() -> None:
    """The ballot ends before their votes are due: they do not count as silent in the next one."""
    scene = VotingScene(6)
    logs = [LogOfUser(scene, number) for number in range(6)]
    for log in logs[2:]:
        log.book.reject(commit_record("a"))
    for _ in range(2 * RECENT):
        early = [scene.peer(number, "a" if number < 2 else None, log=logs[number]) for number in range(5)]
        assert scene.run(*early) == [None] * 5
    names = scene.electorate(0).names
    assert logs[0].book.counted(scene.electorate(0), EPOCH).names == names


def test_who_holds_something_else_votes_for_that_before_it_leaves() -> None:
    """A late group looks for the others' votes first; half of the users were against those by then."""
    scene = VotingScene(6)
    logs = [LogOfUser(scene, number) for number in range(6)]
    for log in logs[1:]:
        log.book.reject(commit_record("a"))
    early = [scene.peer(number, None, log=logs[number]) for number in (1, 2)]
    late = [scene.peer(number, "b", delays=2, log=logs[number]) for number in range(3, 6)]
    found = scene.run(scene.peer(0, "a", log=logs[0]), *early, *late)
    assert found[3:] == ["b"] * 3


def test_who_has_no_round_waits_for_what_others_come_to_in_another() -> None:
    scene = VotingScene(5)
    logs = logs_of_two_and_three_that_reject(scene)
    first = [scene.peer(number, "a" if number < 2 else None, log=logs[number]) for number in range(5)]
    assert scene.run(*first) == [None] * 5
    again = [scene.peer(number, "b", after=3.0, log=logs[number]) for number in (2, 3)]
    waiting = scene.peer(4, None, log=logs[4], has_round=False)
    assert scene.run(waiting, *again) == ["b"] * 3


def test_a_peer_that_lacks_parts_and_rejects_the_rest_says_both() -> None:
    scene = VotingScene(5)
    logs = logs_of_two_and_three_that_reject(scene)
    members = [scene.peer(number, "a" if number < 2 else None, log=logs[number]) for number in range(4)]
    assert scene.run(*members, scene.peer(4, None, log=logs[4], awaited=[0])) == [None] * 5
    assert max(scene.ended.values()) < PATIENCE
    said = [vote.record for vote in scene.votes if vote.writer == peer_bytes(4)]
    assert [record.refused for record in said] == [[digest_of("a")]]


def test_a_forged_aggregate_for_which_nobody_votes_ends_the_ballot_as_well() -> None:
    """All members hold it and reject it; the reducer that made it says nothing."""
    scene = VotingScene(5)
    logs = [LogOfUser(scene, number) for number in range(5)]
    for log in logs:
        log.book.reject(commit_record("a"))
    peers = [scene.peer(number, None, log=logs[number], unwanted="a") for number in range(4)]
    assert scene.run(*peers) == [None] * 4
    assert max(scene.ended.values()) < PATIENCE / 1.5


def test_who_votes_for_one_forged_aggregate_after_another_holds_nobody_up() -> None:
    scene = VotingScene(5)
    logs = [LogOfUser(scene, number) for number in range(5)]
    for log in logs[1:]:
        for word in ("a", "b"):
            log.book.reject(commit_record(word))

    async def hostile() -> None:
        for word in ("a", "b"):
            await logs[0].write(commit_record(word))
            await scene.time.sleep(0.8 * SETTLE)

    peers = [scene.peer(number, None, log=logs[number], unwanted="a") for number in range(1, 5)]
    assert scene.run(hostile(), *peers)[1:] == [None] * 4
    assert max(scene.ended.values()) < PATIENCE


def test_who_was_against_what_is_withdrawn_waits_for_what_is_voted_for_next() -> None:
    scene = VotingScene(3)
    logs = [LogOfUser(scene, number) for number in range(3)]
    logs[2].book.reject(commit_record("a"))

    async def withdrawing() -> None:
        await logs[0].write(commit_record("a"))
        await scene.time.sleep(1.5 * SETTLE)
        await logs[0].write(commit_record("a", withdrawn=True))

    lacking = scene.peer(2, None, log=logs[2], awaited=[1])
    found = scene.run(withdrawing(), lacking, scene.peer(1, "b", after=4.0 * SETTLE, log=logs[1]))
    assert found[1:] == ["b", "b"]


def test_a_vote_for_what_nobody_has_is_in_nobodys_way() -> None:
    scene = VotingScene(5)
    logs = [LogOfUser(scene, number) for number in range(5)]
    for log in logs[1:]:
        log.book.reject(commit_record("a"))
    peers = [scene.peer(number, None, log=logs[number], unwanted="a") for number in range(1, 5)]
    assert scene.run(scene.hostile(0, ["junk"]), *peers)[1:] == [None] * 4
    assert max(scene.ended.values()) < LONGEST / 2


def test_few_that_reject_an_aggregate_end_no_ballot() -> None:
    scene = VotingScene(5)
    logs = [LogOfUser(scene, number) for number in range(5)]
    for log in logs[:2]:
        log.book.reject(commit_record("a"))
    peers = [scene.peer(number, None, log=logs[number]) for number in range(2)]
    late = [scene.peer(number, "a", after=1.5 * (number - 2), log=logs[number]) for number in range(2, 5)]
    assert scene.run(*peers, *late) == ["a"] * 5


def test_who_rejects_an_aggregate_is_never_taken_for_silent() -> None:
    """Two of five made a quorum by themselves, once the others' objections had not been seen in some ballots."""
    scene = VotingScene(5)
    logs = logs_of_two_and_three_that_reject(scene)
    for _ in range(2 * RECENT):
        peers = [scene.peer(number, "a" if number < 2 else None, log=logs[number]) for number in range(5)]
        assert scene.run(*peers) == [None] * 5
    objections = [vote for vote in scene.votes if names_nothing(vote.record)]
    assert {vote.writer for vote in objections} == {peer_bytes(number) for number in range(2, 5)}
    assert len(objections) == 3 * 2 * RECENT, "one in each ballot"


def test_who_rejects_an_aggregate_votes_for_another_one() -> None:
    scene = VotingScene(5)
    logs = logs_of_two_and_three_that_reject(scene)
    early = [scene.peer(number, "a" if number < 2 else None, log=logs[number]) for number in range(4)]
    found = scene.run(*early, scene.peer(4, "b", after=4.0, log=logs[4]))
    assert found == ["b"] * 5
    assert all(log.decided(EPOCH, PARENT, scene.electorate(0)) for log in logs)


class LosingLog(LogOfUser):
    """A log whose stores seem to fail: the first ones, of which others may have some all the same."""

    def __init__(self, scene: VotingScene, number: int, *, failures: int, arrives: bool) -> None:
        super().__init__(scene, number)
        self._failures, self._arrives = failures, arrives

    async def _store(self, record: CommitRecord) -> Vote | None:
        if self._failures <= 0:
            return await super()._store(record)
        self._failures -= 1
        if self._arrives:
            await super()._store(record)
        return None


def test_an_objection_does_not_replace_a_vote_whose_store_only_seemed_to_fail() -> None:
    """Others may have made a quorum with that vote, and this peer would vote for something else without a look."""
    scene = VotingScene(3)
    log = LosingLog(scene, 2, failures=9, arrives=True)
    log.book.reject(commit_record("b"))
    scene.run(scene.peer(0, "b"), scene.peer(1, None, after=40.0), scene.peer(2, "a", log=log))
    of_it = [vote.record for vote in scene.votes if vote.writer == peer_bytes(2)]
    assert of_it
    assert not any(names_nothing(record) for record in of_it)
    kept = log.own_vote(EPOCH, PARENT)
    assert kept is not None
    assert kept.root == digest_of("a")


def test_an_objection_that_no_peer_stored_is_repeated() -> None:
    scene = VotingScene(5)
    log = LosingLog(scene, 4, failures=2, arrives=False)
    log.book.reject(commit_record("a"))
    scene.run(*(scene.peer(number, "a") for number in range(2)), scene.peer(4, None, log=log))
    assert [names_nothing(vote.record) for vote in scene.votes if vote.writer == peer_bytes(4)] == [True]


def test_members_that_all_lack_parts_do_not_wait_for_each_other() -> None:
    scene = VotingScene(4)  # the fourth is a reducer that was lost, and sent nothing
    members = (0, 1, 2)
    found = scene.run(
        *(scene.peer(number, None, awaited=[at for at in members if at != number]) for number in members)
    )
    assert found == [None] * 3
    assert max(scene.ended.values()) < PATIENCE / 2


def test_the_last_one_to_lack_parts_tells_the_others_as_well() -> None:
    scene = VotingScene(3)
    late = 2.5 * SETTLE
    found = scene.run(
        scene.peer(0, None, awaited=[1, 2]),
        scene.peer(1, None, awaited=[0, 2]),
        scene.peer(2, None, awaited=[0, 1], after=late),
    )
    assert found == [None] * 3
    assert max(scene.ended.values()) < PATIENCE
    assert {vote.writer for vote in scene.votes} == set(map(peer_bytes, range(3)))


def test_an_opposed_record_of_another_group_does_not_silence_a_member_that_lacks_parts() -> None:
    scene = VotingScene(4)
    logs = [LogOfUser(scene, number) for number in range(2)]
    for log in logs:
        log.book.reject(commit_record("forged", group=digest_of("another group")[:20]))
    forged = commit_record("forged", group=digest_of("another group")[:20])
    found = scene.run(
        LogOfUser(scene, 3).write(forged),
        scene.peer(0, None, log=logs[0], awaited=[1]),
        scene.peer(1, None, log=logs[1], awaited=[0]),
    )
    assert found == [None] * 3
    assert max(scene.ended.values()) < PATIENCE


def test_members_that_lack_parts_wait_for_one_that_may_have_them() -> None:
    scene = VotingScene(3)
    late = scene.peer(2, "a", after=PATIENCE - 2.0)
    found = scene.run(scene.peer(0, None, awaited=[1, 2]), scene.peer(1, None, awaited=[0, 2]), late)
    assert found == ["a"] * 3


def test_a_member_that_lacks_parts_is_told_nothing_by_another_group() -> None:
    scene = VotingScene(3)
    log = LogOfUser(scene, 1)
    nothing = without_parts(commit_record("another", group=digest_of("another group")[:20]))
    scene.run(log.write(nothing), scene.peer(0, None, awaited=[1]))
    assert scene.ended[0] >= PATIENCE


def test_a_member_whom_nobody_is_left_to_tell_waits_as_before() -> None:
    """Its line may be the one that was lost: the others may commit, and give it what it lacks."""
    scene = VotingScene(2)
    assert scene.run(scene.peer(0, None, awaited=[])) == [None]
    assert scene.ended[0] >= PATIENCE


def test_what_a_member_lacks_replaces_no_vote_of_its_own() -> None:
    scene = VotingScene(3)
    log = LogOfUser(scene, 0)
    scene.run(log.write(commit_record("a")))
    scene.run(scene.peer(0, None, log=log, awaited=[1, 2]))
    assert not any(names_nothing(vote.record) for vote in scene.votes)


def test_one_writer_signs_one_root_in_an_attempt() -> None:
    scene = VotingScene(6)
    scene.run(*(scene.peer(number, "abcabc"[number]) for number in range(6)))
    ballots = [(vote.writer, vote.record.attempt) for vote in scene.votes]
    assert len(set(ballots)) == len(ballots) > 6, "some voted again"


# --- what is logged -------------------------------------------------------------------------------------------


def test_the_log_tells_the_store_the_voters_and_the_rivals(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    scene = VotingScene(3)
    scene.run(scene.peer(0, "a"), scene.peer(1, "a"), scene.peer(2, "b"))
    first, second = (digest_of(word).hex()[:8] for word in "ab")
    one, two = (PeerID(peer_bytes(number)) for number in range(2))
    assert f"Epoch 7: the commit record {first} is being written." in caplog.text
    assert f"Epoch 7: the commit record {first} was stored in 0.50 s." in caplog.text
    assert (
        f"Epoch 7: commit record {first} (64 samples of 2 members, written by {one}, {two}) counts "
        f"with 2 of 3 votes; {second} (64 samples of 2 members, written by "
    ) in caplog.text


def test_bytes_that_come_too_slowly_are_not_asked_for_first_in_the_next_ballot() -> None:
    """Donors that gave a little now and then kept a peer busy with what they had voted for, ballot after ballot."""
    scene = VotingScene(4, fetch_seconds=100.0)
    log = LogOfUser(scene, 3)
    assert (
        scene.run(scene.hostile(0, "a"), scene.peer(3, None, after=1.0, awaited=(0, 1), log=log))[1] is None
    )
    other = Vote(peer_bytes(1), commit_record("b", certificate=certificate_of("user1")))
    log.book.add(other)
    assert log.book.tried_first(log.book.eligible(EPOCH, PARENT)) == [other]


def test_nothing_runs_on_after_a_commit() -> None:
    """A fetch that hangs is ended once others have committed without it."""
    scene = VotingScene(4)
    scene.fetch_seconds = 1e6

    async def work() -> list[QuorumDecision | None]:
        early = [scene.peer(number, "a") for number in range(2)]
        return await asyncio.gather(*early, scene.peer(2, "a", after=8.0), scene.peer(3, None))

    (found,) = scene.time.run(work())
    assert [item.record.root if item else None for item in found] == [digest_of("a")] * 4
