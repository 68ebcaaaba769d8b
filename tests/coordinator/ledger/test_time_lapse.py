"""The time-lapse lists frames of the current history, and mostly the same ones as the run continues."""

import pytest
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Frame, KnownPeer, User
from coordinator.ledger.history import take_down, time_lapse
from coordinator.ledger.ledger import Ledger
from tests.coordinator.homes import NOW
from tests.coordinator.ledger.evidence import OPERATIONS, epoch_of


def paint(database: Database, *frames: tuple[int, int]) -> None:
    """Record committed epochs and their frames, each given by generation and epoch."""
    about = {"sha256": "a" * 64, "size": 9, "file": "x.webp", "peer_id": "p"}
    for generation, epoch in frames:
        Ledger(database, OPERATIONS).record(epoch_of({}, epoch, generation=generation, samples=10))
        with database.session() as session:
            session.add(Frame(generation=generation, epoch=epoch, **about))


def shown(database: Database, most: int) -> list[tuple[int, int]]:
    with database.reading() as session:
        return [(frame.generation, frame.epoch) for frame in time_lapse(session, most)]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, []),
        (4, [1, 2, 3, 4]),
        (5, [1, 3, 5]),
        (6, [1, 3, 5, 6]),
        (8, [1, 3, 5, 7, 8]),
        (9, [1, 5, 9]),
    ],
)
def test_frames_that_are_shown_stay_until_half_of_them_goes_at_once(
    database: Database, count: int, expected: list[int]
) -> None:
    paint(database, *((0, epoch) for epoch in range(1, count + 1)))
    assert [epoch for _, epoch in shown(database, 4)] == expected


def test_frames_that_a_rollback_took_back_are_not_shown(database: Database) -> None:
    paint(database, (0, 1), (0, 2), (0, 3), (1, 3), (1, 4))
    assert shown(database, 9) == [(0, 1), (0, 2), (1, 3), (1, 4)]


def test_a_frame_that_was_taken_down_or_that_somebody_banned_drew_is_not_shown(database: Database) -> None:
    paint(database, (0, 1), (0, 2), (0, 3))
    with database.session() as session:
        take_down(session, 2)
        user = User(name="eve", created=NOW)
        session.add(user)
        session.flush()
        session.add(KnownPeer(peer_id="eves", user_id=user.id, created=NOW))
        session.get_one(Frame, (0, 3)).peer_id = "eves"
    assert shown(database, 9) == [(0, 1), (0, 3)]
    with database.session() as session:
        session.scalars(select(User).where(User.name == "eve")).one().banned = NOW
    assert shown(database, 9) == [(0, 1)]
