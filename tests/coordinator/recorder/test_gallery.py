"""The gallery takes each frame once, of those who have contributed longest, and leaves alone who gives no picture."""

import asyncio
import hashlib
import io
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Frame, KnownPeer, Total, User
from coordinator.ledger.history import take_down
from coordinator.recorder.gallery import Gallery, is_due
from core.generation.frame_texts import texts_in, texts_packet
from core.swarm.wire.records import FrameRecord
from core.swarm.wire.streams import PeerLost
from tests.coordinator.homes import NOW
from tests.coordinator.recorder.stand_in_swarm import name_of
from tests.core.swarm.builders import digest_of, peer_bytes


def webp(shade: int) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (64, 64), (shade, shade, shade)).save(written, "WEBP")
    return written.getvalue()


class Peers:
    """Stand-ins for peers that announce frames and serve files."""

    def __init__(self) -> None:
        self.announced: list[FrameRecord] = []
        self._files: dict[bytes, bytes] = {}
        self.asked = 0

    def draw(self, number: int, epoch: int, data: bytes) -> None:
        digest = hashlib.sha256(data).digest()
        self._files[peer_bytes(number)] = data
        self.announced.append(
            FrameRecord(
                peer_id=peer_bytes(number),
                epoch=epoch,
                parameters=digest_of("parameters"),
                frame=digest,
                size=len(data) or 1,
            )
        )

    async def give(self, record: FrameRecord) -> bytes:
        self.asked += 1
        if not self._files[record.peer_id]:
            raise PeerLost("it is gone")
        return self._files[record.peer_id]


@pytest.fixture
def peers() -> Peers:
    return Peers()


@pytest.fixture
def gallery(tmp_path: Path, database: Database) -> Gallery:
    """A gallery of a run in which three peers have contributed enough."""
    contributed(database, 60, 50, 40)
    return Gallery(tmp_path / "frames", database, generation=2)


def collect(gallery: Gallery, peers: Peers, *, times: int = 1, newest: int = 100) -> None:
    for _ in range(times):
        asyncio.run(gallery.collect(peers.announced, peers.give, newest=newest))


def contributed(database: Database, *epochs: int, banned: int | None = None) -> None:
    """Record that the peers 0, 1, ... contributed to these numbers of epochs."""
    with database.session() as session:
        for number, count in enumerate(epochs):
            user = User(name=f"user-{number}", created=NOW, banned=NOW if number == banned else None)
            session.add(user)
            session.flush()
            session.add(KnownPeer(peer_id=name_of(number), user_id=user.id, created=NOW))
            if count:
                total = Total(user_id=user.id, samples=1, compute_seconds=1.0, epochs=count, first=NOW)
                session.add(total)


def hung(database: Database) -> dict[int, Frame]:
    with database.reading() as session:
        return {frame.epoch: frame for frame in session.scalars(select(Frame))}


def test_a_frame_is_fetched_once_and_found_by_its_row(
    gallery: Gallery, peers: Peers, database: Database, tmp_path: Path
) -> None:
    peers.draw(0, 10, webp(40))
    peers.draw(1, 10, webp(200))
    collect(gallery, peers, times=3)
    frame = hung(database)[10]
    data = (tmp_path / "frames" / frame.file).read_bytes()
    assert (frame.generation, frame.peer_id, frame.file) == (2, name_of(0), "g2-epoch-0000010.webp")
    assert (frame.size, frame.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert peers.asked == 1


def test_one_who_gives_no_picture_is_tried_three_times_and_another_takes_its_place(
    gallery: Gallery, peers: Peers, database: Database
) -> None:
    peers.draw(0, 10, b"")
    peers.draw(1, 20, b"<html>no picture</html>")
    collect(gallery, peers, times=5)
    assert (hung(database), peers.asked) == ({}, 6)
    peers.draw(2, 20, webp(90))
    collect(gallery, peers)
    assert {epoch: frame.peer_id for epoch, frame in hung(database).items()} == {20: name_of(2)}


def test_a_frame_of_an_epoch_to_come_waits_for_it(gallery: Gallery, peers: Peers, database: Database) -> None:
    peers.draw(0, 101, webp(40))
    collect(gallery, peers)
    assert (hung(database), peers.asked) == ({}, 0)


def test_a_gallery_that_is_opened_again_goes_on(
    gallery: Gallery, peers: Peers, database: Database, tmp_path: Path
) -> None:
    peers.draw(0, 10, webp(40))
    collect(gallery, peers)
    collect(Gallery(tmp_path / "frames", database, generation=2), peers)
    assert peers.asked == 1
    collect(Gallery(tmp_path / "frames", database, generation=3), peers)
    assert peers.asked == 2, "another generation has pictures of its own"


def test_frames_of_the_past_are_not_taken(gallery: Gallery, peers: Peers, database: Database) -> None:
    peers.draw(0, 50, webp(40))
    collect(gallery, peers)
    for epoch in range(1, 50):
        peers.draw(1, epoch, webp(epoch))
    collect(gallery, peers)
    assert (set(hung(database)), peers.asked) == ({50}, 1)


@pytest.mark.parametrize(
    ("newest", "epochs", "shown"),
    [
        (100, [10, 9], 0),
        (100, [9, 10], 1),
        (100, [10, 11], 1),
        (100, [9, 0], None),
        (1, [0, 0], 0),
        (8, [3, 4], 1),
        (8, [3, 3], None),
    ],
)
def test_the_frame_is_that_of_who_has_contributed_longest_and_no_newcomers(
    tmp_path: Path, peers: Peers, database: Database, newest: int, epochs: list[int], shown: int | None
) -> None:
    contributed(database, *epochs)
    peers.draw(0, 1, webp(40))
    peers.draw(1, 1, webp(90))
    collect(Gallery(tmp_path / "frames", database, generation=2), peers, newest=newest)
    painters = [frame.peer_id for frame in hung(database).values()]
    assert painters == ([] if shown is None else [name_of(shown)])


def test_nobody_who_is_banned_draws(tmp_path: Path, peers: Peers, database: Database) -> None:
    contributed(database, 90, 20, banned=0)
    peers.draw(0, 10, webp(40))
    peers.draw(1, 10, webp(90))
    collect(Gallery(tmp_path / "frames", database, generation=2), peers)
    assert hung(database)[10].peer_id == name_of(1)


def test_one_that_was_taken_down_is_not_fetched_again(
    gallery: Gallery, peers: Peers, database: Database, tmp_path: Path
) -> None:
    peers.draw(0, 10, webp(40))
    collect(gallery, peers)
    with database.session() as session:
        assert take_down(session, 10) == ["g2-epoch-0000010.webp"]
        assert take_down(session, 10) == [], "it is down already"
    collect(Gallery(tmp_path / "frames", database, generation=2), peers)
    assert peers.asked == 1


def test_one_who_gives_a_frame_for_each_epoch_fills_no_disk() -> None:
    last, taken = None, 0
    for epoch in range(1, 1_000_001):
        if is_due(epoch, last, epoch):
            last, taken = epoch, taken + 1
    assert 4_000 < taken < 5_000


@pytest.mark.parametrize(
    ("epoch", "last", "newest", "due"),
    [
        (1, None, 1, True),
        (2, None, 1, False),
        (10, 10, 100, False),
        (11, 10, 100, True),
        (9, 10, 100, False),
        (10_000, 9_982, 10_000, False),
        (10_000, 9_981, 10_000, True),
    ],
)
def test_frames_go_on_from_the_last_ever_less_densely(
    epoch: int, last: int | None, newest: int, due: bool
) -> None:
    assert is_due(epoch, last, newest) == due


@pytest.mark.parametrize(("texts", "kept"), [(2, ("wrote this", "and that")), (0, ())])
def test_texts_of_a_frame_are_kept_where_the_run_writes_and_nowhere_else(
    peers: Peers, database: Database, tmp_path: Path, texts: int, kept: tuple[str, ...]
) -> None:
    contributed(database, 60)
    written = io.BytesIO()
    packet = texts_packet(("wrote this", "and that"))
    Image.new("RGB", (64, 64)).save(written, "WEBP", xmp=packet)
    peers.draw(0, 10, written.getvalue())
    collect(Gallery(tmp_path / "frames", database, generation=2, texts=texts), peers)
    data = (tmp_path / "frames" / hung(database)[10].file).read_bytes()
    assert texts_in(data, 2) == kept
