"""The least version of Idlebrush that a run needs: compared with the version of this program, in words for people.

Versions are compared by their release numbers (PEP 440): 1.0 equals 1.0.0, and a pre-release counts as its release,
because it brings what the release brings.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from core.errors import VersionError

LEAST_VERSION = r"^[0-9]{1,6}(\.[0-9]{1,6}){0,3}$"
"""Pattern of a release number as a manifest holds it, such as 0.3 or 1.2.1."""
_RELEASE = re.compile(r"v?([0-9]{1,6}(?:\.[0-9]{1,6})*)")


@dataclass(frozen=True)
class UpdateNeeded:
    """The versions of a run that this program is too old for."""

    least: str
    program: str

    @property
    def sentence(self) -> str:
        """One sentence without its full stop, such as "This run needs Idlebrush 0.3 or newer; this is 0.1.0"."""
        return f"This run needs Idlebrush {self.least} or newer; this is {self.program}"

    def error(self) -> VersionError:
        """Return the error for a person who wants to join the run."""
        return VersionError(
            f"{self.sentence}.",
            "Update Idlebrush (`idlebrush update`, or the page About), then open the run again. Your settings and "
            "contributions stay.",
            self.least,
        )


@cache
def program_version() -> str:
    """Return the version of this program, as it was installed."""
    return version("idlebrush")


def update_needed(least: object, program: str | None = None) -> UpdateNeeded | None:
    """Return both versions if the program is older than the ``least`` that a run needs, else None.

    Args:
        least: Release number in the run's manifest; what is none, such as None or a value that was not checked,
            asks for nothing.
        program: Version of the program; None: this one's.
    """
    program = program_version() if program is None else program
    if not isinstance(least, str) or not re.fullmatch(LEAST_VERSION, least):
        return None
    return UpdateNeeded(least, program) if release_numbers(program) < release_numbers(least) else None


def require_version(least: object) -> None:
    """Raise VersionError if this program is older than the ``least`` version that a run needs."""
    if (needed := update_needed(least)) is not None:
        raise needed.error()


def release_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of the version ``text`` without the zeros at their end, as 1.0 is 1.0.0."""
    found = _RELEASE.match(text)
    numbers = [int(part) for part in found[1].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
