"""pytest-qt's robot, which gives a busy machine as much time as all other tests do."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.waiting import DEADLINE

_MILLISECONDS = int(1000 * DEADLINE)


class PatientQtBot(QtBot):
    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = _MILLISECONDS) -> None:  # noqa: N802
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientQtBot(request)
