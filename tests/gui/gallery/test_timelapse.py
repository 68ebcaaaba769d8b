"""The time-lapse selects the frame to show."""

from pathlib import Path

import pytest

from gui.gallery.timelapse import TimelapseFrames, next_place, place_after
from tests.gui.gallery.pictures_on_disk import write_frames


def test_frames_are_read_with_their_files(tmp_path: Path) -> None:
    lapse = TimelapseFrames.read(write_frames(tmp_path, ("a", "b"), (10, 20)))
    assert (lapse.prompts, lapse.epochs) == (("a", "b"), (10, 20))
    assert all(file.is_file() for file in lapse.files)


def test_where_there_are_no_frames_there_are_none(tmp_path: Path) -> None:
    assert TimelapseFrames.read(tmp_path / "nowhere") == TimelapseFrames()


@pytest.mark.parametrize(
    ("before", "place", "epochs", "after"),
    [
        ((), 0, (), 0),
        ((), 0, (10, 20), 1),
        ((10, 20), 1, (10, 20, 30), 2),
        ((10, 20), 0, (10, 20, 30), 0),
        ((10, 20, 30, 40), 1, (10, 30, 40, 50), 1),
        ((10, 20, 30), 1, (), 0),
        ((10, 20, 30), 1, (5, 6), 1),
    ],
)
def test_the_newest_is_followed_and_another_stays(
    before: tuple[int, ...], place: int, epochs: tuple[int, ...], after: int
) -> None:
    assert place_after(before, place, epochs) == after


@pytest.mark.parametrize(("place", "count", "following"), [(0, 3, 1), (2, 3, None), (0, 0, None)])
def test_playing_ends_with_the_newest(place: int, count: int, following: int | None) -> None:
    assert next_place(place, count) == following
