"""The page Gallery and a real daemon: words are typed, pictures of a real model appear, others are called off."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QRadioButton
from pytestqt.qtbot import QtBot

from client.api.launch import DaemonProgram
from client.service.trainer.run import CHECKPOINT, PEER
from core.messages.pictures import MOST_PICTURES
from core.run.manifest import RunManifest
from gui.gallery.page import GalleryPage
from gui.link.daemon_access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from tests.swarms.drawable_run import PROMPTS, save_checkpoint, write_drawable_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at

MILLISECONDS = int(1000 * PATIENCE)


@pytest.fixture(scope="module")
def volunteer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VolunteerMachine]:
    """A volunteer who trains nothing now and has an earlier checkpoint."""
    folder = tmp_path_factory.mktemp("v")
    manifest = write_drawable_run(folder / "run")
    with volunteer_at(folder / "home") as person:
        person.prefer(run_mode="never")
        person.start()
        person.join(manifest)
        run = person.paths.run(RunManifest.load(manifest).training_digest)
        save_checkpoint(manifest, run / PEER / CHECKPOINT)
        yield person
        person.quit()


@pytest.fixture
def page(qtbot: QtBot, volunteer: VolunteerMachine) -> Iterator[GalleryPage]:
    """The gallery's page, with the volunteer's own pictures in front."""
    link = DaemonLink(DaemonAccess.of(volunteer.paths, DaemonProgram()))
    page = GalleryPage(link, new_seed=lambda: 5)
    qtbot.addWidget(page)
    link.snapshot_changed.connect(page.show_snapshot)
    page.resize(860, 720)
    page.show()
    page.choice.findChildren(QRadioButton)[1].click()
    link.start()
    qtbot.waitUntil(page.own.form.draw.isEnabled, timeout=MILLISECONDS)
    yield page
    link.stop()


def ask(qtbot: QtBot, page: GalleryPage, words: str, count: int) -> None:
    """Request pictures as a person does who wants a certain number."""
    form = page.own.form
    form.count.setValue(count)
    form.best.setValue(count)
    form.prompt.selectAll()
    qtbot.keyClicks(form.prompt, words)
    qtbot.keyClick(form.prompt, Qt.Key.Key_Return)


def test_words_are_typed_and_pictures_appear(qtbot: QtBot, page: GalleryPage) -> None:
    ask(qtbot, page, PROMPTS[0], 3)
    qtbot.waitUntil(page.own.queue.isVisible, timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: bool(page.own.cards), timeout=MILLISECONDS)
    (card,) = page.own.cards.values()
    assert card.album.request.prompt == PROMPTS[0]
    assert card.album.request.seed == 5
    qtbot.waitUntil(lambda: [tile.button.image is not None for tile in card.tiles] == [True] * 3)
    assert not page.own.queue.isVisible()
    card.tiles[2].button.click()
    qtbot.waitUntil(page.own.large.copy.isEnabled)
    assert not page.own.banner.isVisible()


def test_what_is_called_off_ends_and_leaves_nothing(
    qtbot: QtBot, page: GalleryPage, volunteer: VolunteerMachine
) -> None:
    before = set(volunteer.paths.gallery.iterdir())
    ask(qtbot, page, PROMPTS[1], MOST_PICTURES)
    qtbot.waitUntil(lambda: bool(page.own.queue.rows), timeout=MILLISECONDS)
    (row,) = page.own.queue.rows.values()
    qtbot.waitUntil(lambda: row.bar.value() > 0, timeout=MILLISECONDS)
    row.cancel.click()
    qtbot.waitUntil(lambda: not page.own.queue.rows, timeout=MILLISECONDS)
    assert set(volunteer.paths.gallery.iterdir()) == before
    assert not page.own.banner.isVisible()


def test_words_that_the_model_cannot_read_are_refused_by_its_tokenizer_and_reported(
    qtbot: QtBot, page: GalleryPage
) -> None:
    ask(qtbot, page, "red heart " * 150, 1)
    qtbot.waitUntil(page.own.banner.isVisible, timeout=MILLISECONDS)
    assert page.own.banner.accessibleDescription()
