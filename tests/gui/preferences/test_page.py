"""The page Preferences as a person uses it."""

import gc
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QRadioButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from client.api.commands import SetPreference
from client.api.errors import NoDaemon
from client.api.questions import ShowPreferences
from client.preferences.preferences import Preferences, Section, describe
from gui.design.theme import current
from gui.preferences.editors import ChoiceEditor, SwitchEditor
from gui.preferences.hours import HoursEditor
from gui.preferences.list_editor import NamesEditor, NumbersEditor
from gui.preferences.number_editor import NumberEditor
from gui.preferences.page import PreferencesPage
from gui.preferences.text_editor import TextEditor, WeeklyEditor
from gui.settings import AppSettings
from gui.widgets.switches import SegmentedControl
from gui.wording import preferences as wording
from tests.client.snapshots import FULL
from tests.gui.first_run.stand_ins import SlowDaemon
from tests.gui.preferences.conftest import KeepingLink

E = TypeVar("E", bound=QWidget)


def editor(page: PreferencesPage, name: str, kind: type[E]) -> E:
    found = page.rows[name].editor
    assert isinstance(found, kind)
    return found


def segment(control: SegmentedControl, place: int) -> QRadioButton:
    return control.findChildren(QRadioButton)[place]


def tick(qtbot: QtBot, box: QCheckBox) -> None:
    """Click on the box itself, which is at the leading edge."""
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def test_every_preference_is_there_in_the_order_of_the_sections(page: PreferencesPage) -> None:
    assert list(page.rows) == [view.name for view in describe(Preferences())]
    cards = [row.parentWidget() for row in page.rows.values()]
    titles = list(dict.fromkeys(card.accessibleName() for card in cards if card is not None))
    assert titles == [wording.section(section.name) for section in Section]


def test_a_switch_saves_at_once_and_says_so(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    switch = editor(page, "video-pause", SwitchEditor).switch
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert link.value("video-pause") == "off"
    assert page.rows["video-pause"].is_saved
    assert page.rows["video-pause"].default.isVisible()


def test_a_choice_is_made_with_the_arrow_keys(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    segments = editor(page, "run-mode", ChoiceEditor).segments
    chosen = segment(segments, segments.choice)
    chosen.setFocus()
    qtbot.keyClick(chosen, Qt.Key.Key_Right)
    assert link.value("run-mode") == "never"


def test_a_number_is_saved_once_it_is_settled(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    number = editor(page, "cpu-temperature", NumberEditor).number
    number.setFocus()
    number.selectAll()
    qtbot.keyClicks(number, "75")
    assert link.value("cpu-temperature") == "90 °C"
    qtbot.keyClick(number, Qt.Key.Key_Return)
    assert link.value("cpu-temperature") == "75 °C"


def test_the_slider_and_the_number_of_a_percentage_agree(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    share = editor(page, "share-of-time", NumberEditor)
    share.slider.setValue(60)
    assert share.number.value() == 60
    qtbot.waitUntil(lambda: link.value("share-of-time") == "60%")
    share.number.stepDown()
    assert share.slider.value() == 59


def test_a_word_instead_of_a_number_is_a_check_box(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    upload = editor(page, "upload", NumberEditor)
    assert upload.word.isChecked()
    assert not upload.number.isVisible()
    tick(qtbot, upload.word)
    assert upload.number.isVisible()
    assert link.value("upload") == "1 MB/s"
    tick(qtbot, upload.word)
    assert link.value("upload") == "unlimited"


def test_another_unit_says_the_same_amount(page: PreferencesPage, link: KeepingLink) -> None:
    size = editor(page, "ram-free", NumberEditor)
    assert (size.number.text(), size.unit.currentText()) == ("512", "MiB")
    size.unit.setCurrentIndex(size.unit.findText("GiB"))
    size.unit.activated.emit(size.unit.currentIndex())
    assert size.number.text() == "0.5"
    assert link.value("ram-free") == "512 MiB"


def test_scrolling_the_page_over_a_number_leaves_it_alone(page: PreferencesPage, link: KeepingLink) -> None:
    share = editor(page, "share-of-time", NumberEditor)
    page.search.setFocus()
    for part in (share.number, share.slider, editor(page, "ram-free", NumberEditor).unit):
        QCoreApplication.sendEvent(part, downwards(part))
    assert share.number.value() == 100
    assert editor(page, "ram-free", NumberEditor).unit.currentText() == "MiB"


def downwards(over: QWidget) -> QWheelEvent:
    middle = QPointF(over.rect().center())
    return QWheelEvent(
        middle, over.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip


def test_names_are_added_and_removed(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    names = editor(page, "exclusive-applications", NamesEditor)
    for name in ("blender", "obs", "blender"):
        qtbot.keyClicks(names.field, name)
        qtbot.keyClick(names.field, Qt.Key.Key_Return)
    assert link.value("exclusive-applications") == "blender, obs"
    assert [tag.name for tag in names.tags] == ["blender", "obs"]
    assert names.tags[0].remove.accessibleName() == "Remove blender"
    qtbot.mouseClick(names.tags[0].remove, Qt.MouseButton.LeftButton)
    assert link.value("exclusive-applications") == "obs"
    qtbot.mouseClick(names.tags[0].remove, Qt.MouseButton.LeftButton)
    assert link.value("exclusive-applications") == "none"


def test_names_that_are_added_faster_than_they_are_saved_are_all_kept(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    names = editor(page, "exclusive-applications", NamesEditor)
    SlowDaemon(link, SetPreference)
    for name in ("blender", "obs"):
        qtbot.keyClicks(names.field, name)
        qtbot.keyClick(names.field, Qt.Key.Key_Return)
    assert link.asked[-1] == SetPreference(name="exclusive-applications", value="blender, obs")


def test_what_cannot_be_saved_is_reported_in_the_words_of_the_app(
    page: PreferencesPage, link: KeepingLink
) -> None:
    slow = SlowDaemon(link, SetPreference)
    editor(page, "video-pause", SwitchEditor).switch.click()
    slow.refuse(NoDaemon("The daemon has ended."))
    assert page.rows["video-pause"].error.startswith("Idlebrush is not running in the background\n")
    assert editor(page, "video-pause", SwitchEditor).switch.isChecked()


def test_what_was_found_is_marked_in_the_colours_of_the_theme(page: PreferencesPage, qtbot: QtBot) -> None:
    theme = current()
    qtbot.keyClicks(page.search, "cooled")
    row = page.rows["gpu-temperature"]
    qtbot.waitUntil(lambda: says(row, theme.palette.selection))
    before = theme.palette.selection
    theme.set_appearance("light" if theme.is_dark else "dark")
    try:
        assert theme.palette.selection != before
        QApplication.sendEvent(row, QEvent(QEvent.Type.PaletteChange))
        qtbot.waitUntil(lambda: says(row, theme.palette.selection))
    finally:
        theme.set_appearance("system")


def says(row: QWidget, text: str) -> bool:
    return any(text in label.text() for label in row.findChildren(QLabel))


def test_what_is_refused_is_reported_in_place_and_the_old_value_stays(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    gpus = editor(page, "gpus", NumbersEditor)
    tick(qtbot, gpus.word)
    qtbot.keyClicks(gpus.field, "the big one")
    qtbot.keyClick(gpus.field, Qt.Key.Key_Return)
    assert link.value("gpus") == "all"
    assert gpus.word.isChecked()
    assert "the big one" in page.rows["gpus"].error
    assert "numbers from 0 separated by commas" in page.rows["gpus"].error
    tick(qtbot, gpus.word)
    qtbot.keyClicks(gpus.field, "2, 0")
    qtbot.keyClick(gpus.field, Qt.Key.Key_Return)
    assert link.value("gpus") == "0, 2"
    assert page.rows["gpus"].error == ""


def test_prices_are_written_with_their_hours(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    price = editor(page, "electricity-price", WeeklyEditor)
    assert not price.field.isVisible()
    tick(qtbot, price.word)
    qtbot.keyClicks(price.field, "0.30 EUR; mon-fri 17-20 0.45")
    qtbot.keyClick(price.field, Qt.Key.Key_Return)
    assert link.value("electricity-price") == "0.3 EUR; mon-fri 17:00-20:00 0.45"
    assert price.field.text() == link.value("electricity-price")
    assert price.remark.isVisible()
    price.field.clear()
    qtbot.keyClicks(price.field, " ")
    qtbot.keyClick(price.field, Qt.Key.Key_Return)
    assert link.value("electricity-price") == "off"
    assert price.word.isChecked()


def test_a_power_limit_is_written_in_watts_or_per_cent(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    power = editor(page, "gpu-power", TextEditor)
    tick(qtbot, power.word)
    qtbot.keyClicks(power.field, "70 %")
    qtbot.keyClick(power.field, Qt.Key.Key_Return)
    assert link.value("gpu-power") == "70%"
    tick(qtbot, power.word)
    assert link.value("gpu-power") == "off"
    assert not power.field.isVisible()


def test_hours_are_painted_with_the_pointer(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    hours = editor(page, "hours", HoursEditor)
    tick(qtbot, hours.word)
    first, last = (hours.grid.area(cell).center().toPoint() for cell in ((0, 8), (4, 17)))
    qtbot.mousePress(hours.grid, Qt.MouseButton.LeftButton, pos=first)
    qtbot.mouseMove(hours.grid, last)
    assert link.value("hours") == "always"
    qtbot.mouseRelease(hours.grid, Qt.MouseButton.LeftButton, pos=last)
    assert link.value("hours") == "mon 00:00-08:00, mon-thu 18:00-08:00, fri 18:00-24:00, sat-sun"
    assert hours.field.text() == link.value("hours")


def test_hours_are_chosen_by_keyboard_alone(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    hours = editor(page, "hours", HoursEditor)
    hours.word.setFocus()
    qtbot.keyClick(hours.word, Qt.Key.Key_Space)
    hours.grid.setFocus()
    qtbot.keyClick(hours.grid, Qt.Key.Key_Space)
    assert hours.grid.accessibleDescription() == "Monday, 00:00: training pauses"
    qtbot.keyClick(hours.grid, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(hours.grid, Qt.Key.Key_Down)
    assert hours.grid.accessibleDescription() == "Tuesday, 01:00: training is allowed"
    assert link.value("hours") == "mon 02:00-24:00, tue-sun"


def test_hours_are_written_as_text(qtbot: QtBot, page: PreferencesPage, link: KeepingLink) -> None:
    hours = editor(page, "hours", HoursEditor)
    hours.word.click()
    qtbot.keyClicks(hours.field, "22-6")
    qtbot.keyClick(hours.field, Qt.Key.Key_Return)
    assert link.value("hours") == "daily 22:00-06:00"
    hours.field.selectAll()
    qtbot.keyClicks(hours.field, "at night")
    qtbot.keyClick(hours.field, Qt.Key.Key_Return)
    assert link.value("hours") == "daily 22:00-06:00" == hours.field.text()
    assert "at night" in page.rows["hours"].error


def test_the_last_hour_of_the_week_cannot_be_taken(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    link.change("hours", "mon 8-9")
    page.shown()
    hours = editor(page, "hours", HoursEditor)
    point = hours.grid.area((0, 8)).center().toPoint()
    qtbot.mouseClick(hours.grid, Qt.MouseButton.LeftButton, pos=point)
    assert link.value("hours") == "mon 08:00-09:00"
    assert hours.grid.week.share((0, 8)) == 1


def test_a_preference_goes_back_to_its_default(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    link.change("idle-minutes", "90 s")
    page.shown()
    idle = editor(page, "idle-minutes", NumberEditor)
    assert idle.number.value() == 1.5
    qtbot.mouseClick(page.rows["idle-minutes"].default, Qt.MouseButton.LeftButton)
    assert link.value("idle-minutes") == "3 min"
    assert idle.number.value() == 3
    assert not page.rows["idle-minutes"].default.isVisible()


def test_what_others_change_is_shown_but_not_under_the_hands(
    qtbot: QtBot, page: PreferencesPage, link: KeepingLink
) -> None:
    number = editor(page, "gpu-temperature", NumberEditor).number
    number.setFocus()
    number.selectAll()
    qtbot.keyClicks(number, "7")
    link.change("gpu-temperature", "60")
    link.change("cpu-temperature", "61")
    page.shown()
    assert number.text().startswith("7")
    assert editor(page, "cpu-temperature", NumberEditor).number.value() == 61


def test_searching_leaves_what_matches(qtbot: QtBot, page: PreferencesPage) -> None:
    qtbot.keyClicks(page.search, "gpu cooled")
    qtbot.waitUntil(
        lambda: [name for name, row in page.rows.items() if row.isVisible()] == ["gpu-temperature"]
    )
    qtbot.keyClicks(page.search, " zebra")
    qtbot.waitUntil(page.nothing.isVisible)
    assert not page.app.isVisible()
    qtbot.mouseClick(page.nothing.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.rows["hours"].isVisible)
    assert page.search.text() == ""


def test_whoever_is_sent_to_a_preference_sees_it(
    qtbot: QtBot, link: KeepingLink, settings: AppSettings
) -> None:
    page = PreferencesPage(link, settings)
    qtbot.addWidget(page)
    page.resize(900, 400)
    page.show()
    page.show_preference("listening-port")
    assert page.rows == {}
    page.shown()
    qtbot.waitUntil(lambda: "listening-port" in page.rows)
    row = page.rows["listening-port"]
    qtbot.waitUntil(lambda: not row.visibleRegion().isEmpty())


def test_the_values_are_asked_for_again_only_now_and_then(page: PreferencesPage, link: KeepingLink) -> None:
    asked = link.asked.count(ShowPreferences())
    for _ in range(5):
        page.show_snapshot(FULL)
    assert link.asked.count(ShowPreferences()) <= asked + 1  # on a busy machine it may be time by now


def test_what_could_not_be_asked_for_is_asked_for_with_the_next_snapshot(
    page: PreferencesPage, link: KeepingLink
) -> None:
    link.is_deaf = True
    page.shown()
    assert link.failed is not None
    link.failed(NoDaemon("It is not running."))
    link.is_deaf = False
    asked = link.asked.count(ShowPreferences())
    page.show_snapshot(FULL)
    assert link.asked.count(ShowPreferences()) == asked + 1


def test_without_a_daemon_only_the_apps_preferences_can_be_set(page: PreferencesPage) -> None:
    page.show_snapshot(None)
    assert not page.rows["upload"].isEnabled()
    assert page.app.isEnabled()
    page.show_snapshot(FULL)
    assert page.rows["upload"].isEnabled()


def test_the_app_remembers_its_preferences(
    qtbot: QtBot, page: PreferencesPage, settings: AppSettings
) -> None:
    page.app.language.setCurrentIndex(page.app.language.findData("de"))
    page.app.language.activated.emit(page.app.language.currentIndex())
    qtbot.mouseClick(page.app.notifications, Qt.MouseButton.LeftButton)
    for control, place in ((page.app.appearance, 2), (page.app.closing, 1), (page.app.quitting, 2)):
        segment(control, place).click()
    assert settings.language == "de"
    assert settings.notifications is False
    assert (settings.appearance, settings.at_closing, settings.at_quitting) == ("dark", "quit", "stop")
    segment(page.app.appearance, 0).click()


@pytest.mark.parametrize("width", [420, 900])
def test_nothing_is_cut_off_in_a_narrow_window(page: PreferencesPage, width: int) -> None:
    page.resize(width, 700)
    for name, row in page.rows.items():
        assert row.width() >= row.minimumSizeHint().width(), name


def test_everything_that_is_reached_by_tab_has_a_name(page: PreferencesPage) -> None:
    page.search.setFocus()
    seen: list[QWidget] = []
    for _ in range(300):
        page.focusNextPrevChild(True)
        reached = page.focusWidget()
        assert reached is not None
        if reached in seen:
            break
        seen.append(reached)
    assert len(seen) > len(page.rows)
    assert seen.index(editor(page, "video-pause", SwitchEditor).switch) < seen.index(page.app.language)
    named = [widget.accessibleName() or getattr(widget, "text", str)() for widget in seen]
    assert [widget for widget, name in zip(seen, named, strict=True) if not name] == []


def test_a_page_that_goes_while_it_is_filled_goes_quietly(link: KeepingLink, settings: AppSettings) -> None:
    page = PreferencesPage(link, settings)
    link.show(FULL)
    page.show_snapshot(FULL)
    page.shown()
    delete(page)
    del page
    gc.collect()  # what it left undone would be complained of here


def test_who_comes_to_an_editor_by_tab_hears_what_it_does(page: PreferencesPage) -> None:
    number = editor(page, "idle-minutes", NumberEditor).number
    assert number.accessibleName() == "Idle after"
    assert number.accessibleDescription().startswith("The computer counts as idle")
    unit = editor(page, "disk-limit", NumberEditor).unit
    assert unit.accessibleDescription() == "Unit of “Disk space for runs”"
