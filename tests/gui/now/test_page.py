"""The page Now with real widgets, linked to a stand-in."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.environment import EnvironmentView
from client.api.gallery import TimelapseIndex
from client.api.history import EpochPoint
from client.api.protocol import ProblemView
from client.api.questions import ShowEpochs
from client.api.snapshot import Activity, ReasonView, Snapshot
from core.generation.frame_texts import texts_packet
from core.generation.records import FRAMES, TimelapseFrame, frame_file
from gui.gallery.timelapse import TimelapseFrames
from gui.link.link import LinkState
from gui.now.cards import EpochRing
from gui.now.page import NowPage
from gui.now.view import NowCommand
from tests.client.snapshots import FULL, IDLE, NOW
from tests.gui.setup import environments as known
from tests.gui.stand_in_link import StandInLink

TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING, "reasons": (), "problem": None})
EPOCHS = tuple(EpochPoint(epoch=epoch, loss=7 - epoch / 10, samples=96) for epoch in range(1, 34))


@pytest.fixture
def page(link: StandInLink, qtbot: QtBot) -> NowPage:
    link.answers[ShowEpochs] = Done(id=0, epochs=EPOCHS)
    shown = NowPage(link, now=lambda: NOW)
    link.snapshot_changed.connect(shown.show_snapshot)
    qtbot.addWidget(shown)
    shown.resize(860, 720)
    shown.show()
    shown.shown()
    return shown


def write_lapse(folder: Path) -> None:
    """One frame of two pictures."""
    sheet = Image.new("RGB", (128, 64), "teal")
    sheet.save(folder / frame_file(34), "WEBP")
    frame = TimelapseFrame(
        epoch=34, sha256=hashlib.sha256((folder / frame_file(34)).read_bytes()).hexdigest()
    )
    index = TimelapseIndex(prompts=("red heart", "blue star"), columns=2, frames=(frame,))
    (folder / FRAMES).write_text(index.model_dump_json())


def buttons(page: NowPage) -> dict[str, QPushButton]:
    return {button.text(): button for button in page.findChildren(QPushButton) if button.isVisible()}


def at(epoch: int) -> Snapshot:
    assert TRAINING.progress is not None
    progress = TRAINING.progress.model_copy(update={"epoch": epoch})
    return TRAINING.model_copy(update={"progress": progress})


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        (NowCommand.PAUSE, Pause()),
        (NowCommand.FINISH, Finish()),
        (NowCommand.RESUME, Resume()),
        (NowCommand.TRAIN_ANYWAY, SetPreference(name="run-mode", value="always")),
        (NowCommand.HEED_PREFERENCES, SetPreference(name="run-mode", value="preferences")),
    ],
)
def test_buttons_tell_the_daemon(
    page: NowPage, link: StandInLink, qtbot: QtBot, command: NowCommand, asked: Pause | Finish | Resume
) -> None:
    paused = {"activity": Activity.PAUSED, "reasons": (ReasonView(code="paused", text=""),)}
    link.show(TRAINING.model_copy(update=paused) if command is NowCommand.RESUME else TRAINING)
    qtbot.mouseClick(page.hero.buttons[command], Qt.MouseButton.LeftButton)
    assert asked in link.asked


def test_a_snooze_lasts_as_long_as_its_entry_says(page: NowPage, link: StandInLink) -> None:
    link.show(TRAINING)
    menu = page.hero.buttons[NowCommand.SNOOZE].menu()
    menu.actions()[0].trigger()
    assert Pause(seconds=timedelta(minutes=15).total_seconds()) in link.asked


def test_a_reason_leads_to_its_preference(page: NowPage, link: StandInLink, qtbot: QtBot) -> None:
    reasons = (ReasonView(code="on_battery", text=""),)
    link.show(TRAINING.model_copy(update={"activity": Activity.PAUSED, "reasons": reasons, "reach": None}))
    with qtbot.waitSignal(page.preference_wanted) as wanted:
        qtbot.mouseClick(buttons(page)["Change this"], Qt.MouseButton.LeftButton)
    assert wanted.args == ["on-battery"]


@pytest.mark.parametrize(
    ("code", "label", "signal"),
    [
        ("rejected", "Sign in", "sign_in_wanted"),
        ("membership", "Sign in to this run", "admission_wanted"),
        ("manifest", "Choose a run", "run_wanted"),
        ("preference", "Change this", "page_wanted"),
        ("child", "Open the log", "page_wanted"),
    ],
)
def test_a_problem_leads_to_what_helps(
    page: NowPage, link: StandInLink, qtbot: QtBot, code: str, label: str, signal: str
) -> None:
    problem = ProblemView(code=code, what="What.", remedy="Do.")
    link.show(TRAINING.model_copy(update={"problem": problem, "reach": None}))
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.mouseClick(buttons(page)[label], Qt.MouseButton.LeftButton)


def test_what_failed_can_be_tried_again(page: NowPage, link: StandInLink, qtbot: QtBot) -> None:
    problem = ProblemView(code="child", what="What.", remedy="Do.")
    link.show(TRAINING.model_copy(update={"activity": Activity.ATTENTION, "problem": problem}))
    qtbot.mouseClick(buttons(page)["Try again"], Qt.MouseButton.LeftButton)
    assert Resume() in link.asked


def test_without_a_run_there_is_a_way_to_choose_one(page: NowPage, link: StandInLink, qtbot: QtBot) -> None:
    link.show(IDLE)
    assert not page.hero.isVisible()
    with qtbot.waitSignal(page.run_wanted):
        qtbot.mouseClick(buttons(page)["Choose a run"], Qt.MouseButton.LeftButton)


def test_before_any_daemon_has_spoken_there_is_nothing_to_press(page: NowPage) -> None:
    assert page.empty.isVisible()
    assert buttons(page) == {}


def test_without_its_daemon_what_was_seen_stays_but_nothing_seems_to_happen(
    page: NowPage, link: StandInLink
) -> None:
    link.show(TRAINING)
    link.show(None, LinkState.SILENT)
    page.show_snapshot(None)
    assert page.hero.headline == "Not connected"
    assert page.facts.isVisible()
    assert not any(button.isEnabled() for button in buttons(page).values())
    link.show(TRAINING)
    assert page.hero.headline == "Training"
    assert page.hero.buttons[NowCommand.PAUSE].isVisible()


def test_the_curve_is_asked_for_once_and_drawn(page: NowPage, link: StandInLink) -> None:
    link.show(TRAINING)
    link.show(at(34))
    assert link.asked == [ShowEpochs(points=400)]
    assert page.curve.points == EPOCHS
    assert "6.9" in page.curve.chart.accessibleDescription()


def test_another_run_has_another_curve(page: NowPage, link: StandInLink) -> None:
    link.show(TRAINING)
    link.answers[ShowEpochs] = Done(id=0, epochs=())
    assert TRAINING.run is not None
    link.show(TRAINING.model_copy(update={"run": TRAINING.run.model_copy(update={"digest": "cd"})}))
    assert page.curve.points == ()


def test_a_run_that_is_over_shows_what_came_of_it(page: NowPage, link: StandInLink, qtbot: QtBot) -> None:
    link.show(TRAINING.model_copy(update={"activity": Activity.COMPLETE}))
    assert page.outcome.isVisible()
    assert not page.epoch.isVisible()
    with qtbot.waitSignal(page.page_wanted) as wanted:
        qtbot.mouseClick(page.outcome.button, Qt.MouseButton.LeftButton)
    assert wanted.args == ["gallery"]


def test_the_last_frame_is_drawn_of_a_run_that_is_over(
    page: NowPage, link: StandInLink, qtbot: QtBot, tmp_path: Path
) -> None:
    write_lapse(tmp_path)
    link.show(TRAINING.model_copy(update={"activity": Activity.COMPLETE, "timelapse": str(tmp_path)}))
    qtbot.waitUntil(page.outcome.picture.isVisible)
    assert page.outcome.picture.image is not None
    assert page.outcome.picture.image.width() == 128


def test_the_last_texts_are_shown_of_a_text_run_that_is_over(
    page: NowPage, link: StandInLink, qtbot: QtBot, tmp_path: Path
) -> None:
    write_lapse(tmp_path)
    lapse = TimelapseFrames.read(tmp_path)
    texts = [f" <i>{number}</i>" for number in range(len(lapse.prompts))]
    Image.new("RGB", (96, 64)).save(lapse.files[-1], "WEBP", xmp=texts_packet(texts))
    link.show(TRAINING.model_copy(update={"activity": Activity.COMPLETE, "timelapse": str(tmp_path)}))
    qtbot.waitUntil(page.outcome.texts.isVisible)
    assert page.outcome.texts.toPlainText().startswith(f"{lapse.prompts[0]} <i>0</i>")
    assert not page.outcome.picture.isVisible()


def test_a_button_is_not_drawn_again_while_the_reasons_stay(page: NowPage, link: StandInLink) -> None:
    reasons = (ReasonView(code="on_battery", text=""),)
    paused = TRAINING.model_copy(update={"activity": Activity.PAUSED, "reasons": reasons})
    link.show(paused)
    before = buttons(page)["Change this"]
    link.show(paused.model_copy(update={"progress": at(40).progress}))
    assert buttons(page)["Change this"] is before


def test_everything_has_a_name_and_the_pictures_have_words(page: NowPage, link: StandInLink) -> None:
    link.show(FULL)
    ring = page.epoch.findChild(EpochRing)
    assert ring is not None
    assert ring.accessibleName()
    assert "48 of 96" in ring.accessibleDescription()
    assert all(button.accessibleName() or text for text, button in buttons(page).items())
    assert page.curve.chart.accessibleDescription()


@pytest.mark.parametrize(
    ("environment", "is_shown"),
    [(known.FETCHING, True), (known.OLD_WSL, True), (known.UPDATING, True), (known.READY, False)],
)
def test_the_set_up_is_shown_until_there_is_nothing_to_tell_about_it(
    page: NowPage, link: StandInLink, environment: EnvironmentView, is_shown: bool
) -> None:
    link.show(TRAINING.model_copy(update={"environment": environment}))
    assert page.setup.isVisible() is is_shown
