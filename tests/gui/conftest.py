"""The app's widgets in tests: drawn without a display, linked to a stand-in that records what they ask."""

import gc
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QThreadPool, QTranslator
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from gui.design.theme import Theme
from tests.desktops.patient_qtbot import qtbot as qtbot
from tests.gui.stand_in_link import StandInLink


@pytest.fixture(autouse=True)
def garbage() -> Iterator[None]:
    """Collected on this thread alone, as in the app; other threads have ended before others' tests collect again."""
    gc.disable()
    yield
    QThreadPool.globalInstance().waitForDone()
    gc.enable()


@pytest.fixture(autouse=True)
def locale() -> Iterator[None]:
    """Amounts are written in one way, wherever the tests run."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(QLocale.system())


@pytest.fixture
def link(qapp: QApplication) -> StandInLink:
    return StandInLink()


@pytest.fixture
def speaking(qapp: QApplication) -> Iterator[QApplication]:
    """The application, which speaks English again afterwards."""
    yield qapp
    for translator in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.deleteLater()
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """A theme that is applied to the application and removed afterwards."""
    font = qapp.font()
    theme = Theme(appearance="light")
    theme.apply(qapp)
    yield theme
    theme.set_appearance("system")
    delete(theme)
    qapp.setStyleSheet("")
    qapp.setPalette(QPalette())
    qapp.setFont(font)
