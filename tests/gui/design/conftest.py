"""A theme on the application of the tests, which is bare again afterwards."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from gui.design.theme import Theme


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    font = qapp.font()
    theme = Theme(appearance="light")
    theme.apply(qapp)
    yield theme
    theme.set_appearance("system")
    delete(theme)
    qapp.setStyleSheet("")
    qapp.setPalette(QPalette())
    qapp.setFont(font)
