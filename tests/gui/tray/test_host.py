"""A tray host that is there, comes late, restarts, or never comes."""

from dataclasses import dataclass, field

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.tray.host import HostTiming, TrayHost

SOON = HostTiming(look=5, grace=60)


@dataclass
class Panel:
    """Is there, or is not."""

    is_there: bool
    changes: list[bool] = field(default_factory=list)
    looked: list[bool] = field(default_factory=list)

    def look(self) -> bool:
        self.looked.append(self.is_there)
        return self.is_there

    def host(self, timing: HostTiming = SOON) -> TrayHost:
        host = TrayHost(is_there=self.look, timing=timing)
        host.changed.connect(self.changes.append)
        host.start()
        return host


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> None:
    """Timers need one."""


def test_one_that_is_there_is_known_at_once() -> None:
    panel = Panel(is_there=True)
    assert panel.host().is_there
    assert panel.changes == [True]


def test_one_that_comes_late_is_found_after_it_was_missed(qtbot: QtBot) -> None:
    panel = Panel(is_there=False)
    host = panel.host()
    qtbot.waitUntil(lambda: panel.changes == [False])
    panel.is_there = True
    qtbot.waitUntil(lambda: panel.changes == [False, True])
    assert host.is_there


def test_one_that_goes_is_missed(qtbot: QtBot) -> None:
    panel = Panel(is_there=True)
    host = panel.host()
    panel.is_there = False
    qtbot.waitUntil(lambda: panel.changes == [True, False])
    assert not host.is_there


def test_one_that_restarts_is_not_missed(qtbot: QtBot) -> None:
    panel = Panel(is_there=True)
    host = panel.host(HostTiming(look=5, grace=60_000))
    panel.is_there = False
    qtbot.waitUntil(lambda: False in panel.looked)
    panel.is_there = True
    qtbot.waitUntil(lambda: panel.looked[-1])
    assert panel.changes == [True]
    assert host.is_there
