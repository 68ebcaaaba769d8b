"""The machine on which a notebook trains: its folders, its display, its clock, and the way to its daemon."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from client.api.connection import Connection
from client.api.launch import DaemonProgram
from client.notebook.cells import CellDisplay, NotebookCell
from client.paths import HOME_VARIABLE, Paths

_FOLDER = ".idlebrush-notebook"


def notebook_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of all that notebooks keep: IDLEBRUSH_HOME, or one in the user's home.

    It is not the folder in which a notebook lies, as services publish that with the notebook.
    """
    named = environment.get(HOME_VARIABLE)
    return Path(named).absolute() if named else Path.home() / _FOLDER


@dataclass(frozen=True)
class NotebookMachine:
    """The machine on which a notebook trains: its folders, its display and its clock."""

    home: Path
    """Folder of preferences, runs and logs."""
    screen: Callable[[], CellDisplay] = NotebookCell
    """Makes the screen of the cell that runs."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    look_seconds: float = 1.0
    """Seconds between two looks at the daemon."""
    connect: Callable[[Path], Connection] = Connection.open
    """Connects to the daemon that listens at a path."""

    @property
    def paths(self) -> Paths:
        """Folders of the notebook's client."""
        return Paths.of_user({HOME_VARIABLE: str(self.home)})

    @property
    def program(self) -> DaemonProgram:
        """Program of the notebook's daemon."""
        return DaemonProgram(environment={**os.environ, HOME_VARIABLE: str(self.home)})
