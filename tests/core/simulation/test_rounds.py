"""A simulated member that lacks parts takes what another group commits, and waits no longer than a real one."""

import pytest
from hivemind.p2p import PeerID

from core.simulation.board import SimulatedBoard
from core.simulation.engine import EventQueue
from core.simulation.group import SimulatedStep
from core.simulation.line import SimulatedLine
from core.simulation.rounds import SimulatedRounds
from core.swarm.rounds.round import RoundFailed, RoundRequest, RoundStatus
from core.swarm.state.run_schema import parts_of_run
from core.swarm.wire.limits import Observations, derive
from core.swarm.wire.records import COMMIT_SECONDS
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
            lambda kind, record: None,
        )
        self.ended: dict[SimulatedStep, float] = {}

    def begin(self, expected_peers: int, *, reduces: bool = True) -> SimulatedStep:
        """Let a peer look for a group of ``expected_peers`` and begin to exchange at once."""
        request = RoundRequest(
            epoch=0,
            head=b"h" * 32,
            expected_peers=expected_peers,
            limits=self.limits,
            timeout_seconds=2 * self.limits.matchmaking_seconds,
            started_at=0.0,
            accepts_connections=reduces,
        )
        step = SimulatedStep(
            request,
            SimulatedLine(1e6, 1e3, 0.05),
            PeerID(peer_bytes(1)),
            sends=True,
            notify=lambda: self.ended.setdefault(step, self.queue.now()),
            trigger=self.rounds.trigger,
            cancel=self.rounds.cancel,
        )
        step.weight = 10.0
        self.rounds.seek(step)
        step.allow_allreduce()
        return step


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
    assert world.rounds.commits.has_counted(written)
    again = world.begin(1)
    world.queue.run(world.queue.now() + 100.0)
    assert again.result().standing == RoundStatus.AVERAGED


def test_all_members_that_wait_begin_when_their_group_forms() -> None:
    world = SomeRounds()
    steps = [world.begin(3) for _ in range(3)]
    world.queue.run(1.0)
    assert all(step.group is not None and step.began_allreduce for step in steps)
