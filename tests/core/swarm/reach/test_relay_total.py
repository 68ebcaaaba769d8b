"""A relay keeps to its total of a day: the policy as a table, and a real libp2p daemon between two peers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import hivemind
import pytest
from hivemind.p2p import P2P, P2PDaemonError
from hivemind.p2p.p2p_daemon_bindings.datastructures import StreamInfo
from hivemind.utils.multiaddr import Multiaddr

from core.messages.reach import RelayBounds, RelayDue, RelayUsedUp
from core.swarm.dht import Network, start_dht
from core.swarm.reach.daemon_relay import DaemonRelay
from core.swarm.reach.dialler import outgoing_daemon
from core.swarm.reach.questions import CALL_FAULTS
from core.swarm.reach.relay_total import RelayDay, RelayStage, RelayTotal
from core.swarm.reach.relaying import CircuitAddress, reserve
from core.swarm.wire.identity import PeerIdentity
from tests.waiting import DEADLINE

TODAY, TOMORROW = date(2026, 3, 1), date(2026, 3, 2)
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
BEFORE_MIDNIGHT = MIDNIGHT - timedelta(minutes=1)
LISTEN = ("/ip4/127.0.0.1/tcp/0",)
COUNT = "/count"
MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("stage", "before", "more", "today", "passed", "expected"),
    [
        (RelayStage.RELAYS, 0, 99, TODAY, 99, RelayStage.RELAYS),
        (RelayStage.RELAYS, 60, 40, TODAY, 100, RelayStage.REFUSES),
        (RelayStage.RELAYS, 60, 44, TODAY, 104, RelayStage.REFUSES),
        (RelayStage.RELAYS, 60, 45, TODAY, 105, RelayStage.CLOSED),
        (RelayStage.RELAYS, 120, 0, TODAY, 120, RelayStage.CLOSED),
        (RelayStage.REFUSES, 100, 4, TODAY, 104, RelayStage.REFUSES),
        (RelayStage.REFUSES, 104, 1, TODAY, 105, RelayStage.CLOSED),
        (RelayStage.CLOSED, 105, 9, TODAY, 114, RelayStage.CLOSED),
        (RelayStage.RELAYS, 99, 1, TOMORROW, 1, RelayStage.RELAYS),
        (RelayStage.RELAYS, 99, 100, TOMORROW, 100, RelayStage.REFUSES),
        (RelayStage.REFUSES, 100, 2, TOMORROW, 2, RelayStage.DUE),
        (RelayStage.CLOSED, 105, 0, TOMORROW, 0, RelayStage.DUE),
        (RelayStage.DUE, 2, 0, TODAY, 2, RelayStage.DUE),
        (RelayStage.DUE, 2, 0, TOMORROW, 0, RelayStage.DUE),
    ],
)
def test_a_peer_relays_until_the_total_of_the_day_is_used_up(
    stage: RelayStage, before: int, more: int, today: date, passed: int, expected: RelayStage
) -> None:
    now = datetime.combine(today, time(12), UTC)
    found = RelayDay(TODAY, before, stage).after(more, now, 100)
    assert (found.day, found.passed, found.stage) == (today, passed, expected)


NOON, EVENING = datetime(2026, 3, 1, 12, tzinfo=UTC), datetime(2026, 3, 1, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "more", "now", "used_up_at"),
    [
        pytest.param(RelayDay(TODAY, 99), 0, NOON, None, id="something is left"),
        pytest.param(RelayDay(TODAY, 99), 1, NOON, NOON, id="it is used up now"),
        pytest.param(RelayDay(TODAY, 99), 60, NOON, NOON, id="much more passed since the last look"),
        pytest.param(RelayDay(TODAY, 100, RelayStage.REFUSES, NOON), 5, EVENING, NOON, id="long since"),
        pytest.param(RelayDay(TODAY, 105, RelayStage.CLOSED, NOON), 0, EVENING, NOON, id="all is closed"),
        pytest.param(RelayDay(TODAY, 100, used_up_at=NOON), 0, EVENING, NOON, id="it was started again"),
        pytest.param(RelayDay(TODAY, 99, used_up_at=NOON), 0, EVENING, None, id="the total was raised"),
        pytest.param(RelayDay(TODAY, 100, RelayStage.REFUSES, NOON), 0, MIDNIGHT, None, id="the day is over"),
        pytest.param(
            RelayDay(TODAY, 100, used_up_at=NOON), 100, MIDNIGHT, MIDNIGHT, id="on the next day too"
        ),
    ],
)
def test_the_time_at_which_the_total_was_used_up_holds_for_that_day(
    before: RelayDay, more: int, now: datetime, used_up_at: datetime | None
) -> None:
    assert before.after(more, now, 100).used_up_at == used_up_at


def test_a_day_ends_at_midnight_by_utc() -> None:
    assert RelayDay(TODAY).end == MIDNIGHT


@dataclass
class StandInRelay:
    """A relay without a daemon."""

    count: int = 0
    tells: bool = True
    acts: bool = True
    done: list[str] = field(default_factory=list)

    def passed(self) -> int:
        if not self.tells:
            raise OSError("it does not tell")
        return self.count

    def refuse(self) -> None:
        self._do("refused")

    def close(self) -> None:
        self._do("closed")

    def _do(self, what: str) -> None:
        if not self.acts:
            raise P2PDaemonError("it does not answer")
        self.done.append(what)


class RelayedDayScene:
    """The total of a stand-in, of a megabyte a day, and a clock."""

    def __init__(self, folder: Path) -> None:
        self.relay, self.file, self.seconds = StandInRelay(), folder / "relayed.json", 0.0
        self.start()

    def start(self) -> None:
        self.total = RelayTotal(
            self.relay,
            0.001,
            self.file,
            now=lambda: BEFORE_MIDNIGHT + timedelta(seconds=self.seconds),
            clock=lambda: self.seconds,
        )

    def after(self, seconds: float, passed: int = 0) -> RelayUsedUp | RelayDue | None:
        """The news after so many seconds, in which so many bytes were passed on."""
        self.seconds, self.relay.count = self.seconds + seconds, self.relay.count + passed
        return self.total.turn()


def test_it_refuses_once_and_tells_it_once_then_closes_and_is_due_on_the_next_day(tmp_path: Path) -> None:
    scene = RelayedDayScene(tmp_path)
    assert scene.after(3, MEGABYTE - 1) is None
    since = BEFORE_MIDNIGHT + timedelta(seconds=6)
    assert scene.after(3, 1) == RelayUsedUp(gigabytes=0.001, total=0.001, since=since, until=MIDNIGHT)
    assert scene.after(3, 1) is None
    assert scene.relay.done == ["refused"]
    assert scene.after(3, 50_000) is None
    assert scene.relay.done == ["refused", "closed"]
    assert scene.after(60) == RelayDue()
    assert scene.after(60) is None
    assert scene.relay.done == ["refused", "closed"]


def test_a_relay_that_starts_again_goes_on_with_its_day(tmp_path: Path) -> None:
    scene = RelayedDayScene(tmp_path)
    scene.after(3, 2 * MEGABYTE)
    scene.relay = StandInRelay()
    scene.start()
    since = BEFORE_MIDNIGHT + timedelta(seconds=3)
    assert scene.total.day == RelayDay(TODAY, 2 * MEGABYTE, used_up_at=since)
    assert scene.after(3) == RelayUsedUp(gigabytes=0.002, total=0.001, since=since, until=MIDNIGHT)
    assert scene.relay.done == ["refused", "closed"]
    scene.relay = StandInRelay()
    scene.seconds += 60
    scene.start()
    assert scene.after(3, 5) is None
    assert scene.total.day == RelayDay(TOMORROW, 5)


@pytest.mark.parametrize("content", [b"", b'{"day": "2026-03-01", "passed": -1}', b"x" * 5000])
def test_a_damaged_count_is_begun_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "relayed.json").write_bytes(content)
    assert RelayedDayScene(tmp_path).total.day == RelayDay(TODAY)


def test_what_was_not_told_is_counted_later_and_a_day_ends_all_the_same(tmp_path: Path) -> None:
    scene = RelayedDayScene(tmp_path)
    scene.relay.tells = False
    assert scene.after(3, 2 * MEGABYTE) is None
    scene.relay.tells = True
    assert isinstance(scene.after(3), RelayUsedUp)
    scene.relay.tells = False
    assert scene.after(60) == RelayDue()


def test_a_refusal_that_fails_is_tried_again(tmp_path: Path) -> None:
    scene = RelayedDayScene(tmp_path)
    scene.relay.acts = False
    assert scene.after(3, MEGABYTE) is None
    scene.relay.acts = True
    assert isinstance(scene.after(3), RelayUsedUp)
    assert scene.relay.done == ["refused"]
    assert scene.total.day.passed == MEGABYTE


def test_a_count_that_cannot_be_saved_does_no_harm(tmp_path: Path) -> None:
    scene = RelayedDayScene(tmp_path)
    scene.file.mkdir()
    assert isinstance(scene.after(3, MEGABYTE), RelayUsedUp)


async def count(_: StreamInfo, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say how many bytes have come, after each megabyte."""
    try:
        while data := await reader.readexactly(MEGABYTE):
            writer.write(len(data).to_bytes(4, "big"))
            await writer.drain()
    except (OSError, EOFError):
        pass
    finally:
        writer.close()


@contextmanager
def relaying(
    folder: Path, gigabytes: float, now: Callable[[], datetime] = lambda: BEFORE_MIDNIGHT
) -> Iterator[tuple[hivemind.DHT, RelayTotal]]:
    """A relay with that total of a day."""
    bounds = RelayBounds(gigabytes_a_day=gigabytes)
    identity = PeerIdentity.load_or_create(folder / "relay")
    dht = start_dht(Network(LISTEN, relay=bounds), identity, prefix="tiny-0", total_epochs=9)
    try:
        total = RelayTotal(DaemonRelay(dht), gigabytes, folder / "relayed.json", now=now, clock=_Jumps())
        yield dht, total
    finally:
        dht.shutdown()


class _Jumps:
    """A clock by which each look is due."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def __call__(self) -> float:
        self._seconds += 100
        return self._seconds


@asynccontextmanager
async def two_homes(relay: hivemind.DHT) -> AsyncIterator[tuple[P2P, P2P]]:
    """Two peers that accept no connections, the second of which has a place at the relay."""
    addresses = [Multiaddr(str(each).partition("/p2p/")[0]) for each in relay.get_visible_maddrs()]
    async with outgoing_daemon() as first, outgoing_daemon() as second:
        for home in (first, second):
            await home._client.connect(relay.peer_id, addresses)
        await second.add_binary_stream_handler(COUNT, count)
        await reserve(second, relay.peer_id, DEADLINE)
        yield first, second


def test_a_real_relay_passes_its_total_and_no_more(tmp_path: Path) -> None:
    async def check(relay: hivemind.DHT, total: RelayTotal) -> None:
        async with two_homes(relay) as (first, second), asyncio.timeout(DEADLINE):
            via = [CircuitAddress(relay.peer_id)]
            await first._client.connect(second.peer_id, via)
            _, reader, writer = await first.call_binary_stream_handler(second.peer_id, COUNT)

            async def passes() -> None:
                writer.write(bytes(MEGABYTE))
                assert int.from_bytes(await reader.readexactly(4), "big") == MEGABYTE

            await passes()
            assert total.turn() is None
            assert MEGABYTE < total.day.passed < 1.05 * MEGABYTE
            for _ in range(19):
                await passes()
            news = total.turn()
            assert isinstance(news, RelayUsedUp)
            assert 0.0200 < news.gigabytes < 0.0204
            assert total.day.stage is RelayStage.REFUSES
            await passes()  # the open connection goes on
            with pytest.raises(CALL_FAULTS):
                await reserve(second, relay.peer_id, DEADLINE)
            await first._client.disconnect(second.peer_id)
            with pytest.raises(CALL_FAULTS):
                await first._client.connect(second.peer_id, via)

    with relaying(tmp_path, 0.02) as (relay, total):
        asyncio.run(check(relay, total))


def test_what_passes_too_much_more_is_closed_and_a_relay_started_again_on_the_next_day_relays(
    tmp_path: Path,
) -> None:
    now = [BEFORE_MIDNIGHT]

    async def use_up(relay: hivemind.DHT, total: RelayTotal) -> None:
        async with two_homes(relay) as (first, second), asyncio.timeout(DEADLINE):
            await first._client.connect(second.peer_id, [CircuitAddress(relay.peer_id)])
            _, reader, writer = await first.call_binary_stream_handler(second.peer_id, COUNT)
            writer.write(bytes(MEGABYTE))
            await reader.readexactly(4)
            assert isinstance(total.turn(), RelayUsedUp)
            assert total.day.stage is RelayStage.CLOSED
            assert await reader.read() == b""
            assert second.peer_id not in {item.peer_id for item in await first.list_peers()}

    async def connect(relay: hivemind.DHT) -> None:
        async with two_homes(relay) as (first, second), asyncio.timeout(DEADLINE):
            await first._client.connect(second.peer_id, [CircuitAddress(relay.peer_id)])

    with relaying(tmp_path, 0.0005, lambda: now[0]) as (relay, total):
        asyncio.run(use_up(relay, total))
        now[0] += timedelta(minutes=1)
        assert total.turn() == RelayDue()
        with pytest.raises(CALL_FAULTS):
            asyncio.run(connect(relay))
    with relaying(tmp_path, 0.0005, lambda: now[0]) as (relay, total):
        asyncio.run(connect(relay))
        assert total.turn() is None
        assert total.day.day == TOMORROW
        assert total.day.stage is RelayStage.RELAYS


def test_a_daemon_without_a_total_tells_nothing(tmp_path: Path) -> None:
    identity = PeerIdentity.load_or_create(tmp_path / "relay")
    dht = start_dht(Network(LISTEN, relay=RelayBounds()), identity, prefix="tiny-0", total_epochs=9)
    try:
        assert RelayTotal.of(dht, RelayBounds(), identity.path) is None
        with pytest.raises(OSError, match="does not tell"):
            DaemonRelay(dht).passed()
    finally:
        dht.shutdown()
