"""Starts the app again after an update, so that app and daemon are of one version."""

import logging
import subprocess
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from client.api.launch import detached
from client.api.snapshot import Snapshot
from client.api.updates import UpdateStage
from gui.link.link import AppLink, LinkState

_log = logging.getLogger(__name__)
_CHANGING = (UpdateStage.HANDING_OVER, UpdateStage.TAKING_BACK)
_OLD_MILLISECONDS = 5_000
"""Wait for a hand-over to end whose daemon this app does not understand any more."""


def successor(program: str, running: str) -> str:
    """Return the program by which the app starts itself again; empty if that would be the same version.

    Args:
        program: Program of the version in use, a link; its tree is named after the version.
        running: Version of this app.
    """
    if not program:
        return ""
    tree = Path(program).resolve().parent.parent
    return program if tree.name != running and (tree / "bin").is_dir() else ""


class VersionWatch(QObject):
    """Notices a daemon of another version."""

    restart_wanted = Signal(str)
    """Emitted once with the program of the version in use."""

    def __init__(self, link: AppLink, running: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running, self._program, self._is_done = running, "", False
        self.waiting = QTimer(self, singleShot=True, interval=_OLD_MILLISECONDS)
        self.waiting.timeout.connect(self._restart)
        link.snapshot_changed.connect(self._look)
        link.changed.connect(self._follow)

    def _look(self, snapshot: Snapshot) -> None:
        if snapshot.update is None:
            return
        self._program = snapshot.update.program
        if snapshot.version != self._running and snapshot.update.stage not in _CHANGING:
            self._restart()

    def _follow(self, state: LinkState) -> None:
        """Wait a moment for a daemon whose messages differ; by then, the link leads to its version."""
        if state is LinkState.OLD and self._program:
            self.waiting.start()

    def _restart(self) -> None:
        program = successor(self._program, self._running)
        if program and not self._is_done:
            self._is_done = True
            _log.info("The daemon has another version; the app starts again by %s.", program)
            self.restart_wanted.emit(program)


def start_successor(program: str, options: Sequence[str]) -> None:
    """Start the app of another version, which outlives this one; a failure is logged."""
    try:
        subprocess.Popen([program, *options], stdin=subprocess.DEVNULL, **detached())
    except OSError as error:
        _log.error("The app cannot be started again: %s. Start it from the menu.", error)
