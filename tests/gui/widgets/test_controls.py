"""Controls do by keyboard what they do by pointer, and screen readers take them for what they are."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.design.theme import current
from gui.widgets.buttons import IconButton, QuietButton
from gui.widgets.fields import ChoiceField, DecimalField, NumberField, SearchField, Slider
from gui.widgets.progress import ProgressBar
from gui.widgets.switches import SegmentedControl, Switch


def test_a_switch_is_a_check_box_to_screen_readers(qtbot: QtBot) -> None:
    switch = Switch("Start at login")
    qtbot.addWidget(switch)
    accessible = QAccessible.queryAccessibleInterface(switch)

    assert accessible.role() is QAccessible.Role.CheckBox
    assert accessible.text(QAccessible.Text.Name) == "Start at login"


def test_a_switch_turns_by_space_and_wherever_it_is_clicked(qtbot: QtBot) -> None:
    switch = Switch("Start at login")
    qtbot.addWidget(switch)
    switch.resize(300, 24)
    turned: list[bool] = []
    switch.toggled.connect(turned.append)
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(290, 12))
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(5, 12))

    assert turned == [True, False, True]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_two_positions_of_a_switch_differ_in_shape(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    switch = Switch()
    qtbot.addWidget(switch)
    switch.setLayoutDirection(direction)
    switch.resize(switch.sizeHint())
    off = _knob(switch.grab().toImage(), current().palette.control)
    switch.setChecked(True)
    on = _knob(switch.grab().toImage(), current().palette.on_accent)

    assert (off < on) == (direction is Qt.LayoutDirection.LeftToRight)


def test_segments_are_radio_buttons_to_screen_readers(qtbot: QtBot) -> None:
    control = SegmentedControl(["Day", "Week", "All"])
    qtbot.addWidget(control)
    accessible = QAccessible.queryAccessibleInterface(control)

    assert [accessible.child(i).text(QAccessible.Text.Name) for i in range(accessible.childCount())] == [
        "Day",
        "Week",
        "All",
    ]
    assert {accessible.child(i).role() for i in range(3)} == {QAccessible.Role.RadioButton}


def test_arrow_keys_move_the_choice_and_tell_it(qtbot: QtBot) -> None:
    control = SegmentedControl(["Day", "Week", "All"])
    qtbot.addWidget(control)
    with qtbot.waitActive(control):
        control.show()
        control.activateWindow()
    chosen: list[int] = []
    control.chosen.connect(chosen.append)
    qtbot.keyClick(control, Qt.Key.Key_Tab)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        focus = control.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, key)

    assert chosen == [1, 2, 1]
    assert control.choice == 1


def test_a_choice_made_by_the_program_emits_nothing(qtbot: QtBot) -> None:
    control = SegmentedControl(["Day", "Week"])
    qtbot.addWidget(control)
    with qtbot.assertNotEmitted(control.chosen):
        control.choose(1)
        control.choose(7)

    assert control.choice == 1


def test_an_icon_alone_has_a_name(qtbot: QtBot) -> None:
    button = IconButton("play", "Play")
    qtbot.addWidget(button)
    button.set_icon("pause", "Pause")

    assert (button.accessibleName(), button.toolTip()) == ("Pause", "Pause")
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("field", [NumberField, DecimalField, ChoiceField, Slider])
def test_a_wheel_turned_over_a_field_scrolls_the_page(qtbot: QtBot, field: type[QWidget]) -> None:
    made = field()
    qtbot.addWidget(made)
    if isinstance(made, ChoiceField):
        made.addItems(["one", "two"])
        made.setCurrentIndex(1)
    before = made.property("value"), made.property("currentIndex"), made.property("time")
    turned = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(made, turned)

    assert not turned.isAccepted()
    assert (made.property("value"), made.property("currentIndex"), made.property("time")) == before


def test_searching_waits_for_a_pause_and_escape_empties_the_field(qtbot: QtBot) -> None:
    field = SearchField("Search preferences")
    qtbot.addWidget(field)
    searched: list[str] = []
    field.searched.connect(searched.append)
    qtbot.keyClicks(field, "heat")
    qtbot.waitUntil(lambda: searched == ["heat"])
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: searched == ["heat", ""])


def test_progress_fills_its_share_of_the_bar(qtbot: QtBot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.resize(200, 8)
    bar.set(0.5)
    image = bar.grab().toImage()
    palette = current().palette

    assert image.pixelColor(40, 4) == QColor(palette.accent)
    assert image.pixelColor(80, 4) == QColor(palette.accent)
    assert image.pixelColor(150, 4) == QColor(palette.line)
    assert bar.value() == bar.maximum() // 2


@pytest.mark.parametrize(("fraction", "value"), [(-1, 0), (2, 1000), (0.3, 300), (1, 1000)])
def test_progress_stays_within_its_bounds(qtbot: QtBot, fraction: float, value: int) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.set(fraction)

    assert bar.value() == value


def test_progress_fills_from_the_side_where_reading_begins(qtbot: QtBot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.resize(200, 8)
    bar.set(0.25)
    bar.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    image = bar.grab().toImage()

    assert image.pixelColor(180, 4) == QColor(current().palette.accent)
    assert image.pixelColor(20, 4) == QColor(current().palette.line)


def test_progress_of_unknown_length_moves_until_it_is_known(qtbot: QtBot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.resize(200, 8)
    bar.show()
    bar.set_busy(True)
    first = bar.grab().toImage()
    qtbot.waitUntil(lambda: bar.grab().toImage() != first)
    bar.set_busy(False)
    bar.set(1.0)

    assert bar.grab().toImage().pixelColor(100, 4) == QColor(current().palette.accent)


def test_a_button_takes_the_colour_of_a_new_palette_for_its_icon(qtbot: QtBot) -> None:
    button = QuietButton("Pause", icon="pause")
    qtbot.addWidget(button)
    before = button.icon().cacheKey()
    QApplication.sendEvent(button, QEvent(QEvent.Type.PaletteChange))

    assert button.icon().cacheKey() != before


def _knob(image: QImage, colour: str) -> float:
    """The mean place of that colour along the middle."""
    middle = image.height() // 2
    found = [x for x in range(4, image.width() - 4) if image.pixelColor(x, middle) == QColor(colour)]
    return sum(found) / len(found)


def test_a_choice_of_languages_is_as_wide_as_its_longest_item_without_measuring_any(qtbot: QtBot) -> None:
    field = ChoiceField()
    qtbot.addWidget(field)
    field.addItems(["English", "简体中文"])
    field.size_by_letters()
    assert field.view().sizeHintForRow(0) == field.view().sizeHintForRow(1)
    assert field.itemData(1, Qt.ItemDataRole.SizeHintRole).isValid()
    assert field.sizeHint().width() > field.fontMetrics().horizontalAdvance("English")
