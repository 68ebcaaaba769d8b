"""Icons are the project's drawings: whole, in the theme's colours, and told apart by shape."""

import re
from enum import Enum
from itertools import combinations, product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

from gui.design.assets import asset
from gui.design.icons import TRAY_SIZES, app_icon, icon, logo, pixmap, tray_icon
from gui.design.tokens import LIGHT
from tests.gui.design.contrast import contrast

NAMES = sorted(file.stem for file in asset("icons").glob("*.svg"))
ASKED_FOR = re.compile(r"""(?:\bicon|pixmap|IconButton|EmptyState|set_icon)(?: = |=|\()"([a-z_]+)\"""")
REPOSITORY = Path(__file__).parents[3]
PANELS = ("#ffffff", "#f0f0f0", "#2b2b2b", "#000000")


class Face(Enum):
    """Names like those of the tray's faces."""

    TRAINING = 1
    THROTTLED = 2
    PAUSED = 3
    WAITING = 4
    ATTENTION = 5
    OFF = 6


def test_each_icon_that_the_app_asks_for_is_drawn() -> None:
    sources = (REPOSITORY / "gui").rglob("*.py")
    asked = {name for source in sources for name in ASKED_FOR.findall(source.read_text(encoding="utf-8"))}

    assert len(asked) > 20
    assert asked <= set(NAMES)


def test_icons_are_drawn_on_the_grid_in_the_colour_of_their_text() -> None:
    for name in NAMES:
        root = ElementTree.parse(asset("icons", f"{name}.svg")).getroot()
        assert (name, root.get("viewBox"), root.get("stroke-width")) == (name, "0 0 24 24", "1.75")
        colours = {part.get(key) for part in root.iter() for key in ("fill", "stroke")}
        assert colours <= {None, "none", "currentColor"}, name


def test_an_icon_fills_its_place(qapp: QApplication) -> None:
    for name in NAMES:
        image = pixmap(name, 24, "#ff0000").toImage()
        colours = {(x, y): image.pixelColor(x, y) for x in range(24) for y in range(24)}
        inked = {at: colour for at, colour in colours.items() if colour.alpha() > 127}

        assert len(inked) >= 12, name
        assert all(colour.red() > 200 for colour in inked.values()), name
        assert max(max(at) for at in inked) >= 15, f"{name} sits in a corner"


def test_icons_differ_from_each_other(qapp: QApplication) -> None:
    drawn = {name: pixmap(name, 24, "#000000").toImage() for name in NAMES}
    assert [pair for pair in combinations(NAMES, 2) if drawn[pair[0]] == drawn[pair[1]]] == []


def test_an_icon_is_paler_while_it_cannot_be_used(qapp: QApplication) -> None:
    made = icon("plus")
    usual, dim = (
        made.pixmap(QSize(24, 24), mode).toImage() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    )
    at = usual.pixelColor(12, 12).name(), dim.pixelColor(12, 12).name()
    assert contrast(at[0], LIGHT.raised) > contrast(at[1], LIGHT.raised) > 1


def test_an_icon_for_a_dense_display_has_its_pixels(qapp: QApplication) -> None:
    dense = pixmap("plus", 20, scale=2.0)

    assert dense.size() == QSize(40, 40)
    assert dense.deviceIndependentSize().toSize() == QSize(20, 20)


@pytest.mark.parametrize("size", [16, 22])
def test_faces_of_the_tray_differ_in_shape_alone(qapp: QApplication, size: int) -> None:
    covered = {face: _coverage(tray_icon(face).pixmap(size, size).toImage()) for face in Face}
    for one, other in combinations(Face, 2):
        first, second = covered[one], covered[other]
        differing = sum(abs(a - b) for a, b in zip(first, second, strict=True))

        assert differing >= 0.45 * max(sum(first), sum(second)), (one, other)


@pytest.mark.parametrize("face", Face)
def test_a_face_is_there_in_the_sizes_of_trays_and_within_its_place(qapp: QApplication, face: Face) -> None:
    sizes = {size.width() for size in tray_icon(face).availableSizes()}
    covered = _coverage(tray_icon(face).pixmap(16, 16).toImage())

    assert sizes == set(TRAY_SIZES)
    assert 0.12 <= sum(covered) / len(covered) <= 0.6


@pytest.mark.parametrize("face", Face)
def test_a_face_is_seen_on_panels_of_any_colour(face: Face) -> None:
    root = ElementTree.parse(asset("tray", f"{face.name.lower()}.svg")).getroot()
    colours = {part.get(key) or "none" for part in root for key in ("fill", "stroke")} - {"none"}

    assert colours
    assert [pair for pair in product(colours, PANELS) if contrast(*pair) < 3] == []


def test_the_mark_and_the_icon_of_the_app_are_there(qapp: QApplication) -> None:
    assert any(_coverage(logo(32).toImage()))
    assert {size.width() for size in app_icon().availableSizes()} >= {16, 32, 48, 256, 512}


def _coverage(image: QImage) -> list[float]:
    return [image.pixelColor(x, y).alphaF() for y in range(image.height()) for x in range(image.width())]
