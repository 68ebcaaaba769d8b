"""Charts can be looked at, pointed at, moved through by keys, and listened to."""

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.design.theme import current
from gui.widgets.chart import BarChart, ChartBar, LineChart
from gui.widgets.plot import stride

CURVE = [(float(epoch), 6 * math.exp(-epoch / 20) + 2) for epoch in range(1, 101)]


@pytest.fixture
def line(qtbot: QtBot) -> LineChart:
    chart = LineChart()
    qtbot.addWidget(chart)
    chart.resize(600, 300)
    return chart


@pytest.fixture
def bars(qtbot: QtBot) -> BarChart:
    chart = BarChart()
    qtbot.addWidget(chart)
    chart.resize(600, 300)
    chart.set_bars(
        [ChartBar("Mon", 3), ChartBar("Tue", 8, "8 samples\nTuesday"), ChartBar("Wed", math.nan)], "Samples"
    )
    return chart


@pytest.mark.parametrize(
    "points",
    [
        [],
        [(1, 2.5)],
        [(1, 5), (2, 5), (3, 5)],
        [(1, math.nan), (2, math.nan)],
        [(1, 3), (2, math.nan), (3, 1)],
        [(float(i), math.sin(i)) for i in range(2000)],
        [(0, -1e12), (1, 1e12)],
        [(0, 1e-9), (1, 3e-9)],
    ],
    ids=["none", "one", "constant", "no numbers", "a gap", "many", "huge", "tiny"],
)
@pytest.mark.parametrize("size", [(600, 300), (200, 150), (40, 20)])
def test_any_series_is_drawn(
    line: LineChart, points: list[tuple[float, float]], size: tuple[int, int]
) -> None:
    line.resize(*size)
    line.set_series(points, "Epoch", "Loss")
    line.read = 0 if line.count() else None

    assert not line.grab().isNull()
    assert line.count() == sum(math.isfinite(value) for _, value in points)


def test_the_curve_runs_through_its_latest_points(line: LineChart) -> None:
    line.set_series([(0, 0), (1, 1)])
    line.grab()
    line.set_series(CURVE)
    image = line.grab().toImage()

    for index in (5, 50, 90):
        at = line.position(index).toPoint()
        assert _is_near(image, at, current().palette.accent)
    assert _is_near(image, line.position(99).toPoint(), current().palette.vermilion), "where it is now"


def test_small_is_high_where_small_is_best(line: LineChart) -> None:
    line.set_series([(1, 9), (2, 1)], "Day", "Rank", inverted=True)
    assert line.position(1).y() < line.position(0).y()


def test_a_chart_without_values_says_so(line: LineChart) -> None:
    line.set_empty("No epoch yet")
    line.set_series([])

    assert line.accessibleDescription() == "No epoch yet"


def test_it_is_reported_in_words(line: LineChart) -> None:
    line.set_series(CURVE, "Epoch", "Loss")

    assert line.accessibleName() == "Loss"
    words = line.accessibleDescription()
    assert words.startswith("From 7.71 at 1 to 2.04 at 100. The lowest is 2.04, the highest 7.71.")


def test_arrow_keys_read_value_after_value(line: LineChart, qtbot: QtBot) -> None:
    line.set_series(CURVE, "Epoch", "Loss")
    read = []
    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_End,
        Qt.Key.Key_Right,
        Qt.Key.Key_Left,
        Qt.Key.Key_Home,
    ):
        qtbot.keyClick(line, key)
        read.append(line.accessibleDescription())

    assert read == [f"Epoch {at}; {CURVE[at - 1][1]:.2f}" for at in (1, 2, 100, 100, 99, 1)]
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.read is None


def test_the_pointer_reads_the_nearest_value(line: LineChart, qtbot: QtBot) -> None:
    line.set_series(CURVE, "Epoch", "Loss")
    line.show()
    at = line.position(49)
    qtbot.mouseMove(line.windowHandle(), QPoint(round(at.x()) + 1, 10))  # whatever window lies above it

    assert line.read == 49
    assert line.nearest(-100) == 0
    assert line.nearest(10_000) == 99


def test_a_readout_ends_when_the_pointer_leaves(line: LineChart) -> None:
    line.set_series(CURVE)
    line.read = 49
    QApplication.sendEvent(line, QEvent(QEvent.Type.Leave))
    assert line.read is None


def test_a_readout_ends_when_its_value_is_gone(line: LineChart) -> None:
    line.set_series(CURVE)
    line.read = 99
    line.set_series(CURVE[:10])

    assert line.read is None


def test_heights_change_sides_where_one_reads_from_the_right_but_time_does_not(line: LineChart) -> None:
    line.set_series(CURVE)
    before = line.frame()
    line.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    after = line.frame()

    assert after.left() == 600 - before.right()
    assert line.position(0).x() < line.position(99).x()


def test_bars_rise_with_their_values(bars: BarChart) -> None:
    image = bars.grab().toImage()
    middle = [round(bars.position(index).x()) for index in range(3)]
    accent = [_height(image, x, current().palette.accent) for x in middle]

    assert accent[1] > 2 * accent[0] > 0
    assert accent[2] == 0, "what is not a number has no bar"


def test_a_bar_is_read_out_by_its_tip_or_by_its_label(bars: BarChart, qtbot: QtBot) -> None:
    assert bars.accessibleDescription().startswith("3 value(s) from Mon to Wed. The highest is 8 at Tue.")
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert bars.accessibleDescription() == "Mon; 3"
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert bars.accessibleDescription() == "Tuesday; 8 samples"


@pytest.mark.parametrize(("room", "every"), [(10, 1), (20, 1), (21, 2), (45, 3), (1000, 50)])
def test_words_that_would_touch_are_left_out_evenly(room: float, every: int) -> None:
    assert stride([20.0 * place for place in range(10)], room) == every


def _is_near(image: QImage, at: QPoint, colour: str) -> bool:
    wanted = QColor(colour)
    around = [image.pixelColor(at + QPoint(x, y)) for x in range(-2, 3) for y in range(-2, 3)]
    return any(abs(a.red() - wanted.red()) + abs(a.blue() - wanted.blue()) < 40 for a in around)


def _height(image: QImage, x: int, colour: str) -> int:
    return sum(image.pixelColor(x, y) == QColor(colour) for y in range(image.height()))
