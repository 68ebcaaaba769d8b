"""The installation: versions and licences of its packages, and details for a bug report."""

import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from PySide6.QtCore import qVersion

from client.api.snapshot import Snapshot

_AFTER_NAME = re.compile(r"[^A-Za-z0-9._-]")
_FOR_DEVELOPERS = re.compile(r"extra == [\"']dev[\"']")
"""Mark of the packages that only developers need; users have those of the other extras as well."""
_LONGEST_TERMS = 100
"""Longest licence name in characters; some packages put the whole licence text into that field."""
PROJECT = "idlebrush"
_LISTED = ("torch", "hivemind", "numpy", "pydantic")


@dataclass(frozen=True)
class Component:
    """An installed package that Idlebrush needs."""

    name: str
    version: str
    terms: str
    """Name of the licence, such as ``MIT``; empty if the package does not state one."""


@dataclass(frozen=True)
class InstalledVersions:
    """Versions of Idlebrush, its runtime and its packages."""

    version: str
    """Version of Idlebrush."""
    python: str
    qt: str
    system: str
    components: tuple[Component, ...]
    """The packages that Idlebrush needs, sorted by name."""

    def version_of(self, name: str) -> str:
        """Return the version of a package; empty if it is not installed."""
        return next((one.version for one in self.components if one.name.lower() == name), "")


def installation() -> InstalledVersions:
    """Read the installation's metadata: a few dozen small files, too slow for the event loop."""
    own = _record(PROJECT)
    needed = own.requires if own is not None else None
    return InstalledVersions(
        version=own.version if own is not None else "",
        python=platform.python_version(),
        qt=qVersion() or "",
        system=f"{platform.system()} {platform.release()} ({platform.machine()})",
        components=tuple(_components(names_for_users(needed or []))),
    )


def names_for_users(requirements: Iterable[str]) -> set[str]:
    """Return the names in a package's requirements, but for those that only its developers need."""
    return {
        _AFTER_NAME.split(line, maxsplit=1)[0] for line in requirements if not _FOR_DEVELOPERS.search(line)
    }


def _components(names: Iterable[str]) -> list[Component]:
    records = [record for name in names if (record := _record(name)) is not None]
    found = [Component(record.name, record.version, terms_of(record)) for record in records]
    return sorted(found, key=_by_name)


def _by_name(component: Component) -> str:
    return component.name.lower()


def _record(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def terms_of(record: Distribution) -> str:
    """Return the name of a package's licence, from whichever metadata field has it; empty if none has one."""
    metadata = record.metadata
    classes = [line for line in metadata.get_all("Classifier") or [] if line.startswith("License ::")]
    terms = [
        *(metadata.get_all("License-Expression") or []),
        *(metadata.get_all("License") or []),
        *(line.rpartition(" :: ")[2] for line in classes),
    ]
    return next((text for text in terms if text and len(text) <= _LONGEST_TERMS and "\n" not in text), "")


def report(installed: InstalledVersions, snapshot: Snapshot | None, home: Path) -> str:
    """Return the details for a bug report: a few lines of plain text."""
    lines = [*_of_installation(installed), *(_of_daemon(snapshot) if snapshot else ["Daemon: not connected"])]
    return "\n".join(shortened(line, home) for line in lines) + "\n"


def shortened(line: str, home: Path) -> str:
    """Return a line with the home folder replaced by ``~``, because its path contains the user's name."""
    return line.replace(str(home), "~")


def _of_installation(installed: InstalledVersions) -> Iterator[str]:
    yield f"Idlebrush {installed.version}, Python {installed.python}, Qt {installed.qt}"
    yield f"System: {installed.system}"
    yield ", ".join(f"{name} {version}" for name in _LISTED if (version := installed.version_of(name)))


def _of_daemon(snapshot: Snapshot) -> Iterator[str]:
    yield f"Daemon: {snapshot.version}, {snapshot.activity}"
    if snapshot.reasons:
        yield "Reasons: " + ", ".join(reason.code for reason in snapshot.reasons)
    if snapshot.run is not None:
        yield f"Run: {snapshot.run.name} ({snapshot.run.digest[:16]})"
    if snapshot.progress is not None:
        yield f"Epoch: {snapshot.progress.epoch}, peers: {snapshot.progress.peers}"
    if snapshot.trainer is not None:
        yield f"Trainer: {snapshot.trainer.plan} Restarts: {snapshot.trainer.restarts}"
    if snapshot.reach is not None:
        yield f"Reached: {snapshot.reach.code}"
    if snapshot.problem is not None:
        yield f"Problem: {snapshot.problem.code}: {snapshot.problem.what} {snapshot.problem.remedy}"
