"""Tells which of Idlebrush's packages are missing: the app's set alone may be installed, without the trainer's.

The sets are the extras of pyproject.toml; an installation keeps them among its metadata.
"""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

from core.errors import PackagesError

_CODE = Path(__file__).resolve().parents[1]
_PROJECT = "idlebrush"
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:; *extra == [\"']([a-z]+)[\"'])?")
"""A requirement with its name and the extra that it belongs to; others have conditions besides, and do not match."""
_NAMED = 3
"""Most packages that an error names."""


class PackageSet(StrEnum):
    """A set of packages beside the app's own; the values are the extras' names."""

    TRAINER = "trainer"
    """Set of the trainer, and of all else that computes: drawing pictures, making data sets."""
    COORDINATOR = "coordinator"
    """Set of the processes that serve a run; its peers take the trainer's set as well."""


def _requirements() -> Iterable[str]:
    try:
        return requires(_PROJECT) or ()
    except PackageNotFoundError:  # run from a folder that was not installed
        return ()


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def missing(
    wanted: PackageSet,
    requirements: Callable[[], Iterable[str]] = _requirements,
    is_installed: Callable[[str], bool] = _is_installed,
) -> tuple[str, ...]:
    """Return the names of the packages of a set that are not installed, in alphabetical order; none is imported.

    Args:
        wanted: The set.
        requirements: Returns what Idlebrush requires, as lines of its metadata.
        is_installed: True for the name of a package that is there.
    """
    matches = filter(None, map(_REQUIREMENT.fullmatch, requirements()))
    names = [match[1] for match in matches if match[2] == wanted]
    return tuple(sorted(name for name in names if not is_installed(name)))


def remedy_of_trainer(code: Path = _CODE) -> str:
    """Return the remedy for missing packages of the trainer; ``code`` is the folder that holds this package."""
    setup = "Run `idlebrush setup`, which installs what training needs."
    return f"{setup} In a clone of the source, run `make install`." if _is_clone(code) else setup


def remedy_of_coordinator(code: Path = _CODE) -> str:
    """Return the remedy for missing packages of the coordinator; ``code`` as above."""
    if _is_clone(code):
        return "Run `make install` in a clone of the source, which installs what a coordinator needs."
    return "A coordinator runs from a clone of the source: the README says how."


def _is_clone(code: Path) -> bool:
    """Return true if the file that describes the whole source lies beside the packages: no installation has it."""
    return (code / "pyproject.toml").exists()


def require(*wanted: PackageSet, missing: Callable[[PackageSet], tuple[str, ...]] = missing) -> None:
    """Check that sets of packages are installed.

    Args:
        wanted: The sets.
        missing: Returns the names of packages of a set that are not installed.

    Raises:
        PackagesError: some are not; it names them.
    """
    if names := [name for each in wanted for name in missing(each)]:
        remedy = remedy_of_coordinator() if PackageSet.COORDINATOR in wanted else remedy_of_trainer()
        raise PackagesError(f"This needs packages that are not installed: {listed(names)}.", remedy)


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Return the first of the ``names`` of packages, and the number of the others."""
    others = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {others} more" if others > 0 else "")


def not_installed(error: ModuleNotFoundError) -> PackagesError:
    """Return the ``error`` of an import as one for the user."""
    name = (error.name or "").partition(".")[0]
    return PackagesError(f"This needs the package {name}, which is not installed.", remedy_of_trainer())
