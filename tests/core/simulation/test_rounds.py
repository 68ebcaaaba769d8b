"""Simulated members vote, look and wait as real ones: for what they hold, and for what others give."""

from dataclasses import replace

import pytest
from hivemind.p2p import PeerID

from core.simulation.board import SimulatedBoard
from core.simulation.engine import EventQueue
from core.simulation.group import HeldRounds, SimulatedStep
from core.simulation.line import SimulatedLine
from core.simulation.rounds import SimulatedRounds
from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.quorum.vote_book import DOUBTS
from core.swarm.rounds.round import QuorumMissed, RoundFailed, RoundRequest, RoundStatus
from core.swarm.state.run_schema import parts_of_run
from core.swarm.wire.limits import Observations, derive
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord
from tests.core.simulation.worlds import training
from tests.core.swarm.builders import peer_bytes


class SomeRounds:
    """The rounds of a tiny run, and peers that take part in them."""

    def __init__(self) -> None:
        rules = training().swarm
        self.queue, self.limits = EventQueue(), derive(rules, Observations())
        self.rounds = SimulatedRounds(
            self.queue,
            parts_of_run(training()),
            rules,
            SimulatedBoard(self.queue),
            0,
            lambda kind, record: self.noted.append(record),
        )
        self.ended: dict[SimulatedStep, float] = {}
        self.noted: list[CommitRecord] = []

    def begin(
        self,
        expected_peers: int,
        *,
        reduces: bool = True,
        electorate: Electorate = UNKNOWN,
        before: SimulatedStep | None = None,
        is_given: bool = True,
    ) -> SimulatedStep:
        """Let a peer look for a group of ``expected_peers`` and begin to exchange at once.

        It is the one that took part ``before``. No peer gives it what it lacks unless ``is_given``.
        """
        request = RoundRequest(
            epoch=0,
            head=b"h" * 32,
            expected_peers=expected_peers,
            limits=self.limits,
            timeout_seconds=2 * self.limits.matchmaking_seconds,
            started_at=0.0,
            accepts_connections=reduces,
            electorate=electorate,
        )
        step = self._step(request, before, is_given=is_given)
        self.rounds.seek(step)
        step.allow_allreduce()
        return step

    def _step(
        self, request: RoundRequest, before: SimulatedStep | None = None, *, is_given: bool = True
    ) -> SimulatedStep:
        step = SimulatedStep(
            request,
            SimulatedLine(1e6, 1e3, 0.05),
            PeerID(peer_bytes(1)),
            sends=True,
            notify=lambda: self.ended.setdefault(step, self.queue.now()),
            trigger=self.rounds.trigger,
            cancel=self.rounds.cancel,
            held=before.held if before is not None else HeldRounds(8),
            earlier=[*before.earlier, before] if before is not None else [],
            is_given=lambda root: is_given,
        )
        step.weight = 10.0
        return step

    def vote(self, record: CommitRecord, of: SimulatedStep, *names: str) -> None:
        """Let the users with these ``names`` vote for ``record`` at the place of the step ``of``."""
        for name in names:
            request = replace(of.request, electorate=users(name))
            self.rounds.commits.write(record, self._step(request))

    def finish(self, *steps: SimulatedStep) -> None:
        """Let time pass until all ``steps`` have ended."""
        while not all(step.done() for step in steps):
            self.queue.run(self.queue.now() + 1.0)
            assert self.queue.now() < 1000.0


def users(own: str, *others: str) -> Electorate:
    names = frozenset({own, *others})
    return Electorate(len(names), names, own)


@pytest.mark.parametrize("reduces", [True, False])
def test_a_member_of_a_group_that_failed_takes_the_commit_of_another_group(reduces: bool) -> None:
    world = SomeRounds()
    lost, member = world.begin(2), world.begin(2, reduces=reduces)
    world.queue.run(2.0)
    assert lost.group is member.group is not None
    world.rounds.lose(lost)
    other = world.begin(1)
    world.queue.run(100.0)
    assert other.result().standing == RoundStatus.AVERAGED
    assert member.result().standing == RoundStatus.SUPERSEDED
    assert not member.result().included
    assert world.ended[member] - world.ended[other] < 3.0


def test_a_member_fails_after_its_patience_if_no_group_commits() -> None:
    world = SomeRounds()
    lost, member = world.begin(2), world.begin(2)
    world.queue.run(2.0)
    world.rounds.lose(lost)
    world.queue.run(100.0)
    with pytest.raises(RoundFailed, match="reducer was lost"):
        member.result()
    patience = world.limits.reducer_seconds + 3 * world.limits.settle_seconds
    assert world.ended[member] == pytest.approx(2.0 + patience, abs=1.1)


def test_a_commit_can_be_found_until_its_record_ends() -> None:
    world = SomeRounds()
    alone = world.begin(1)
    world.queue.run(100.0)
    written = world.rounds.commits.after(alone.place)
    assert written is not None
    world.queue.run(world.ended[alone] + COMMIT_SECONDS)
    assert world.rounds.commits.after(alone.place) is None
    assert world.rounds.commits.is_believed(written)
    again = world.begin(1)
    world.queue.run(world.queue.now() + 100.0)
    assert again.result().standing == RoundStatus.AVERAGED


def test_all_members_that_wait_begin_when_their_group_forms() -> None:
    world = SomeRounds()
    steps = [world.begin(3) for _ in range(3)]
    world.queue.run(1.0)
    assert all(step.group is not None and step.began_allreduce for step in steps)


def test_a_group_goes_on_from_its_first_vote_once_that_has_the_quorum() -> None:
    world = SomeRounds()
    first = [world.begin(2, electorate=users(own, "a", "b", "c", "d")) for own in "ab"]
    world.finish(*first)
    for step in first:
        with pytest.raises(QuorumMissed):
            step.result()
    voted = world.rounds.commits.leading(first[0].place)
    again = [
        world.begin(2, electorate=users(own, "a", "b", "c"), before=before)
        for own, before in zip("ab", first, strict=True)
    ]
    world.finish(*again)
    assert voted is not None
    assert [step.result().head for step in again] == 2 * [voted.root]
    assert {step.result().standing for step in again} == {RoundStatus.LEARNT_LATE}


@pytest.mark.parametrize("supporters", ["", "de"])
def test_a_peer_stands_by_a_vote_that_may_have_made_a_quorum(supporters: str) -> None:
    world = SomeRounds()
    commits, peer = world.rounds.commits, world.begin(1, electorate=users(*"abcde"))
    world.queue.run(0.5)
    mine = commits.own_vote(peer)
    assert mine is not None
    other = mine.model_copy(update={"root": bytes(32)})
    world.vote(other, peer, "b", "c")
    while commits.leading(peer.place, {other.root}) is not None:  # until it has withdrawn its vote
        world.queue.run(world.queue.now() + 0.05)
    world.vote(mine, peer, *supporters)
    world.finish(peer)
    assert peer.result().head == (mine if supporters else other).root


def test_a_commit_that_no_peer_gives_does_not_count_in_the_end() -> None:
    world = SomeRounds()
    lost = world.begin(1, electorate=users("a", "b", "c"))
    world.queue.run(0.5)
    voted = world.rounds.commits.own_vote(lost)
    assert voted is not None
    world.vote(voted, lost, "b")
    world.rounds.lose(lost)
    steps = [world.begin(1, electorate=users("c"), is_given=False)]
    world.finish(steps[-1])
    while not steps[-1].succeeded:
        steps.append(world.begin(1, electorate=users("c"), before=steps[-1], is_given=False))
        world.finish(steps[-1])
    assert len(steps) == DOUBTS + 1
    assert steps[-1].result().standing == RoundStatus.LEARNT_LATE  # it stands by its own first vote


def test_both_records_at_a_place_are_noted_if_peers_that_saw_other_users_believe_them() -> None:
    world = SomeRounds()
    alone = world.begin(1, electorate=users("a"))
    world.finish(alone)
    together = [world.begin(2, electorate=users(*names)) for names in ("bc", "cb")]
    world.finish(*together)
    heads = [step.result().head for step in (alone, *together)]
    assert [record.root for record in world.noted] == list(dict.fromkeys(heads))
    assert len(world.noted) == 2
