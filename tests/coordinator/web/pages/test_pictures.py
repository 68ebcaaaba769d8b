"""The run's pictures for visitors: each as a PNG with its prompt and seed, and all as one moving picture."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from PIL.PngImagePlugin import PngImageFile
from playwright.sync_api import sync_playwright
from starlette.testclient import TestClient

from coordinator.ledger.history import take_down, thinned_frames
from coordinator.web.app import create_app
from coordinator.web.caching.cut_pictures import CutPictures
from coordinator.web.caching.moving_picture import REST_SECONDS, MovingPictureCache, ShownFrame
from tests.coordinator.web.conftest import GENEROUS, browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import (
    PROMPTS,
    LedgerPerson,
    ServedSite,
    SiteClock,
    add_epochs,
    add_frames,
    add_people,
)
from tests.waiting import COSTLY, wait_until

MOVING = "/timelapse.webp"
SIDE = 32


def coloured() -> Image.Image:
    """A frame of all prompts, whose pictures have one colour each."""
    frame = Image.new("RGB", (3 * SIDE, 2 * SIDE), "white")
    for number in range(len(PROMPTS)):
        row, column = divmod(number, 3)
        frame.paste(colour(number), (column * SIDE, row * SIDE, (column + 1) * SIDE, (row + 1) * SIDE))
    return frame


def colour(number: int) -> tuple[int, int, int]:
    return 40 * number, 200 - 40 * number, 90


@pytest.fixture
def pictured(changing: ServedSite) -> ServedSite:
    """A site with the frames of two epochs."""
    add_people(changing, (LedgerPerson("ada"),))
    add_epochs(changing, (LedgerPerson("ada"),), range(1, 13))
    add_frames(changing, (5, 10), coloured())
    return changing


@pytest.fixture
def visitor(pictured: ServedSite) -> Iterator[TestClient]:
    with browsing(pictured) as client:
        yield client


def frames_in(content: bytes) -> int:
    with Image.open(io.BytesIO(content)) as moving:
        return sum(1 for _ in ImageSequence.Iterator(moving))


def test_each_picture_is_a_png_that_says_its_prompt_and_seed(visitor: TestClient) -> None:
    links = [link for link in ParsedPage(visitor.get("/gallery").text).links if link.endswith(".png")]
    assert len(links) == 2 * len(PROMPTS)
    for link in (link for link in links if "/10/" in link):
        answer = visitor.get(link)
        number = int(link.rpartition("/")[2].removesuffix(".png"))
        with Image.open(io.BytesIO(answer.content)) as picture:
            assert isinstance(picture, PngImageFile)
            pixel = picture.convert("RGB").getpixel((SIDE // 2, SIDE // 2))
            texts = dict(picture.text)
        assert pixel == pytest.approx(colour(number), abs=8)
        assert (texts["Description"], texts["Seed"], texts["Number"]) == (PROMPTS[number], "0", "0")
        assert texts["Epoch"] == "10"
        assert "attachment" in answer.headers["content-disposition"]
        assert "immutable" in answer.headers["cache-control"]


def test_the_page_says_how_to_draw_a_picture_again_in_words_that_a_shell_takes_as_they_are(
    visitor: TestClient,
) -> None:
    assert "idlebrush generate &#39;red heart&#39; --seed 0 --number 1" in visitor.get("/gallery").text


@pytest.mark.parametrize("end", ["5.png", "-1.png", "0.gif", "x.png"])
def test_no_other_picture_is_there(visitor: TestClient, end: str) -> None:
    link = next(link for link in ParsedPage(visitor.get("/gallery").text).links if link.endswith("/0.png"))
    assert visitor.get(link.replace("0.png", end)).status_code in (404, 422)
    assert visitor.get(re.sub(r"[0-9a-f]{16}", "0" * 16, link)).status_code == 404


@pytest.mark.parametrize("damaged", ["text", "one pixel"])
def test_a_picture_of_a_damaged_frame_is_not_there(
    pictured: ServedSite, visitor: TestClient, damaged: str
) -> None:
    link = next(link for link in ParsedPage(visitor.get("/gallery").text).links if link.endswith("/0.png"))
    for file in pictured.context.home.frames.iterdir():
        if damaged == "text":
            file.write_bytes(b"no picture")
        else:
            Image.new("RGB", (1, 1)).save(file, "WEBP")
    assert visitor.get(link).status_code == 404
    assert visitor.get(MOVING).status_code == 404


def test_the_moving_picture_has_all_frames_and_is_not_sent_twice(visitor: TestClient) -> None:
    answer = visitor.get(MOVING)
    assert answer.headers["content-type"] == "image/webp"
    assert "attachment" in answer.headers["content-disposition"]
    assert frames_in(answer.content) == 2
    again = visitor.get(MOVING, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_is_made_again_for_new_frames_but_seldom(pictured: ServedSite, visitor: TestClient) -> None:
    first = visitor.get(MOVING).content
    add_frames(pictured, (12,), coloured())
    pictured.clock.seconds += REST_SECONDS - 1
    assert visitor.get(MOVING).content == first
    pictured.clock.seconds += 2
    assert visitor.get(MOVING).content == first, "nobody waits while it is made"

    def is_made() -> bool:
        pictured.clock.seconds += 2  # for which an answer is kept
        return frames_in(visitor.get(MOVING).content) == 3

    wait_until(is_made, "it is not made again", every=COSTLY)


def shown(folder: Path, epochs: Sequence[int]) -> list[ShownFrame]:
    """Frames of one file that may be shown."""
    file = folder / "frame.webp"
    Image.new("RGB", (32, 32), (90, 90, 160)).save(file, "WEBP")
    return [ShownFrame(0, epoch, f"{epoch}", file) for epoch in epochs]


def test_a_long_run_is_thinned_out_and_its_picture_rests_as_well(tmp_path: Path) -> None:
    clock, permitted = SiteClock(), shown(tmp_path, range(90))
    cache = MovingPictureCache(clock.monotonic, start=lambda work: work())

    def picture(frames: int) -> bytes | None:
        chosen = thinned_frames(permitted[:frames], 60)
        return cache.picture(("any",), chosen, frozenset(permitted[:frames]))

    first = picture(70)
    assert first is not None
    assert frames_in(first) == 36  # every other one, and the newest
    for frames in range(71, 90):
        clock.seconds += 3
        assert picture(frames) is first, "the newest frame of before is still permitted"
    clock.seconds += 4
    assert picture(90) is first
    second = picture(90)
    assert second is not None
    assert frames_in(second) == 46


def test_readers_have_the_picture_of_before_while_the_next_is_made(tmp_path: Path) -> None:
    clock, frames, begun = SiteClock(), shown(tmp_path, range(3)), list[Callable[[], None]]()
    cache = MovingPictureCache(clock.monotonic, start=begun.append)
    first = cache.picture(("any",), frames[:1], frozenset(frames))
    clock.seconds += REST_SECONDS
    for _ in range(5):
        assert cache.picture(("any",), frames, frozenset(frames)) is first
    (make,) = begun
    make()
    made = cache.picture(("any",), frames, frozenset(frames))
    assert made is not None
    assert frames_in(made) == 3
    only = cache.picture(("any",), frames[2:], frozenset(frames[2:]))
    assert only is not None
    assert frames_in(only) == 1, "what is withdrawn is shown to nobody"


def test_a_picture_that_cannot_be_made_is_tried_again(tmp_path: Path) -> None:
    clock, frames = SiteClock(), shown(tmp_path, range(2))
    cache = MovingPictureCache(clock.monotonic, start=lambda work: work())
    first = cache.picture(("any",), frames[:1], frozenset(frames))
    clock.seconds += REST_SECONDS
    broken = [*frames[:1], ShownFrame(0, 1, "1", None)]  # type: ignore[arg-type]
    assert cache.picture(("any",), broken, frozenset([*broken, *frames])) is first
    cache.picture(("any",), frames, frozenset(frames))
    again = cache.picture(("any",), frames, frozenset(frames))
    assert again is not None
    assert frames_in(again) == 2


def test_a_picture_is_cut_once_for_all_who_save_it(pictured: ServedSite, visitor: TestClient) -> None:
    link = next(link for link in ParsedPage(visitor.get("/gallery").text).links if link.endswith("/0.png"))
    first = visitor.get(link).content
    for file in pictured.context.home.frames.iterdir():
        file.write_bytes(b"no picture any more")
    assert visitor.get(link).content == first


def test_few_cut_pictures_are_kept() -> None:
    cuts, made = CutPictures(most=2), list[int]()

    def cut(number: int) -> bytes:
        made.append(number)
        return b"%d" % number

    got = [cuts.of(number, partial(cut, number)) for number in (1, 2, 1, 3, 1, 2)]
    assert got == [b"1", b"2", b"1", b"3", b"1", b"2"]
    assert made == [1, 2, 3, 2]


def test_it_never_shows_a_frame_that_was_taken_down(pictured: ServedSite, visitor: TestClient) -> None:
    assert frames_in(visitor.get(MOVING).content) == 2
    with pictured.database.session() as session:
        take_down(session, 5)
    pictured.clock.seconds += 2
    assert frames_in(visitor.get(MOVING).content) == 1
    with pictured.database.session() as session:
        take_down(session, 10)
    pictured.clock.seconds += 2
    assert visitor.get(MOVING).status_code == 404
    assert MOVING not in ParsedPage(visitor.get("/gallery").text).links


def test_before_the_first_frame_there_is_none(empty_client: TestClient) -> None:
    assert empty_client.get(MOVING).status_code == 404


def test_a_visitor_saves_both_in_a_browser(pictured: ServedSite, tmp_path: Path) -> None:
    app = create_app(pictured.context, GENEROUS)
    with served(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(base_url=address)
        page.goto("/gallery")
        for link in ("Download the moving picture", "red heart, epoch 10, as a PNG"):
            with page.expect_download() as saving:
                page.get_by_role("link", name=link).click()
            saving.value.save_as(tmp_path / saving.value.suggested_filename)
        browser.close()
    saved = {file.suffix: file for file in tmp_path.iterdir() if file.suffix in (".webp", ".png")}
    assert frames_in(saved[".webp"].read_bytes()) == 2
    with Image.open(saved[".png"]) as picture:
        assert picture.text["Description"] == "red heart"  # type: ignore[attr-defined]
