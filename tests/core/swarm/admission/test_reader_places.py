"""Those who read from a peer have a place each, and lose it to others if they hold it and take nothing."""

import asyncio

import pytest
from hivemind.p2p import PeerID

from core.errors import SwarmError
from core.swarm.admission.reader_places import NoPlace, ReaderPlaces
from tests.core.swarm.builders import peer_bytes
from tests.moved_clock import MovedClock

ONE, OTHER, THIRD = (PeerID(peer_bytes(number)) for number in range(3))


class TwoPlaces:
    """Two places, and those who hold one until they are ended."""

    def __init__(self) -> None:
        self.clock = MovedClock(100.0)
        self.places = ReaderPlaces(2, self.clock)

    async def hold(self, user: bytes, reader: PeerID) -> "asyncio.Task[None]":
        """The task that gives to a reader that never reads; it has its place."""
        begun = asyncio.Event()
        task = asyncio.create_task(self._give(user, reader, begun))
        await begun.wait()
        return task

    async def _give(self, user: bytes, reader: PeerID, begun: asyncio.Event) -> None:
        with self.places.take(user, reader):
            begun.set()
            await asyncio.Event().wait()

    def has_one_for(self, user: bytes, reader: PeerID) -> bool:
        try:
            with self.places.take(user, reader):
                return True
        except NoPlace:
            return False


async def is_ended(task: "asyncio.Task[None]") -> bool:
    done, _ = await asyncio.wait([task], timeout=20)
    return bool(done)


def test_a_user_has_one_place_for_all_its_peers() -> None:
    async def work() -> None:
        table = TwoPlaces()
        task = await table.hold(b"mallory", ONE)
        assert not table.has_one_for(b"mallory", OTHER)
        assert table.has_one_for(b"ada", OTHER)
        task.cancel()
        assert await is_ended(task)
        assert table.has_one_for(b"mallory", OTHER)

    asyncio.run(work())


def test_the_same_peer_takes_its_place_again() -> None:
    async def work() -> None:
        table = TwoPlaces()
        first = await table.hold(b"ada", ONE)
        second = await table.hold(b"ada", ONE)
        assert await is_ended(first)
        assert not second.done()
        assert not table.has_one_for(b"ada", OTHER), "the place is the second call's"
        second.cancel()
        await is_ended(second)

    asyncio.run(work())


@pytest.mark.parametrize(("seconds", "expected"), [(29.0, False), (31.0, True)])
def test_a_silent_reader_loses_its_place_to_another(seconds: float, expected: bool) -> None:
    async def work() -> None:
        table = TwoPlaces()
        longest = await table.hold(b"mallory", ONE)
        table.clock.now += 1.0
        other = await table.hold(b"eve", OTHER)
        table.clock.now += seconds - 1.0
        assert table.has_one_for(b"ada", THIRD) == expected
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert longest.done() == expected
        assert not other.done()
        for task in (longest, other):
            task.cancel()
            await is_ended(task)

    asyncio.run(work())


def test_a_reader_that_takes_something_is_not_silent() -> None:
    async def work() -> None:
        table = TwoPlaces()
        with table.places.take(b"ada", ONE) as place, table.places.take(b"grace", OTHER) as other:
            table.clock.now += 100.0
            place.note_read()
            other.note_read()
            assert not table.has_one_for(b"eve", THIRD)

    asyncio.run(work())


def test_a_message_that_is_not_taken_ends_its_call(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> bool:
        async def give() -> None:
            with table.places.take(b"mallory", ONE) as place, place.reading(0.05, "a part of a round"):
                await asyncio.Event().wait()

        table = TwoPlaces()
        return await is_ended(asyncio.create_task(give())) and table.has_one_for(b"mallory", OTHER)

    assert asyncio.run(work())
    assert f"{ONE} did not take a part of a round within 0 s: it gets no more." in caplog.messages


def test_the_error_says_what_to_do() -> None:
    with pytest.raises(SwarmError, match=r"as many others as it can, .* Ask it again later"):
        raise NoPlace
