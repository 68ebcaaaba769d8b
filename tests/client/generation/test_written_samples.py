"""`idlebrush samples` prints what the model of a text run wrote, without what steers a terminal."""

import json
from pathlib import Path

import pytest
from PIL import Image

from core.generation.frame_texts import texts_packet
from core.generation.records import FRAMES, FrameIndex, TimelapseFrame, frame_file
from tests.command_line import idlebrush

PROMPTS = ("The number", "A\x1b[2J prompt")
TEXTS = {10: (" ten", " 10"), 20: (" twenty\nlines\x07", " \u202e20 数学")}


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A demo's folder whose time-lapse has texts of two epochs."""
    folder = tmp_path / "timelapse"
    folder.mkdir()
    for epoch, texts in TEXTS.items():
        Image.new("RGB", (8, 8)).save(folder / frame_file(epoch), "WEBP", xmp=texts_packet(texts))
    frames = tuple(TimelapseFrame(epoch=epoch, sha256="ab" * 32) for epoch in TEXTS)
    index = FrameIndex(prompts=PROMPTS, columns=2, frames=frames)
    (folder / FRAMES).write_text(index.model_dump_json())
    return tmp_path


def test_the_newest_texts_are_printed(demo: Path) -> None:
    done = idlebrush("samples", "--run", demo)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Epoch 20\n\nThe number twenty\nlines�\n\nA [2J prompt 20 数学\n"


@pytest.mark.parametrize(("asked", "shown"), [(10, 10), (19, 10), (500, 20)])
def test_texts_of_an_epoch_are_told_to_programs(demo: Path, asked: int, shown: int) -> None:
    answer = json.loads(idlebrush("samples", "--run", demo, "--epoch", asked, "--json").stdout)
    assert answer["epoch"] == shown
    assert [sample["prompt"] for sample in answer["samples"]] == ["The number", "A [2J prompt"]
    assert answer["samples"][0]["continuation"].startswith(TEXTS[shown][0].split("\n")[0])


@pytest.mark.parametrize("case", ["pictures", "too early", "no file", "no time-lapse"])
def test_what_cannot_be_printed_is_refused_in_two_lines(demo: Path, case: str) -> None:
    newest = demo / "timelapse" / frame_file(20)
    words: list[object] = ["--epoch", 9] if case == "too early" else []
    if case == "pictures":
        Image.new("RGB", (8, 8)).save(newest, "WEBP")
    elif case == "no file":
        newest.unlink()
    elif case == "no time-lapse":
        (demo / "timelapse" / FRAMES).unlink()
    done = idlebrush("samples", "--run", demo, *words)
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert len(done.stderr.splitlines()) == 2
