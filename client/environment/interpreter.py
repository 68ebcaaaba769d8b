"""Finds the Python by which trainers, generators and benchmarks run: the environment's, or this process's own.

In a clone where the trainer's packages are installed beside the app, this Python has all of them, and no environment
is used.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from client.api.errors import SetupError
from client.environment.places import EnvironmentPlaces, python_of
from client.installed import CODE
from client.paths import Paths
from core.children.program import Interpreter
from core.packages import PackageSet, missing


@dataclass(frozen=True)
class TrainerPython:
    """The Python of whatever computes."""

    places: EnvironmentPlaces
    is_own: bool
    """True if this process's own Python has the trainer's packages."""
    code: Path = CODE
    """Folder of our code, for the environment's Python."""

    @classmethod
    def of_user(cls, paths: Paths) -> Self:
        """Return the Python for this user, by the packages that are installed here."""
        return cls(EnvironmentPlaces(paths.environment), is_own=not missing(PackageSet.TRAINER))

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
        return Interpreter(python_of(environment), self.code)
