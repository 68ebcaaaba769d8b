"""Tells how Idlebrush came onto this computer: by which package, in which version, and into which folder.

A package or an archive lays out one tree: ``python/`` (the interpreter), ``code/`` (this very code) and
``installation.toml``, which names the channel. A clone of the source has no such tree.
"""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from client.api.errors import StateError
from core.run.validation import in_words
from core.storage.files import read_bounded

FILE = "installation.toml"
CODE = Path(__file__).resolve().parents[1]
"""Folder of this code: ``code/`` of an installation, or the root of a clone."""
_LARGEST = 65_536
_CODE_NAME = "code"


class InstallChannel(StrEnum):
    """Way by which Idlebrush was installed."""

    DEB = "deb"
    RPM = "rpm"
    TARBALL = "tarball"
    NSIS = "nsis"
    BUNDLE = "bundle"
    WSL = "wsl"
    """The distribution in which trainers live on Windows; the app is beside it."""


class InstallationFile(BaseModel):
    """Content of ``installation.toml``, which a package's build writes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    channel: InstallChannel
    version: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    commit: Annotated[str, StringConstraints(max_length=64)] = ""


@dataclass(frozen=True)
class Installation:
    """An installed tree."""

    channel: InstallChannel
    version: str
    commit: str
    """Commit of the source that it was built from; empty: it is not named."""
    tree: Path
    """Folder that holds all of it."""

    @property
    def is_of_system(self) -> bool:
        """True if the system's package manager installed it, and alone may change it."""
        return self.channel in (InstallChannel.DEB, InstallChannel.RPM)


def read_installation(code: Path = CODE) -> Installation | None:
    """Return the installation that ``code`` belongs to; None: it is a clone, or was installed by pip.

    Args:
        code: Folder of the packages ``core`` and ``client``.

    Raises:
        StateError: The tree's ``installation.toml`` cannot be read.
    """
    tree = code.parent
    file = tree / FILE
    if code.name != _CODE_NAME or not file.exists():
        return None
    try:
        found = InstallationFile.model_validate(tomllib.loads(read_bounded(file, _LARGEST).decode()))
    except ValidationError as error:
        raise _unreadable(file, in_words(error)) from error
    except OSError as error:
        raise _unreadable(file, error.strerror or str(error)) from error
    except ValueError as error:  # of TOML, of UTF-8, or too long
        raise _unreadable(file, str(error)) from error
    return Installation(found.channel, found.version, found.commit, tree)


def _unreadable(file: Path, why: str) -> StateError:
    return StateError(f"{file} cannot be read: {why}.", "Install Idlebrush again.")
