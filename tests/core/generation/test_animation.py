"""A time-lapse as one moving picture: all frames in their order, in each format; what cannot be shown is refused."""

import io
from pathlib import Path

import pytest
import torch
from PIL import Image, ImageSequence

from core.errors import GenerationError
from core.families.causal_lm.cards import SIDE, card
from core.generation.animation import moving_picture, save_animation, spread
from core.generation.frames import FrameFolder
from core.generation.sheet import as_picture

_NO_PROMPTS = (
    f'{{"version": 1, "prompts": [], "columns": 1, "frames": [{{"epoch": 3, "sha256": "{"0" * 64}"}}]}}'
)
PROMPTS = ("red heart", "a prompt that is longer than its picture is wide", "blue cat")


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    """Write frames of one colour each: dark at first, bright at last."""
    folder = FrameFolder(tmp_path / "timelapse", PROMPTS)
    for epoch, level in ((3, 0.1), (6, 0.5), (12, 0.9)):
        folder.save(torch.full((len(PROMPTS), 3, 64, 64), level), epoch)
    return folder.folder


@pytest.mark.parametrize("suffix", [".webp", ".gif", ".png", ".WEBP"])
def test_all_frames_are_shown_in_their_order(frames: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    assert save_animation(frames, out) == 3
    with Image.open(out) as moving:
        levels = [page.convert("L").getpixel((70, 80)) for page in ImageSequence.Iterator(moving)]
        assert moving.info.get("loop", 0) == 0
    assert levels == pytest.approx([26, 128, 230], abs=8)


def test_the_last_frame_stays_longest(frames: Path, tmp_path: Path) -> None:
    save_animation(frames, tmp_path / "out.webp", seconds=0.2)
    with Image.open(tmp_path / "out.webp") as moving:
        times = [page.copy().info["duration"] for page in ImageSequence.Iterator(moving)]
    assert times == [200, 200, 3000]


@pytest.mark.parametrize("name", ["out.mp4", "out"])
def test_other_formats_are_refused(frames: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(GenerationError, match="names no format") as refused:
        save_animation(frames, tmp_path / name)
    assert ".webp" in refused.value.remedy
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize(
    "index", [None, "", "{}", '{"version": 1, "prompts": ["a"], "columns": 1, "frames": []}', _NO_PROMPTS]
)
def test_without_frames_it_says_so(tmp_path: Path, index: str | None) -> None:
    if index is not None:
        (tmp_path / "index.json").write_text(index)
    with pytest.raises(GenerationError, match="no frames of a time-lapse"):
        save_animation(tmp_path, tmp_path / "out.webp")


def webp(width: int, height: int) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height)).save(written, "WEBP")
    return written.getvalue()


@pytest.mark.parametrize("damage", [b"", b"no picture", None, webp(1, 64), webp(64, 1)])
def test_a_damaged_frame_is_left_out(frames: Path, tmp_path: Path, damage: bytes | None) -> None:
    for number, broken in enumerate(sorted(frames.glob("*.webp"))):
        if damage is None:
            broken.unlink()
        else:
            broken.write_bytes(damage)
        if number < 2:
            assert save_animation(frames, tmp_path / "out.webp") == 2 - number
    with pytest.raises(GenerationError, match="no frames of a time-lapse"):
        save_animation(frames, tmp_path / "none.webp")
    assert not (tmp_path / "none.webp").exists()


def written(tmp_path: Path, prompt: str) -> bytes:
    """A moving picture with that prompt under one picture."""
    folder = FrameFolder(tmp_path / "one", ("any",))
    folder.save(torch.zeros((1, 3, 64, 64)), 3)
    (frame,) = folder.folder.glob("*.webp")
    made = moving_picture((prompt,), 1, [(3, frame)], ".png")
    assert made is not None
    return made.content


@pytest.mark.parametrize("prompt", ["Mädchen", "pędzel", "naïve…"])
def test_prompts_in_latin_letters_are_written(tmp_path: Path, prompt: str) -> None:
    plain = "".join(letter for letter in prompt if letter.isascii())
    assert len({written(tmp_path, words) for words in ("", plain, prompt)}) == 3


@pytest.mark.parametrize("prompt", ["кисть", "絵筆", "red 猫", "\u202e"])
def test_a_prompt_that_the_typeface_lacks_letters_for_is_left_out_and_not_boxes(
    tmp_path: Path, prompt: str
) -> None:
    assert written(tmp_path, prompt) == written(tmp_path, "")


def test_a_wide_prompt_stays_under_its_picture(tmp_path: Path) -> None:
    with Image.open(io.BytesIO(written(tmp_path, "W" * 60))) as page:
        edge = page.convert("L").crop((6 + 128, 0, page.width, page.height))
        assert edge.getextrema() == (255, 255)


def test_cards_of_text_are_shown_in_their_size(tmp_path: Path) -> None:
    prompts = [f"Prompt {number}" for number in range(16)]
    cards = torch.stack([card(prompt, "the rest of the text " * 20) for prompt in prompts])
    file = FrameFolder(tmp_path, prompts, tile=SIDE).save(cards, 1)
    made = moving_picture(prompts, 4, [(epoch, file) for epoch in range(1, 3)])
    assert made is not None
    with Image.open(io.BytesIO(made.content)) as moving:
        assert moving.width >= 4 * SIDE
        page = moving.convert("RGB")
    shown = page.crop((6, 22, 6 + SIDE, 22 + SIDE))
    assert shown.tobytes() == as_picture(cards[0]).tobytes()


@pytest.mark.parametrize(
    ("items", "most", "expected"),
    [
        ([1], 2, [1]),
        ([1, 2, 3], 3, [1, 2, 3]),
        ([1, 2, 3, 4, 5], 3, [1, 3, 5]),
        ([1, 2, 3, 4, 5, 6], 2, [1, 6]),
    ],
)
def test_of_many_large_frames_some_are_shown(items: list[int], most: int, expected: list[int]) -> None:
    assert spread(items, most) == expected
