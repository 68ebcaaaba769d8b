"""Interface of starting at login, which each system does in its own way."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

from client.api.errors import AutostartError
from client.installed import Installation, read_installation
from client.paths import HOME_VARIABLE

_NEWEST = "current"
"""Link beside the trees of versions, where one user has several; it leads to the one in use."""


@dataclass(frozen=True)
class LoginCommand:
    """Command that is started at login."""

    arguments: tuple[str, ...]
    """Absolute path of the program, and its arguments."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that it needs beside the session's own."""

    @classmethod
    def of_client(
        cls,
        environment: Mapping[str, str] = os.environ,
        platform: str = sys.platform,
        installed: Callable[[], Installation | None] = read_installation,
    ) -> Self:
        """Return the command that starts this installation's client in the background, tray included.

        It uses the same files as this front end.

        Args:
            environment: Variables of this front end.
            platform: Name of the system, as Python has it.
            installed: Returns the installation that this front end belongs to; None: a clone of the source.
        """
        home = environment.get(HOME_VARIABLE)
        needed = {HOME_VARIABLE: str(Path(home).absolute())} if home else {}
        if platform == "win32":  # a program for consoles would open one
            windowless = Path(sys.executable).with_name("pythonw.exe")
            return cls((str(windowless), "-P", "-m", "client.cli", "--background"), needed)
        return cls((str(_program(installed())), "--background"), needed)


def _program(installation: Installation | None) -> Path:
    """Return the program of an installation, by a path that stays the same when it is updated."""
    if installation is None:
        return Path(sys.executable).with_name("idlebrush")
    newest = installation.tree.parent / _NEWEST
    tree = newest if newest.is_symlink() else installation.tree
    return tree / "bin" / "idlebrush"


class Autostart(Protocol):
    """Starting the client at login; all of it may raise AutostartError, and nothing needs to be done twice."""

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def is_enabled(self) -> bool:
        """Return true if exactly this command is started.

        A command of an older version or of another installation does not count.
        """


@contextmanager
def in_words(place: Path) -> Iterator[None]:
    """Turn what the system refuses into an AutostartError."""
    try:
        yield
    except OSError as error:
        raise AutostartError(
            f"The setting for starting at login is kept in {place}, which cannot be used: "
            f"{error.strerror or error}.",
            f"Check that you may write to {place.parent} and that its disk has space.",
        ) from error
