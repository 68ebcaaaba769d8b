"""Walking a chain back: as far as it is proven and known, and never for ever."""

import asyncio

import pytest

from coordinator.recorder.chain import LONGEST, Point, walk_back
from core.swarm.summary import RoundSummary
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
