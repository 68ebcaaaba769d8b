"""What Idlebrush is made of, as the installation's own records say: names, versions, terms. Imports none of it."""

import platform
import re
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from PySide6.QtCore import qVersion

_AFTER_NAME = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST_TERMS = 100
"""Characters; some packages put the whole text where its name belongs."""
PROJECT = "idlebrush"


@dataclass(frozen=True)
class Component:
    """A package that is installed beside us."""

    name: str
    version: str
    terms: str
    """Of its licence, such as ``MIT``; empty: its record does not say."""


@dataclass(frozen=True)
class Installation:
    """This installation."""

    version: str
    """Of Idlebrush."""
    python: str
    qt: str
    system: str
    components: tuple[Component, ...]
    """What Idlebrush needs, by name."""

    def version_of(self, name: str) -> str:
        """Of a component; empty: it is not there."""
        return next((one.version for one in self.components if one.name.lower() == name), "")


def installation() -> Installation:
    """Reads a few dozen small files: not for the event loop."""
    own = _record(PROJECT)
    needed = own.requires if own is not None else None
    return Installation(
        version=own.version if own is not None else "",
        python=platform.python_version(),
        qt=qVersion() or "",
        system=f"{platform.system()} {platform.release()} ({platform.machine()})",
        components=tuple(_components(needed or [])),
    )


def _components(needed: list[str]) -> list[Component]:
    names = {_AFTER_NAME.split(line, maxsplit=1)[0] for line in needed if "extra ==" not in line}
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
    """The name of its licence, wherever it is written."""
    metadata = record.metadata
    classes = [line for line in metadata.get_all("Classifier") or [] if line.startswith("License ::")]
    told = [
        *(metadata.get_all("License-Expression") or []),
        *(metadata.get_all("License") or []),
        *(line.rpartition(" :: ")[2] for line in classes),
    ]
    return next((text for text in told if text and len(text) <= _LONGEST_TERMS and "\n" not in text), "")
