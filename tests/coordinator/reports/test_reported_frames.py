"""Pictures in reports: each beside the figures of its epoch, and none keeps an epoch from being reported."""

import io
import logging

import pytest
from PIL import Image

from coordinator.database.tables import KnownPeer, User
from coordinator.ledger.history import take_down
from coordinator.reports.place import ReportPlace
from tests.coordinator.homes import NOW
from tests.coordinator.reports.recorded_coordinator import RecordedCoordinator, RecordedPlace


def test_pictures_of_the_time_lapse_are_shown_once_each(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1, 2)
    coordinator.draw(1)
    coordinator.draw(4)  # its epoch is not reported yet
    coordinator.report()
    coordinator.report()
    assert [image.step for image in coordinator.read().Images("pictures")] == [1]
    coordinator.commit(3, 4)
    coordinator.report()
    images = coordinator.read().Images("pictures")
    assert [image.step for image in images] == [1, 4]
    assert (images[0].width, images[0].height) == (24, 16)
    with Image.open(io.BytesIO(images[1].encoded_image_string)) as picture:
        assert picture.format == "PNG"


def test_pictures_that_are_away_keep_no_epoch_from_its_report(
    coordinator: RecordedCoordinator, caplog: pytest.LogCaptureFixture
) -> None:
    coordinator.commit(1, 2, 3, 4)
    for epoch in (1, 2, 3, 4):
        coordinator.draw(epoch)
    with coordinator.database.session() as session:
        (taken_down,) = take_down(session, 1)
    (coordinator.folder / taken_down).unlink()
    (coordinator.folder / "frame-0-2.webp").write_bytes(b"RIFF, and no picture")
    (coordinator.folder / "frame-0-3.webp").unlink()
    with caplog.at_level(logging.INFO, "coordinator"):
        coordinator.report()
    coordinator.report()
    assert coordinator.steps() == [1, 2, 3, 4]
    assert [image.step for image in coordinator.read().Images("pictures")] == [4]
    assert len(list(coordinator.events.iterdir())) == 1, "nothing is written again"
    said = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert said == [f"Reports go on without the picture of epoch {epoch}" for epoch in (2, 3)]


def test_pictures_of_banned_authors_are_left_out(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1, 2)
    coordinator.draw(1)
    coordinator.draw(2)
    with coordinator.database.session() as session:
        session.add(User(id=1, name="ann", created=NOW, banned=NOW))
        session.flush()
        session.add(KnownPeer(peer_id="12D3KooW", user_id=1, created=NOW))
    coordinator.report()
    assert coordinator.steps() == [1, 2]
    assert "pictures" not in coordinator.read().Tags()["images"]


def test_a_picture_is_shown_right_after_its_epoch_and_a_late_one_after_the_next(
    coordinator: RecordedCoordinator,
) -> None:
    place = RecordedPlace()
    reporting = coordinator.reporting(place)
    coordinator.commit(1, 2, 3)
    coordinator.draw(1)
    coordinator.draw(3)
    reporting.turn()
    assert place.items == ["epoch 1", "picture 1", "epoch 2", "epoch 3", "picture 3"]
    place.items.clear()
    coordinator.draw(2)  # after that of a later epoch
    reporting.turn()
    assert place.items == [], "it waits for figures to stand beside"
    coordinator.commit(4)
    coordinator.draw(4)
    reporting.turn()
    assert place.items == ["epoch 4", "picture 2", "picture 4"]
    reporting.close()


def test_the_picture_of_the_last_epoch_waits_for_no_other(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(100)
    coordinator.report()
    coordinator.draw(100)
    coordinator.report()
    assert [image.step for image in coordinator.read().Images("pictures")] == [100]


def test_a_long_run_is_reported_in_turns_each_with_the_frames_of_its_epochs(
    coordinator: RecordedCoordinator,
) -> None:
    coordinator.commit(*range(1, 51))
    for epoch in range(1, 51):
        coordinator.draw(epoch)
    place = RecordedPlace()
    reporting = coordinator.reporting(place)
    while reporting.turn() == 0.0:
        pass
    reporting.close()
    assert place.items == [f"{kind} {epoch}" for epoch in range(1, 51) for kind in ("epoch", "picture")]


def test_frames_far_behind_count_as_reported_and_a_rollback_takes_them_back() -> None:
    place = ReportPlace(target="there").after(0, 500, range(1, 501))
    assert (place.frame, place.shown[0], place.shown[-1]) == (300, 301, 500)
    assert place.after(0, 501, []) == place.model_copy(update={"epoch": 501})
    earlier = place.before(400)
    assert (earlier.epoch, earlier.frame, earlier.shown) == (399, 300, tuple(range(301, 400)))
    assert (place.before(200).frame, place.before(200).shown) == (199, ())
