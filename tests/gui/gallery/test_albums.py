"""Albums as values, and the words about them."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from client.api.snapshot import GenerationView, NoticeView
from core.excerpt import QUOTE, excerpt
from core.messages.pictures import GenerationRequest
from gui.gallery.albums import (
    albums_in,
    details,
    drawn_by,
    ended,
    facts,
    file_name,
    place_of,
    ranking_note,
    spoken,
    why_failed,
)
from tests.gui.gallery.pictures_on_disk import NOW, write_gallery

HEART = GenerationRequest(prompt="red heart", count=16, best=4, seed=7, temperature=0.8)


def view(name: str) -> GenerationView:
    return GenerationView(id=name, prompt="red heart", count=4, progress=0.5, text="")


def test_albums_come_newest_first_with_their_files(tmp_path: Path) -> None:
    cat = HEART.model_copy(update={"prompt": "blue cat"})
    newest, oldest = albums_in(write_gallery(tmp_path, HEART, cat, kept=4))
    assert (newest.request.prompt, oldest.request.prompt) == ("blue cat", "red heart")
    assert all(picture.file.is_file() for picture in newest.pictures)
    assert [picture.place for picture in oldest.pictures] == [1, 2, 3, 4]


def test_a_gallery_that_is_not_there_yet_has_no_albums(tmp_path: Path) -> None:
    assert albums_in(tmp_path / "nowhere") == ()


def test_a_gallery_of_something_else_is_reported(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text("[]")
    with pytest.raises(ValueError, match="GalleryIndex"):
        albums_in(tmp_path)


def test_the_model_that_comes_with_the_program_is_told_from_the_runs_own(
    qapp: QApplication, tmp_path: Path
) -> None:
    (album,) = albums_in(write_gallery(tmp_path, HEART))
    assert drawn_by(replace(album, run="Emoji, a starter set")) == "epoch 320 of Emoji, a starter set"
    shipped = replace(album, is_shipped=True)
    assert drawn_by(shipped) == "the model that comes with Idlebrush, epoch 320 of emoji"
    assert drawn_by(shipped) in facts(shipped, NOW)


def test_what_is_known_of_pictures_is_reported(qapp: QApplication, tmp_path: Path) -> None:
    (album,) = albums_in(write_gallery(tmp_path, HEART, kept=4))
    picture = album.pictures[1]
    assert "epoch 320 of emoji" in facts(album, NOW)
    assert "best 4 of 16" in facts(album, NOW)
    assert place_of(picture, album) == "2 of 4"
    assert spoken(picture, album) == "red heart, picture 2 of 4"
    assert dict(details(album, picture)) == {
        "Model": "epoch 320 of emoji", "Seed": "7", "Number": "2 of 16", "Score": "0.900", "Temperature": "0.80",
    }  # fmt: skip


def test_of_unranked_pictures_all_are_kept_and_none_has_a_score(qapp: QApplication, tmp_path: Path) -> None:
    (album,) = albums_in(write_gallery(tmp_path, GenerationRequest(prompt="pizza", count=3)))
    assert "best" not in facts(album, NOW + timedelta(days=40))
    assert "3 picture" in facts(album, NOW)
    assert "Score" not in dict(details(album, album.pictures[0]))
    assert ranking_note(album) == "", "nobody asked for the best"
    wanted = replace(album, request=HEART)
    assert ranking_note(wanted).endswith("Nobody ranks.")
    assert ranking_note(replace(wanted, unranked="")) == ""


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("red heart", "red heart 7-1.png"),
        ("a/b: c?", "a b c 7-1.png"),
        ("..", "album-0 7-1.png"),
        ("long " * 40, f"{('long ' * 40)[:60].strip()} 7-1.png"),
    ],
)
def test_copies_have_names_that_every_system_takes(tmp_path: Path, prompt: str, name: str) -> None:
    request = HEART.model_copy(update={"prompt": prompt})
    (album,) = albums_in(write_gallery(tmp_path, HEART, kept=1))
    assert file_name(album.pictures[0], replace(album, request=request)) == name


def test_requests_end_when_they_are_waited_for_no_more() -> None:
    assert ended((view("a"), view("b")), (view("b"), view("c"))) == (view("a"),)


def test_the_newest_notice_about_a_prompt_says_why_it_failed() -> None:
    texts = (
        "The pictures of “red heart” failed: one.",
        "The pictures of “red heart” failed: two.",
        "Joined.",
    )
    notices = [NoticeView(time=NOW, text=text) for text in texts]
    assert why_failed("red heart", notices).endswith("two.")
    assert why_failed("blue cat", notices) == ""
    assert why_failed("red hea", notices) == ""


def test_a_long_prompt_is_found_in_a_notice_that_quotes_only_its_beginning() -> None:
    text = f"The pictures of “{excerpt('red heart ' * 9, QUOTE)}” failed: one."
    notices = [NoticeView(time=NOW, text=text)]
    assert why_failed("red heart " * 9, notices) == text
    assert why_failed("red heart " * 5, notices) == ""
