"""Groups of a simulated epoch combine: one commit covers all, and a lost reducer costs its group alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hivemind.p2p import PeerID

from core.run.encodings import Encoding
from core.run.rules import SwarmRules, TrainingRules
from core.simulation.board import SimulatedBoard
from core.simulation.engine import EventQueue
from core.simulation.group import SimulatedGroup, SimulatedStep
from core.simulation.line import SimulatedLine
from core.simulation.report import summary_of
from core.simulation.rounds import SimulatedRounds
from core.simulation.swarm import SimulatedSwarmRun
from core.simulation.topology import SimulatedTopology
from core.swarm.rounds.partition import cut
from core.swarm.rounds.round import RoundRequest, RoundStatus
from core.swarm.wire.limits import Observations, derive
from core.swarm.wire.records import CommitRecord
from tests.core.simulation.worlds import homes, training
from tests.core.swarm.builders import peer_bytes

PARTS = cut([(400_000, Encoding.UNIFORM8)], part_bytes=20_000)
RATE = 50_000.0
HEAD = bytes(32)
SAMPLES = 10.0


@dataclass
class PlaceScene:
    """Peers that look for groups of two at one place, on lines of one rate, and exchange once they have a group."""

    groups: int
    most_groups: int = 1000
    rates: dict[int, float] = field(default_factory=dict)
    """Rates of the lines that are slower, by the numbers of their peers, in bytes a second."""

    def __post_init__(self) -> None:
        self.queue, self.commits = EventQueue(), list[tuple[float, CommitRecord]]()
        rules = SwarmRules(group_size=2)
        self.rounds = SimulatedRounds(
            self.queue,
            PARTS,
            rules,
            SimulatedBoard(self.queue),
            seed=1,
            note=self._note,
            most_groups=self.most_groups,
        )
        self.request = RoundRequest(0, HEAD, 2 * self.groups, derive(rules, Observations()), 60.0, 0.0)
        self.begin()

    def begin(self) -> None:
        """Let all peers look for a group, as they do again after a round that failed."""
        self.steps = [self._step(self.request, number) for number in range(2 * self.groups)]
        for step in self.steps:
            self.rounds.seek(step)
            step.allow_allreduce()

    def seek_again(self, steps: list[SimulatedStep]) -> None:
        """Let the peers of ``steps``, which failed, look for another group at the same place."""
        for old in steps:
            place = self.steps.index(old)
            self.steps[place] = step = self._step(self.request, place)
            self.rounds.seek(step)
            step.allow_allreduce()

    def _step(self, request: RoundRequest, number: int) -> SimulatedStep:
        rate = self.rates.get(number, RATE)
        step = SimulatedStep(
            request,
            SimulatedLine(rate, rate, 0.05),
            PeerID(peer_bytes(1)),
            sends=True,
            notify=lambda: None,
            trigger=self.rounds.trigger,
            cancel=self.rounds.cancel,
        )
        step.weight = SAMPLES
        return step

    def _note(self, kind: str, record: CommitRecord) -> None:
        self.commits.append((self.queue.now(), record))

    def until(self, reached: Callable[[], bool]) -> None:
        """Let time pass until the peers have ``reached`` something."""
        while not reached():
            self.queue.run(self.queue.now() + 0.05)
            assert self.queue.now() < 300.0

    def finish(self) -> None:
        self.until(lambda: all(step.done() or step.is_lost for step in self.steps))

    @property
    def formed(self) -> list[SimulatedGroup]:
        return list(dict.fromkeys(step.group for step in self.steps if step.group is not None))

    def outcomes(self, group: SimulatedGroup) -> list[RoundStatus | None]:
        return [step.result().standing if step.succeeded else None for step in group.members]


def test_one_commit_covers_four_groups_with_the_samples_of_each() -> None:
    scene = PlaceScene(groups=4)
    scene.finish()
    ((_, record),) = scene.commits
    assert len(scene.formed) == 4
    assert (record.members, record.samples) == (8, 8 * SAMPLES)
    results = [step.result() for step in scene.steps]
    assert {item.head for item in results} == {record.root}
    assert all(item.standing == RoundStatus.AVERAGED and item.counted for item in results)


def test_with_one_group_an_epoch_the_others_carry_their_samples_over() -> None:
    scene = PlaceScene(groups=4, most_groups=1)
    scene.finish()
    assert {record.members for _, record in scene.commits} == {2}
    assert sum(step.result().counted for step in scene.steps) == 2


def test_more_groups_than_a_commit_may_cover_carry_their_samples_over() -> None:
    scene = PlaceScene(groups=4, most_groups=3)
    scene.finish()
    ((_, record),) = scene.commits
    assert record.members == 6
    assert sum(step.result().counted for step in scene.steps) == 6
    assert all(step.result().head == record.root for step in scene.steps)


def head_of(group: SimulatedGroup) -> int:
    return group.assignment.owners[-1]


@pytest.mark.parametrize(
    ("rank", "is_head"),
    [(0, True), (2, True), (0, False), (3, False)],
    ids=["", "head", "root", "other root"],
)
def test_a_reducer_that_a_passage_needs_costs_its_group_alone_when_it_dies(rank: int, is_head: bool) -> None:
    """The heads count the samples, and the reducers of the first and the last group are the roots of the trees."""
    scene = PlaceScene(groups=4)
    scene.until(lambda: all(group.is_combining for group in scene.formed) and len(scene.formed) == 4)
    broken = sorted(scene.formed, key=lambda item: item.id)[rank]
    member = head_of(broken) if is_head else 1 - head_of(broken)
    assert broken.reduces(member)
    scene.rounds.lose(broken.members[member])
    scene.finish()
    ((_, record),) = scene.commits
    assert (record.members, record.samples) == (6, 6 * SAMPLES)
    for group in scene.formed:
        if group is not broken:
            assert scene.outcomes(group) == [RoundStatus.AVERAGED] * 2
    outcome = broken.members[1 - member].result()
    assert (outcome.standing, outcome.counted) == (RoundStatus.SUPERSEDED, False)


def test_any_other_reducer_that_dies_in_a_passage_costs_no_group_its_place_in_the_commit() -> None:
    scene = PlaceScene(groups=4)
    scene.until(lambda: all(group.is_combining for group in scene.formed) and len(scene.formed) == 4)
    for group in sorted(scene.formed, key=lambda item: item.id)[1:3]:
        scene.rounds.lose(group.members[1 - head_of(group)])
    scene.finish()
    ((_, record),) = scene.commits
    assert (record.members, record.samples) == (8, 8 * SAMPLES)


def test_a_reducer_that_dies_while_its_group_exchanges_costs_its_group_alone() -> None:
    scene = PlaceScene(groups=4)
    scene.until(lambda: all(group.ending is not None for group in scene.formed) and len(scene.formed) == 4)
    scene.rounds.lose(scene.formed[1].members[0])
    scene.finish()
    ((_, record),) = scene.commits
    assert record.members == 6


def test_peers_whose_groups_were_all_lost_combine_in_the_next_round() -> None:
    scene = PlaceScene(groups=3)
    scene.until(lambda: all(group.is_combining for group in scene.formed) and len(scene.formed) == 3)
    for group in scene.formed:
        scene.rounds.lose(group.members[head_of(group)])
    scene.finish()
    assert not scene.commits
    scene.begin()
    scene.finish()
    ((_, record),) = scene.commits
    assert record.members == 6


def test_groups_lost_one_after_the_other_leave_the_epoch_to_the_first() -> None:
    scene = PlaceScene(groups=6)
    scene.until(lambda: all(group.is_combining for group in scene.formed) and len(scene.formed) == 6)
    ranked = sorted(scene.formed, key=lambda item: item.id)
    for group in ranked[:1:-1]:  # each falls out of the passage that repeats the one before
        scene.rounds.lose(group.members[head_of(group)])
        scene.queue.run(scene.queue.now() + group.limits.sender_seconds + 6.0)
    scene.finish()
    ((_, record),) = scene.commits
    assert record.group == ranked[0].id
    assert scene.outcomes(ranked[1]) == [RoundStatus.SUPERSEDED] * 2


def test_peers_whose_group_failed_before_it_had_reduced_form_another_one_for_the_same_commit() -> None:
    scene = PlaceScene(groups=4)
    scene.until(lambda: all(group.ending is not None for group in scene.formed) and len(scene.formed) == 4)
    broken = scene.formed[1:3]
    for group in broken:
        scene.rounds.lose(group.members[head_of(group)])
    left = [step for group in broken for step in group.members if not step.is_lost]
    assert all(step.done() and not step.succeeded for step in left)
    scene.seek_again(left)
    scene.finish()
    ((_, record),) = scene.commits
    assert record.members == 6
    assert all(step.result().head == record.root for step in scene.steps if not step.is_lost)


@pytest.mark.parametrize("times_slower", [4, 5])
def test_a_group_on_a_slow_line_is_left_out_and_finds_the_commit(times_slower: int) -> None:
    """Four times slower it reduces in time, but holds the passage up; five times slower it reduces too late."""
    scene = PlaceScene(groups=4, rates=dict.fromkeys(range(2), RATE / times_slower))
    scene.finish()
    ((_, record),) = scene.commits
    assert (record.members, record.samples) == (6, 6 * SAMPLES)
    slow = next(group for group in scene.formed if scene.steps[0] in group.members)
    assert {step.line.up for step in slow.members} == {RATE / times_slower}
    for group in scene.formed:
        expected = RoundStatus.SUPERSEDED if group is slow else RoundStatus.AVERAGED
        assert scene.outcomes(group) == [expected] * 2


def test_time_grows_with_the_logarithm_of_the_groups_and_bytes_by_their_list_alone() -> None:
    times, sent = list[float](), set[float]()
    for groups in (7, 14, 28, 56, 112):
        scene = PlaceScene(groups)
        scene.finish()
        ((time, record),) = scene.commits
        assert record.members == 2 * groups
        times.append(time)
        sent.add(max(step.line.sent for step in scene.steps))
    a_part = 1.07 * PARTS[0].aggregate_bytes / RATE + 0.05
    assert [after - before for before, after in pairwise(times)] == pytest.approx([2 * a_part] * 4)
    assert max(sent) < 1.02 * min(sent)


def in_groups(rules: TrainingRules, of: int) -> TrainingRules:
    """Return ``rules`` for groups of that size, with two minutes for a round: time for four passages and a wait."""
    swarm = rules.swarm.model_copy(update={"group_size": of, "averaging_seconds": 120.0})
    return rules.model_copy(update={"swarm": swarm})


def test_a_swarm_in_four_groups_commits_the_samples_of_all() -> None:
    rules = in_groups(training(), of=2)
    machines = homes(count=8, reachable=1.0, samples_per_second=2.0)
    topology = SimulatedTopology(run="run.toml", groups=(machines,), duration_hours=0.3, auxiliary=False)
    together, apart = (SimulatedSwarmRun(topology, rules, most) for most in (4, 1))
    for run in (together, apart):
        run.run()
    found = summary_of(together)
    assert found.peers_an_epoch > 7.5
    assert found.samples_lost < 0.01
    assert summary_of(apart).peers_an_epoch <= 2.0


def test_groups_combine_though_homes_come_go_and_die() -> None:
    rules = in_groups(training(target=4000), of=4)
    machines = homes(count=16, reachable=0.5, interruptions_an_hour=2.0, deaths_an_hour=1.0)
    topology = SimulatedTopology(run="run.toml", groups=(machines,), duration_hours=0.5, auxiliary=False)
    run = SimulatedSwarmRun(topology, rules, most_groups=8)
    run.run()
    found = summary_of(run)
    assert found.deaths > 2
    assert found.epochs_lost == 0
    assert found.peers_an_epoch > 8.0  # more than two groups
    assert found.samples_lost < 0.1
