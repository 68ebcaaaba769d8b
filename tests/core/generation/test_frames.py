"""Frames of a time-lapse: small, indexed, and fewer the older they are."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from PIL import Image

from core.families.causal_lm.cards import SIDE, card
from core.generation.frames import FrameFolder, thinned
from core.generation.records import FRAME_BYTES, FRAMES, FrameIndex, TimelapseFrame, columns_for
from core.generation.sheet import as_picture
from core.storage.files import sha256_of

PROMPTS = ("red heart", "blue cat", "green sun")


def frames(*epochs: int) -> list[TimelapseFrame]:
    return [TimelapseFrame(epoch=epoch, sha256="0" * 64) for epoch in epochs]


def epochs(found: list[TimelapseFrame]) -> list[int]:
    return [frame.epoch for frame in found]


def index(folder: Path) -> FrameIndex:
    return FrameIndex.model_validate_json((folder / FRAMES).read_bytes())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], []),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        ([1, 2, 3, 4, 5], [1, 3, 4, 5]),
        ([1, 3, 4, 5, 6], [1, 4, 5, 6]),
    ],
)
def test_of_all_but_the_newest_every_second_one_is_dropped(before: list[int], after: list[int]) -> None:
    assert epochs(thinned(frames(*before), newest=2)) == after


def test_over_a_long_run_the_first_and_all_of_the_newest_are_kept_and_gaps_grow_with_age() -> None:
    kept: list[TimelapseFrame] = []
    for epoch in range(10, 30_000, 10):
        kept = thinned([*kept, *frames(epoch)], newest=16)
        assert len(kept) <= 32
    found = epochs(kept)
    assert found[0] == 10
    assert found[-16:] == list(range(29_840, 30_000, 10))
    gaps = [after - before for before, after in pairwise(found)]
    assert gaps[0] > 100 * gaps[-1]


def test_frames_are_indexed_and_of_the_old_ones_no_file_is_left(tmp_path: Path) -> None:
    folder = FrameFolder(tmp_path / "timelapse", PROMPTS, newest=2)
    images = torch.rand(3, 3, 16, 16)
    for epoch in range(1, 6):
        path = folder.save(images, epoch)
        assert path.name == f"epoch-{epoch:07d}.webp"
    found = index(folder.folder)
    assert (found.prompts, found.columns) == (PROMPTS, 2)
    assert [frame.epoch for frame in found.frames] == [1, 3, 4, 5]
    files = {path.name: path for path in folder.folder.glob("*.webp")}
    assert set(files) == {f"epoch-{frame.epoch:07d}.webp" for frame in found.frames}
    assert sha256_of(files["epoch-0000005.webp"]) == found.frames[-1].sha256
    with Image.open(files["epoch-0000005.webp"]) as frame:
        assert frame.size == (32, 32)


def test_a_frame_that_is_drawn_again_is_replaced(tmp_path: Path) -> None:
    folder = FrameFolder(tmp_path, PROMPTS)
    for shade in (0.0, 1.0):
        folder.save(torch.full((3, 3, 16, 16), shade), 10)
    assert len(index(tmp_path).frames) == 1
    with Image.open(tmp_path / "epoch-0000010.webp") as frame:
        pixel = frame.convert("RGB").getpixel((8, 8))
    assert isinstance(pixel, tuple)
    assert min(pixel) > 250


def test_what_a_rollback_took_back_is_not_shown_after_it(tmp_path: Path) -> None:
    folder = FrameFolder(tmp_path, PROMPTS)
    for epoch in (10, 20, 30, 40, 25):
        folder.save(torch.rand(3, 3, 16, 16), epoch)
    assert [frame.epoch for frame in index(tmp_path).frames] == [10, 20, 25]
    assert len(list(tmp_path.glob("*.webp"))) == 3


@pytest.mark.parametrize("damage", ["other prompts", "not JSON"])
def test_an_index_that_is_of_no_use_is_begun_again(tmp_path: Path, damage: str) -> None:
    FrameFolder(tmp_path, PROMPTS).save(torch.rand(3, 3, 16, 16), 1)
    if damage == "not JSON":
        (tmp_path / FRAMES).write_text("{")
    prompts = PROMPTS if damage == "not JSON" else ("pizza", "panda", "moon")
    FrameFolder(tmp_path, prompts).save(torch.rand(3, 3, 16, 16), 2)
    assert index(tmp_path).prompts == prompts
    assert [path.name for path in tmp_path.glob("*.webp")] == ["epoch-0000002.webp"]


def test_an_index_that_cannot_be_read_now_costs_no_frame(tmp_path: Path) -> None:
    folder = FrameFolder(tmp_path, PROMPTS)
    folder.save(torch.rand(3, 3, 16, 16), 1)
    (tmp_path / FRAMES).unlink()
    os.mkfifo(tmp_path / FRAMES)  # reading it would wait for ever
    with pytest.raises(OSError, match="not a file"):
        folder.save(torch.rand(3, 3, 16, 16), 2)
    assert [path.name for path in tmp_path.glob("*.webp")] == ["epoch-0000001.webp"]


@pytest.mark.parametrize(("pictures", "columns"), [(1, 1), (2, 2), (4, 2), (5, 3), (12, 4), (16, 4)])
def test_a_frame_is_about_as_wide_as_high(pictures: int, columns: int) -> None:
    assert columns_for(pictures) == columns


def test_cards_of_sixteen_texts_stay_readable(tmp_path: Path) -> None:
    prompts = [f"Prompt {number}" for number in range(16)]
    cards = torch.stack([card(prompt, "the rest of the text " * 20) for prompt in prompts])
    path = FrameFolder(tmp_path, prompts, tile=SIDE).save(cards, 1)
    assert path.stat().st_size <= FRAME_BYTES
    with Image.open(path) as frame:
        assert frame.size == (4 * SIDE, 4 * SIDE)
        first = frame.convert("RGB").crop((0, 0, SIDE, SIDE))
    assert first.tobytes() == as_picture(cards[0]).tobytes(), "every pixel is kept"
