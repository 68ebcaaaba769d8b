"""The chain is walked back as far as it is known, and epochs wait for a database that is away, in their order."""

import asyncio
from collections.abc import Callable

import pytest

from coordinator.errors import DatabaseError, LedgerError
from coordinator.ledger.credit import CommittedEpoch
from coordinator.recorder.epochs import LONGEST, EpochQueue, Point, walk_back
from core.swarm.rounds.summary import RoundSummary
from tests.coordinator.ledger.evidence import epoch_of
from tests.coordinator.recorder.stand_in_swarm import StandInSwarm
from tests.core.swarm.builders import digest_of


@pytest.fixture(scope="module")
def swarm(tmp_path_factory: pytest.TempPathFactory) -> StandInSwarm:
    made = StandInSwarm(tmp_path_factory.mktemp("run"))
    for _ in range(300):
        made.commit({0: 64.0})
    return made


def walked(
    swarm: StandInSwarm, head: int, recorded: int, *, lacking: int | None = None
) -> tuple[list[int], bool]:
    """Epochs done by the rounds that are found, and whether that is all of them."""
    known = dict(swarm.summaries)
    if lacking is not None:
        del known[swarm.heads[lacking]]

    async def fetch(root: bytes) -> RoundSummary | None:
        return known.get(root)

    points = Point(head, swarm.heads[head]), Point(recorded, swarm.heads[recorded])
    walk = asyncio.run(walk_back(*points, fetch))
    return [item.record.epoch + 1 for item in walk.summaries], walk.is_whole


@pytest.mark.parametrize(
    ("head", "recorded", "lacking", "found", "is_whole"),
    [
        (5, 5, None, [], True),
        (6, 5, None, [6], True),
        (9, 5, None, [6, 7, 8, 9], True),
        (9, 5, 9, [], False),
        (9, 5, 7, [8, 9], False),
        (9, 5, 5, [6, 7, 8, 9], True),
        (4, 5, None, [], True),
        (300, 0, None, list(range(301 - LONGEST, 301)), False),
    ],
)
def test_it_goes_back_to_what_is_recorded(
    swarm: StandInSwarm, head: int, recorded: int, lacking: int | None, found: list[int], is_whole: bool
) -> None:
    assert walked(swarm, head, recorded, lacking=lacking) == (found, is_whole)


def test_a_root_that_is_of_another_epoch_leads_nowhere(swarm: StandInSwarm) -> None:
    async def fetch(root: bytes) -> RoundSummary | None:
        return swarm.summaries[swarm.heads[3]]

    walk = asyncio.run(walk_back(Point(9, swarm.heads[3]), Point(5, digest_of("recorded")), fetch))
    assert (walk.summaries, walk.is_whole) == ((), False)


class Away:
    """Enters epochs, but for the time that it is away; ``strange`` ones never."""

    def __init__(self) -> None:
        self.entered: list[int] = []
        self.attempts = 0
        self.is_away = True
        self.strange: set[int] = set()

    def enter(self, epoch: CommittedEpoch) -> None:
        self.attempts += 1
        if self.is_away:
            raise DatabaseError("The database does not answer.", "Start it.")
        if epoch.epoch in self.strange:
            raise LedgerError("It makes no sense.", "It is left out.")
        self.entered.append(epoch.epoch)


@pytest.fixture
def away() -> Away:
    return Away()


def queue_of(away: Away, clock: Callable[[], float] = lambda: 0.0) -> EpochQueue:
    return EpochQueue(away.enter, clock)


def fill(queue: EpochQueue, count: int) -> None:
    for number in range(1, count + 1):
        queue.add(epoch_of({"Qm": 64.0}, number))


def test_what_waited_is_written_in_order_once_the_database_is_back(
    away: Away, caplog: pytest.LogCaptureFixture
) -> None:
    time = [0.0]
    queue = queue_of(away, lambda: time[0])
    fill(queue, 5)
    queue.settle()
    queue.settle()
    assert (queue.waiting, away.attempts) == (5, 1), "a database that is away is not asked all the time"
    assert "5 epochs wait for the database" in caplog.text
    away.is_away, time[0] = False, 3.0
    queue.settle()
    assert (queue.waiting, away.entered) == (0, [1, 2, 3, 4, 5])


def test_one_that_makes_no_sense_holds_up_nothing(away: Away) -> None:
    away.is_away, away.strange = False, {2}
    queue = queue_of(away)
    fill(queue, 3)
    queue.settle()
    assert away.entered == [1, 3]


def test_memory_is_bounded_and_the_newest_are_kept(away: Away) -> None:
    queue = queue_of(away)
    fill(queue, 600)
    away.is_away = False
    queue.settle()
    assert (len(away.entered), away.entered[-1]) == (512, 600)


def test_epochs_of_many_contributors_are_fewer_in_memory(away: Away) -> None:
    queue, many = queue_of(away), {f"Qm{number}": 1.0 for number in range(10_000)}
    for number in range(1, 61):
        queue.add(epoch_of(many, number))
    away.is_away = False
    queue.settle()
    assert away.entered == list(range(11, 61)), "half a million contributors"
    fill(queue, 512)
    assert queue.waiting == 512, "what was written no longer counts"
