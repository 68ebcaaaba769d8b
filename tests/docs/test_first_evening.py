"""The command of the first evening in its parts: options, texts in the user's language, and the page it writes."""

from pathlib import Path

import pytest
from PIL import Image

from docs.pictures import palette
from docs.pictures.first_evening import EveningPicture, words_of
from docs.pictures.make_first_evening import PAGE, EveningOptions, clock, page, seen_in
from tests.docs.documented_code import ROOT

TAKEN = (
    EveningPicture("welcome", "The first screen.", 4.6, 0, 0.5),
    EveningPicture("prompts-15", "The prompts.", 1_205.0, 1_240, 3.25),
)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ([], "--minutes 15"),
        (["--minutes", "0.5", "--theme", "dark"], "--minutes 0.5 --theme dark"),
        (["--language", "zh_CN", "--beside"], "--minutes 15 --language zh_CN --beside"),
    ],
)
def test_the_page_names_the_command_that_made_it(words: list[str], command: str) -> None:
    text = page(EveningOptions.read(words), TAKEN, "2 cores")
    assert f'make first-evening OPTIONS="{command}"' in text
    assert ("busy" in text) == ("--beside" in words)


@pytest.mark.parametrize("words", [["--minutes", "-1"], ["--language", "la"], ["--theme", "sepia"]])
def test_options_that_mean_nothing_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        EveningOptions.read(words)
    assert words[0] in capsys.readouterr().err


def test_the_page_has_each_picture_with_its_time_and_epoch_and_the_load() -> None:
    text = page(EveningOptions(), TAKEN, "2 cores")
    seen = seen_in("welcome")
    assert f"## 0:04\n\nThe first screen.\n\n![{seen}](pictures/first-evening/welcome.png)" in text
    assert "## 20:05, epoch 1,240" in text
    assert "2 cores" in text
    assert "0.5 to 3.2" in text


def test_a_page_elsewhere_has_its_pictures_beside_it(tmp_path: Path) -> None:
    options = EveningOptions.read(["--out", str(tmp_path)])
    assert options.page.parent == options.pictures.parent == tmp_path
    assert "](first-evening/welcome.png)" in page(options, TAKEN, "2 cores")


def test_a_picture_is_described_in_other_words_than_its_caption() -> None:
    lines = [line for line in PAGE.read_text().splitlines() if line]
    described = {lines[at - 1]: line for at, line in enumerate(lines) if line.startswith("![")}
    assert len(described) > 8
    assert [caption for caption, line in described.items() if caption in line] == []
    assert all(
        f"![{seen_in(line.rpartition('/')[2].removesuffix('.png)'))}](" in line for line in described.values()
    )


@pytest.mark.parametrize(("seconds", "said"), [(0, "0:00"), (59.9, "0:59"), (60, "1:00"), (3_600, "60:00")])
def test_times_are_minutes_and_seconds(seconds: float, said: str) -> None:
    assert clock(seconds) == said


def test_parts_of_the_app_are_found_by_their_names_in_the_users_language() -> None:
    assert words_of("de")["While I am away"] == "Wenn ich weg bin"


@pytest.mark.parametrize("most", [None, 16_000])
def test_a_picture_has_fewer_colours_where_its_file_has_to_be_small(tmp_path: Path, most: int | None) -> None:
    noise, file = Image.effect_noise((160, 120), 80).convert("RGB"), tmp_path / "noise.png"
    palette.save(noise, file, most)
    with Image.open(file) as saved:
        colours = len(saved.convert("RGB").getcolors(1 << 16) or ())
    assert (colours <= 64) == (most is not None)
    assert most is None or file.stat().st_size <= most


def test_the_page_of_the_documentation_shows_the_pictures_that_are_there() -> None:
    pictures = {
        f"pictures/first-evening/{file.name}"
        for file in (PAGE.parent / "pictures" / "first-evening").iterdir()
    }
    text = PAGE.read_text()
    assert {
        line.rpartition("(")[2].rstrip(")") for line in text.splitlines() if line.startswith("![")
    } == pictures
    assert "docs/first-evening.md" in (ROOT / "README.md").read_text()
