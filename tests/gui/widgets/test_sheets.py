"""Cards, banners, labels and the like say what they are told, whole and in the right direction."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card, EmptyState, Figure
from gui.widgets.labels import Label, Tone, body, caption, heading, title
from gui.widgets.layouts import FlowLayout, VerticalScroll
from gui.widgets.picture import PictureButton, PictureView, QrCode

LONG = "A sentence that goes on for so long that no window is wide enough to hold it in a single line. " * 3


@pytest.mark.parametrize("kind", BannerKind)
def test_a_banner_says_what_happened_and_offers_what_helps(qtbot: QtBot, kind: BannerKind) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    done: list[bool] = []
    assert banner.isHidden()
    banner.show_message(kind, "The daemon is away.", "Start it.", "Start", lambda: done.append(True))

    assert not banner.isHidden()
    assert (banner.accessibleName(), banner.accessibleDescription()) == ("The daemon is away.", "Start it.")
    qtbot.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    assert done == [True]


def test_each_kind_of_banner_has_an_icon_of_its_own(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    drawn = []
    for kind in BannerKind:
        banner.show_message(kind, "What happened")
        drawn.append(banner.findChildren(QLabel)[0].pixmap().toImage().createAlphaMask())

    assert all(a != b for place, a in enumerate(drawn) for b in drawn[:place])


def test_a_banner_without_an_action_has_no_button_and_goes_when_it_is_dismissed(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    banner.show_message(BannerKind.DONE, "The run is finished.")
    assert banner.button.isHidden()
    with qtbot.waitSignal(banner.dismissed):
        qtbot.mouseClick(banner.findChildren(QWidget, "dismiss")[0], Qt.MouseButton.LeftButton)

    assert banner.isHidden()


def test_an_empty_state_shows_all_of_its_words(qtbot: QtBot) -> None:
    state = EmptyState("gallery", "No pictures yet", LONG, "Draw one")
    qtbot.addWidget(state)
    state.resize(500, 500)
    state.show()
    words = next(label for label in state.findChildren(QLabel) if label.text() == LONG)

    assert words.height() >= words.heightForWidth(words.width())
    with qtbot.waitSignal(state.acted):
        qtbot.mouseClick(state.button, Qt.MouseButton.LeftButton)
    state.show_state("lock", "No run yet", "Join one.")
    assert state.button.isHidden()


@pytest.mark.parametrize("make", [body, caption, heading, title])
def test_words_wrap_and_are_never_markup(qtbot: QtBot, make: Callable[[str], Label]) -> None:
    label = make("<b>" + LONG)
    qtbot.addWidget(label)

    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.heightForWidth(300) > label.heightForWidth(3000)


def test_names_and_numbers_stand_where_reading_begins(qtbot: QtBot) -> None:
    label = body("12,345")
    qtbot.addWidget(label)
    label.resize(300, 30)
    before = _middle(label.grab().toImage())
    label.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    assert before < 100
    assert _middle(label.grab().toImage()) > 200


def test_a_label_changes_its_tone(qtbot: QtBot) -> None:
    label = body("Signed out")
    qtbot.addWidget(label)
    label.set_tone(Tone.VERMILION)

    assert label.property("tone") == "vermilion"


def test_a_figure_tells_its_name_and_its_value(qtbot: QtBot) -> None:
    figure = Figure("7", "Computers training")
    qtbot.addWidget(figure)
    figure.set_value("8", "12.5 samples a second")

    assert figure.accessibleName() == "Computers training"
    assert figure.accessibleDescription() == "8 12.5 samples a second"


def test_a_card_without_a_title_leaves_no_room_for_one(qtbot: QtBot) -> None:
    titled, plain = Card("Loss"), Card()
    for card in (titled, plain):
        qtbot.addWidget(card)
        card.body.addWidget(QLabel("x"))

    assert plain.sizeHint().height() < titled.sizeHint().height()


@pytest.mark.parametrize("side", [64, 200])
def test_a_small_picture_is_enlarged_crisply(qtbot: QtBot, side: int) -> None:
    view = PictureView(_checkered(8))
    qtbot.addWidget(view)
    view.resize(side, side)
    image = view.grab().toImage()
    inner = {image.pixelColor(x, side // 2).name() for x in range(4, side - 4)}

    assert inner == {"#ffffff", "#000000"}


def test_a_picture_keeps_its_ratio(qtbot: QtBot) -> None:
    wide = QImage(40, 20, QImage.Format.Format_RGB32)
    wide.fill(QColor("red"))
    view = PictureView(wide)
    qtbot.addWidget(view)
    view.resize(200, 200)
    image = view.grab().toImage()

    assert image.pixelColor(100, 100) == QColor("red")
    assert image.pixelColor(100, 20) != QColor("red")


def test_a_place_for_a_picture_says_why_it_is_empty(qtbot: QtBot) -> None:
    view = PictureView(placeholder="Being drawn")
    qtbot.addWidget(view)
    view.resize(160, 160)
    without_words = PictureView()
    qtbot.addWidget(without_words)
    without_words.resize(160, 160)

    assert view.grab().toImage() != without_words.grab().toImage()


def test_a_picture_can_be_chosen_by_key(qtbot: QtBot) -> None:
    button = PictureButton("a red apple", 96, _checkered(8))
    qtbot.addWidget(button)
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, Qt.Key.Key_Space)

    assert button.accessibleName() == "a red apple"


def test_a_qr_code_has_its_finders_and_a_quiet_margin(qtbot: QtBot) -> None:
    code = QrCode("https://example.org/device", side=164)
    qtbot.addWidget(code)
    image = code.grab().toImage()
    dark = [(x, y) for x in range(164) for y in range(164) if image.pixelColor(x, y).lightness() < 100]
    left, top = min(x for x, _ in dark), min(y for _, y in dark)

    assert left >= 12
    assert image.pixelColor(left + 1, top + 1).lightness() < 100, "the corner of a finder"
    code.set_text("")
    assert code.grab().toImage().pixelColor(left + 1, top + 1).lightness() > 200


def test_widgets_flow_into_rows_from_the_side_where_reading_begins(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    flow = FlowLayout(page, spacing=10)
    tiles = [QPushButton() for _ in range(5)]
    for tile in tiles:
        tile.setFixedSize(90, 40)
        flow.addWidget(tile)
    page.resize(300, 200)
    page.show()

    assert [tile.x() for tile in tiles] == [0, 100, 200, 0, 100]
    assert [tile.y() for tile in tiles] == [0, 0, 0, 50, 50]
    assert (flow.heightForWidth(300), flow.heightForWidth(95)) == (90, 240)
    page.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.waitUntil(lambda: [tile.x() for tile in tiles] == [210, 110, 10, 210, 110])


def test_what_the_keyboard_reaches_comes_into_view(qtbot: QtBot) -> None:
    content = QWidget()
    column = QVBoxLayout(content)
    buttons = [QuietButton(str(number)) for number in range(30)]
    for button in buttons:
        column.addWidget(button)
    page = VerticalScroll(content)
    qtbot.addWidget(page)
    page.resize(300, 200)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    buttons[0].setFocus()
    for _ in range(20):
        qtbot.keyClick(content.focusWidget() or page, Qt.Key.Key_Tab)

    reached = content.focusWidget()
    assert reached is buttons[20]
    assert page.viewport().rect().contains(reached.geometry().translated(content.pos()))


def _checkered(side: int) -> QImage:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    for x in range(side):
        for y in range(side):
            image.setPixelColor(x, y, QColor("black" if (x + y) % 2 else "white"))
    return image


def _middle(image: QImage) -> float:
    """The mean place, from the left, of what is drawn."""
    ground = image.pixelColor(150, 2)
    drawn = [
        x for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y) != ground
    ]
    return sum(drawn) / len(drawn)
