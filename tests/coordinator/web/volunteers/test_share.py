"""The picture by which a volunteer shares the contribution: of whom there is one, what it shows, what it costs."""

import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from coordinator.ledger.volunteer import Volunteer, volunteer
from coordinator.web.app import create_app
from coordinator.web.limits import Rates
from coordinator.web.pages.share import SharePictures, figures_of
from coordinator.web.pages.share_picture import SIZE, SharedFigures, draw, pictures_of
from core.contribution.year import year_of
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.sites import ServedSite, add_frames, fill

TODAY = date(2026, 11, 22)
CALENDAR = year_of({TODAY: 5}, TODAY)
RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture
def filled(changing: ServedSite) -> ServedSite:
    fill(changing, epochs=8)
    return changing


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content), formats=("PNG",)).convert("RGB")


def shared(name: str = "ada", title: str = "A run", team: str = "Brushes") -> SharedFigures:
    return SharedFigures(title, name, team, (("#1", "of 5 volunteers"), ("1.2 M", "samples")), CALENDAR)


def test_a_page_names_its_picture_for_previews(filled: ServedSite) -> None:
    client = browsing(filled)
    address = f"{filled.context.settings.address}/volunteers/ada/share.png"
    assert f'<meta property="og:image" content="{address}">' in client.get("/volunteers/ada").text
    answer = client.get("/volunteers/ada/share.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert opened(answer.content).size == SIZE


@pytest.mark.parametrize("name", ["shy-person", "nobody"])
def test_who_is_hidden_or_unknown_has_none(filled: ServedSite, name: str) -> None:
    assert browsing(filled).get(f"/volunteers/{name}/share.png").status_code == 404


def test_it_shows_the_newest_pictures(filled: ServedSite) -> None:
    client = browsing(filled)
    for epoch, colour in ((50, RED), (60, BLUE)):
        add_frames(filled, (epoch,), Image.new("RGB", (96, 64), colour))
        filled.clock.seconds += 2  # for which a response is kept
        shown = opened(client.get("/volunteers/ada/share.png").content).getpixel((800, 100))
        assert isinstance(shown, tuple)
        assert all(abs(one - other) < 12 for one, other in zip(shown, colour, strict=True))


def test_a_frame_that_is_away_or_damaged_leaves_the_picture_without_pictures(filled: ServedSite) -> None:
    tiny = io.BytesIO()
    Image.new("RGB", (1, 1)).save(tiny, "WEBP")
    for damage in (
        lambda file: file.write_bytes(b"RIFF"),
        lambda file: file.write_bytes(tiny.getvalue()),
        Path.unlink,
    ):
        for file in filled.context.home.frames.iterdir():
            damage(file)
        filled.clock.seconds += 2
        shown = opened(browsing(filled).get("/volunteers/ada/share.png").content)
        assert shown.getpixel((800, 100)) == (0xFA, 0xF9, 0xF6)


def page_of(shown: ServedSite, name: str) -> Volunteer:
    with shown.database.reading() as session:
        found = volunteer(session, name, shown.clock())
    assert found is not None
    return found


def test_the_first_volunteer_is_one_of_one(changing: ServedSite, filled: ServedSite) -> None:
    ada = replace(page_of(filled, "ada"), rank=1, volunteers=1)
    assert figures_of(changing.context, ada).figures[0] == ("#1", "of 1 volunteer")
    several = replace(ada, volunteers=1200)
    assert figures_of(changing.context, several).figures[0] == ("#1", "of 1,200 volunteers")


def test_few_pictures_are_kept_and_one_is_drawn_once_for_what_it_shows(filled: ServedSite) -> None:
    pictures = SharePictures(most=1)
    ada, grace = page_of(filled, "ada"), page_of(filled, "grace")
    first = pictures.of(filled.context, ada)
    assert pictures.of(filled.context, ada) is first
    pictures.of(filled.context, grace)
    assert len(pictures) == 1
    again = pictures.of(filled.context, ada)
    assert again == first
    assert again is not first


def test_pictures_are_asked_for_at_the_rate_of_what_takes_the_processor(filled: ServedSite) -> None:
    client = TestClient(create_app(filled.context, Rates(), filled.clock.monotonic))
    statuses = [client.get(f"/volunteers/ada/share.png?{number}").status_code for number in range(21)]
    assert statuses == [200] * 20 + [429]


@pytest.mark.parametrize("name", ["", "a", "W" * 128, "кисть", "絵筆", "\u202e", "a\nb"])
def test_any_words_fit_the_picture(name: str) -> None:
    picture = opened(draw(shared(name, name, name), [Image.new("RGB", (8, 8), BLUE)] * 4))
    assert picture.size == SIZE
    beside = {picture.getpixel((755, y)) for y in range(440)}
    assert beside == {picture.getpixel((0, 0))}, "no word reaches the pictures"
    assert picture.getpixel((800, 100)) == BLUE


@pytest.mark.parametrize("name", ["кисть", "絵筆", "Pędzel 猫"])
def test_words_that_the_typefaces_lack_letters_for_are_left_out_and_not_boxes(name: str) -> None:
    assert draw(shared(name), []) == draw(shared(""), [])


@pytest.mark.parametrize("name", ["Ängström", "naïve – “œuvre”…", "Štětce", "Pędzel"])
def test_words_that_the_typefaces_have_are_drawn(name: str) -> None:
    assert draw(shared(name), []) != draw(shared(""), [])


def test_a_frame_is_cut_into_its_pictures(tmp_path: Path) -> None:
    sheet = Image.new("RGB", (60, 40), RED)
    sheet.paste(BLUE, (20, 0, 40, 20))
    file = tmp_path / "frame.webp"
    sheet.save(file, "WEBP", lossless=True)
    cells = pictures_of(file, 5)
    assert [cell.size for cell in cells] == [(20, 20)] * 4
    assert [cell.getpixel((10, 10)) for cell in cells] == [RED, BLUE, RED, RED]


@pytest.mark.parametrize("side", [1, 5000])
def test_a_frame_that_is_too_small_or_too_large_has_no_pictures(tmp_path: Path, side: int) -> None:
    file = tmp_path / "frame.webp"
    Image.new("RGB", (side, side)).save(file, "WEBP")
    assert pictures_of(file, 5) == []
