"""The command that takes pictures of a new user's first evening: all of it, with a run that learns in seconds."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from docs.pictures.first_evening import LARGEST
from docs.pictures.make_first_evening import EveningOptions, at_the_desk, page, spend
from tests.processes.process_tree import MARK
from tests.swarms.drawable_run import PROMPTS, write_drawable_run

PICTURES = [
    *("welcome", "choice", "consent", "now", "mine", "prompts-0", "leaderboard"),
    *("website-first", "website-dashboard", "website-gallery"),
]


# Its parts are tested apart: the first run by keys, the swarm on this computer, the screen reader.
@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_an_evening_goes_by_keys_alone_to_the_last_picture_and_leaves_nothing(tmp_path: Path) -> None:
    write_drawable_run(tmp_path / "embedded", epochs=100_000, target_batch_size=256)
    options = replace(EveningOptions.read(["--minutes", "0", "--beside"]), pictures=tmp_path / "pictures")
    options.pictures.mkdir()
    settings = {"trainer": "client.trainer", "embedded": str(tmp_path / "embedded")}
    with at_the_desk(options, tmp_path / "home", settings) as evening:
        spend(replace(evening, prompt=PROMPTS[0]), options.minutes)
    assert not evening.person.family(), MARK
    assert [one.name for one in evening.camera.taken] == PICTURES
    for one in evening.camera.taken:
        file = options.pictures / f"{one.name}.png"
        assert file.stat().st_size <= LARGEST
        with Image.open(file) as picture:
            assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 20, f"{one.name} shows nothing"
        assert one.name in page(options, evening.camera.taken, "a computer")
    times = [one.seconds for one in evening.camera.taken]
    assert times == sorted(times)
    assert evening.camera.taken[-1].epoch >= evening.camera.taken[3].epoch >= 0
