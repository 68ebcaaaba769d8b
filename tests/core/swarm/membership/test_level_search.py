"""A peer that is told that the swarm is small, or nothing at all, follows the records where they show a large one."""

import random
from collections.abc import Callable

import pytest

from core.swarm.membership.level_search import LevelSearch, level_by_records
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import HIGHEST_LEVEL, shard_keys, shard_of
from tests.core.swarm.builders import HandClock, progress

PREFIX = "tiny"


@pytest.mark.parametrize(
    ("many", "many_seconds", "in_use", "level_seconds", "is_stated", "expected"),
    [
        (None, 0.0, None, 9e9, True, None),  # a small swarm
        (None, 0.0, None, 9e9, False, None),
        (300, 10.0, None, 9e9, True, None),  # an honest summary may be about to come
        (300, 180.0, None, 180.0, True, 4),
        (300, 180.0, None, 180.0, False, 4),
        (10_000, 180.0, None, 180.0, True, 9),
        (None, 0.0, 5, 0.0, False, 5),  # a newcomer without a summary
        (None, 0.0, 5, 60.0, True, None),  # others may not have heard yet that the swarm has become small
        (None, 0.0, 5, 180.0, True, 5),
        (300, 180.0, 5, 180.0, True, 5),  # it goes where others are
    ],
)
def test_which_level_the_records_show(
    many: int | None,
    many_seconds: float,
    in_use: int | None,
    level_seconds: float,
    is_stated: bool,
    expected: int | None,
) -> None:
    assert level_by_records(many, many_seconds, in_use, level_seconds, is_stated=is_stated) == expected


class ShardedRecords:
    """The records of a swarm, which lie in the shards of one level."""

    def __init__(self, level: int, records: list[ProgressRecord]) -> None:
        self.asked = list[str]()
        self._shards = {key: list[ProgressRecord]() for key in shard_keys(PREFIX, level)}
        for record in records:
            self._shards[shard_keys(PREFIX, level)[shard_of(record.peer_id, level)]].append(record)

    def read(self, key: str) -> list[ProgressRecord]:
        self.asked.append(key)
        return self._shards.get(key, [])


class SearchingPeer:
    """A peer that reads the shards that its search wants."""

    def __init__(self, records: ShardedRecords, clock: HandClock) -> None:
        self._records, self._search = records, LevelSearch(PREFIX, clock=clock, chance=random.Random(1))

    def level(self, unsharded: int, *, is_stated: bool) -> int | None:
        if (key := self._search.shard_due()) is not None:
            self._search.note_shard(self._records.read(key))
        return self._search.level(unsharded, is_stated=is_stated)


def found_after(
    search: SearchingPeer, clock: HandClock, seconds: int, *, is_stated: bool, unsharded: int = 3
) -> tuple[float, int] | None:
    """Return after how many seconds which level is found, looking each three seconds; None if none is."""
    began = clock.now
    for second in range(0, seconds, 3):
        clock.now = began + second
        level = search.level(unsharded, is_stated=is_stated)
        if level is not None:
            return second, level
    return None


def swarm(size: int) -> list[ProgressRecord]:
    return [progress(number) for number in range(1, 1 + size)]


@pytest.mark.parametrize("level", [1, 5, 9])
def test_a_newcomer_without_a_summary_finds_the_shards_within_minutes(level: int) -> None:
    clock = HandClock()
    records = ShardedRecords(level, swarm(24 << level))
    found = found_after(SearchingPeer(records, clock), clock, 200, is_stated=False)
    assert found is not None
    assert found[1] == level


def test_a_summary_that_says_that_the_swarm_is_small_is_believed_for_minutes_only() -> None:
    clock = HandClock()
    found = found_after(SearchingPeer(ShardedRecords(4, swarm(400)), clock), clock, 2000, is_stated=True)
    assert found is not None
    assert found[0] >= 180
    assert found[1] == 4


UNFOUND: dict[str, Callable[[], list[ProgressRecord]]] = {
    "a small swarm": lambda: [],
    "few records": lambda: swarm(40),
    "one shard that is full": lambda: [item for item in swarm(400) if shard_of(item.peer_id, 4) == 7],
}


@pytest.mark.parametrize("records", UNFOUND)
def test_what_shows_no_large_swarm_is_not_followed(records: str) -> None:
    clock = HandClock()
    shards = ShardedRecords(4, UNFOUND[records]())
    assert found_after(SearchingPeer(shards, clock), clock, 1800, is_stated=False) is None
    assert len({key.split("_")[-2] for key in shards.asked}) == HIGHEST_LEVEL, "each level is looked at"
    assert len(shards.asked) < 60, "it costs next to nothing"


def test_too_many_records_at_one_place_are_followed_once_it_was_so_for_minutes() -> None:
    clock = HandClock()
    search = SearchingPeer(ShardedRecords(4, []), clock)
    assert found_after(search, clock, 170, is_stated=True, unsharded=300) is None
    assert search.level(20, is_stated=True) is None, "the swarm has shrunk again"
    found = found_after(search, clock, 600, is_stated=True, unsharded=300)
    assert found == (180, 4)
