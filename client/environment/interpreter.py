"""Finds the Python by which trainers, generators and benchmarks run: the environment's, or this process's own.

In a clone where the trainer's packages are installed beside the app, this Python has all of them, and no environment
is used.
"""

import logging
import platform
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

from client.api.errors import SetupError
from client.environment.places import EnvironmentPlaces, python_of
from client.installed import CODE, read_installation
from client.paths import Paths
from core.children.program import Interpreter
from core.packages import PackageSet, missing
from core.storage.files import write_atomically

_log = logging.getLogger(__name__)
IN_DISTRIBUTION = PurePosixPath("/var/lib/idlebrush/environment")
"""Folder of the environments in a distribution, which belongs to its user."""
_CONFIGURATION = "pyvenv.cfg"
"""File of a virtual environment that names the Python that it is based on."""


@dataclass(frozen=True)
class TrainerPython:
    """The Python of whatever computes."""

    places: EnvironmentPlaces
    is_own: bool
    """True if this process's own Python has the trainer's packages."""
    code: Path = CODE
    """Folder of our code, for the environment's Python."""
    inside: PurePosixPath | None = None
    """Folder of the environments in the distribution in which trainers live; `places` tells of them then. None: they
    live on this system.
    """

    @classmethod
    def of_user(cls, paths: Paths, platform: str = sys.platform) -> Self:
        """Return the Python for this user: an installation's trainers run in an environment.

        An environment that an earlier version of Idlebrush has made is based on this version's Python from then on.
        ``platform`` is one of the names of `sys.platform`.
        """
        places = EnvironmentPlaces(paths.environment)
        if read_installation() is None:
            return cls(places, is_own=not missing(PackageSet.TRAINER))
        if platform == "win32":
            return cls(places, is_own=False, inside=IN_DISTRIBUTION)
        for environment in (places.current, places.previous):
            rebase_on_own(environment)
        return cls(places, is_own=False)

    @property
    def environment(self) -> Path | None:
        """Folder of the environment to train in; None: there is none, or none is used."""
        return None if self.is_own else self.places.usable()

    @property
    def is_there(self) -> bool:
        """True if something can be trained here."""
        return self.is_own or self.environment is not None

    def find(self) -> Interpreter | None:
        """Return the Python to run a program of the trainer's; None: this process's own.

        Raises SetupError if there is no environment yet.
        """
        if self.is_own:
            return None
        environment = self.environment
        if environment is None:
            raise SetupError(
                "What training needs beside the app is not installed yet.",
                "Install it with `idlebrush setup`, or in the app.",
            )
        if self.inside is not None:
            environment = Path(self.inside / environment.name)
        return Interpreter(python_of(environment), self.code)


def rebase_on_own(environment: Path) -> bool:
    """Make the Python of this installation the base of an environment, as `rebase` does."""
    return rebase(environment, Path(sys._base_executable))  # type: ignore[attr-defined]  # as venv does


def rebase(environment: Path, python: Path) -> bool:
    """Make another Python of the same version the base of a virtual environment, as each update brings its own.

    Args:
        environment: Folder of the environment; nothing happens if there is none.
        python: Interpreter that is no virtual environment's own.

    Returns:
        True if the environment is based on that Python now.
    """
    file = environment / _CONFIGURATION
    if not file.exists():
        return False
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        fields = dict(line.split(" = ", 1) for line in lines if " = " in line)
        if not _is_same(fields.get("version", ""), platform.python_version()):
            return False
        if fields.get("home") == str(python.parent):
            return True
        for link in python_of(environment).parent.iterdir():
            if link.is_symlink() and link.readlink().is_absolute():
                _point(link, python)
        fields |= {"home": str(python.parent), "executable": str(python)}
        text = "".join(f"{name} = {value}\n" for name, value in fields.items() if name != "command")
        write_atomically(file, text.encode())
    except OSError as error:
        _log.warning("The environment %s cannot be based on %s: %s", environment, python, error)
        return False
    _log.info("The environment %s is based on %s now.", environment, python)
    return True


def _is_same(one: str, other: str) -> bool:
    """Return true if two versions are equal up to the second number, for which packages are built."""
    return one.split(".")[:2] == other.split(".")[:2]


def _point(link: Path, target: Path) -> None:
    """Replace a link at once, so that a trainer that starts meanwhile finds one or the other."""
    new = link.with_name(f"{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(link)
