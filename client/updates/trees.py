"""The trees of an installation that updates itself: one folder for each version, and a link to the one in use.

The link is replaced by renaming, so at every instant it leads to a whole tree. Folders that a killed process left are
removed by the next one. On Windows the installer replaces the one tree, and keeps the one before beside it.
"""

import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from client.installed import FILE, Installation, InstallChannel
from core.run.least_version import LEAST_VERSION
from core.storage import moving

_log = logging.getLogger(__name__)

LAUNCHER = Path("bin", "idlebrush")
"""Program of a tree, relative to the tree."""
LINK = "current"
"""Name of the link to the tree in use, beside the trees."""
_BUILDING, _DISCARDED, _NEXT_LINK = "new-", "discarded-", "current.new"


@dataclass(frozen=True)
class InstalledTrees:
    """The folder that holds the trees of all versions."""

    prefix: Path

    @classmethod
    def of(cls, installation: Installation) -> Self | None:
        """Return the trees that an installation belongs to; None: it is not of a kind that updates itself so."""
        prefix = installation.tree.parent
        link = prefix / LINK
        if installation.channel is not InstallChannel.TARBALL or not link.is_symlink():
            return None
        return cls(prefix) if os.access(prefix, os.W_OK) else None

    def tree(self, version: str) -> Path:
        """Return the folder of a version."""
        if not re.fullmatch(LEAST_VERSION, version):
            raise ValueError(f"{version!r} is no version")
        return self.prefix / version

    def building(self, version: str) -> Path:
        """Return the folder in which a version is laid out before it is whole."""
        return self.prefix / f"{_BUILDING}{version}"

    @property
    def program(self) -> Path:
        """Program of the tree in use, whichever that is."""
        return self.prefix / LINK / LAUNCHER

    @property
    def used(self) -> str:
        """Version of the tree in use; empty: the link leads to none."""
        try:
            return (self.prefix / LINK).readlink().name
        except OSError:
            return ""

    def use(self, version: str) -> None:
        """Make the link lead to the tree of a version; raise OSError if the disk does not allow it."""
        following = self.prefix / _NEXT_LINK
        moving.remove(following)
        following.symlink_to(version, target_is_directory=True)
        moving.replace(following, self.prefix / LINK)
        _log.info("Version %s is in use.", version)

    def remove(self, version: str) -> None:
        """Remove the tree of a version that is not in use; it is renamed first, so that it is never there in part."""
        tree = self.tree(version)
        if tree.exists() and self.used != version:
            gone = self.prefix / f"{_DISCARDED}{version}"
            moving.discard_folder(gone)
            moving.rename(tree, gone)
            moving.discard_folder(gone)

    def remove_others(self, kept: str) -> None:
        """Remove the trees of all versions but ``kept`` and the one in use, and what killed processes left."""
        for version in self.versions():
            if version != kept:
                self.remove(version)
        self.clear_up()

    def versions(self) -> Iterator[str]:
        """Yield the versions whose trees are here."""
        for place in sorted(self.prefix.iterdir()):
            if re.fullmatch(LEAST_VERSION, place.name) and not place.is_symlink() and (place / FILE).exists():
                yield place.name

    def clear_up(self) -> None:
        """Remove what a killed process left: half a tree, and a link that was not put in place."""
        moving.remove(self.prefix / _NEXT_LINK)
        for left in self.prefix.iterdir():
            if left.name.startswith((_BUILDING, _DISCARDED)) and left.is_dir():
                moving.discard_folder(left)


@dataclass(frozen=True)
class ReplacedTree:
    """The tree that Windows' installer has replaced, which is kept until the new version has trained."""

    prefix: Path
    """Folder of the installation."""

    @classmethod
    def of(cls, installation: Installation) -> Self | None:
        """Return the replaced tree of an installation by Windows' installer; None for any other."""
        return cls(installation.tree.parent) if installation.channel is InstallChannel.NSIS else None

    @property
    def is_there(self) -> bool:
        """True if a replaced tree is kept."""
        return (self._folder / FILE).exists()

    def command(self, version: str) -> list[str]:
        """Return the command that puts this tree, of that ``version``, in the place of the one in use."""
        return [str(self.prefix / "uninstall.exe"), f"/BACK={version}", "/S"]

    def remove(self) -> None:
        """Remove it: the version in use works."""
        moving.discard_folder(self._folder)

    @property
    def _folder(self) -> Path:
        return self.prefix / "previous"
